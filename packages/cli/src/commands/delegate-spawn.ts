import { resolve } from 'node:path'
import { command, type Command } from '../command.ts'
import { safeText } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const delegateSpawn: Command = command({
  description: "Starts a session that works for another one. Prints the delegate's id.",
  operands: { session: sessionOperand },
  options: {
    task: text('T', 'what it is to do'),
    toolCall: text('ID', 'the tool call that started it'),
    id: text('ID', 'id of the delegate: else a new one'),
    title: text('T', 'its title'),
    cwd: text('DIR', 'the folder that it works in'),
    model: text('M', 'the model that it talks to'),
    ...writing,
  },
  examples: ['refold delegate spawn release-notes --task "Read the changelog" --id job-17'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) => {
      const { toolCall, cwd, ...rest } = options
      const workspace = cwd === undefined ? undefined : resolve(place.folder, cwd)
      const outcome = await handle.spawn({ ...present({ ...rest, toolCallId: toolCall, workspace }), surface: 'cli' })
      if (!outcome.ok) return outcome
      const { session, revision, parent } = outcome
      return { json: { session, revision, parent }, people: () => safeText(session) }
    }),
})
