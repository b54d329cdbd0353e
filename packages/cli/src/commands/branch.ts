import { resolve } from 'node:path'
import { command, type Command } from '../command.ts'
import { safeText } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { count, requiredText, text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { keyed } from '../words/writing.ts'

const branch: Command = command({
  description: `Starts a session from a message of another one, which may lie anywhere, also in a compacted range.
Neither ever changes the other. Prints the new session's id.`,
  operands: { session: sessionOperand },
  options: {
    from: requiredText('MESSAGE', 'last message that the branch begins with; `start`: it begins empty'),
    asOf: count('REVISION', 'the session as it stood then: else as it stands now'),
    id: text('ID', 'id of the branch: else a new one'),
    title: text('T', 'its title: else the next free number of the present one'),
    cwd: text('DIR', "the folder that it works in: else the other's"),
    model: text('M', "the model that it talks to: else the other's"),
    ...keyed,
  },
  examples: [
    'refold branch fingerprint-scanner --from m12',
    'refold branch fingerprint-scanner --from start --id retry',
  ],
  run: ({ operands, options: { cwd, ...options }, place }) =>
    useSession(place, operands.session, async (handle) => {
      const workspace = cwd === undefined ? undefined : resolve(place.folder, cwd)
      const outcome = await handle.branch({ ...present({ ...options, workspace }), surface: 'cli' })
      if (!outcome.ok) return outcome
      const { session, revision, title } = outcome
      return { json: { session, revision, title }, people: () => safeText(session) }
    }),
})

export default branch
