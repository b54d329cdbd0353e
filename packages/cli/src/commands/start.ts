import { resolve } from 'node:path'
import { command, type Command } from '../command.ts'
import { safeText } from '../output/safe-text.ts'
import { useOrMakeEngine } from '../place/use-engine.ts'
import { text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { keyed } from '../words/writing.ts'
import { UsageError } from '../words/usage-error.ts'

const start: Command = command({
  description: 'Starts a session, and makes the store where there is none. Prints its id.',
  operands: {},
  options: {
    id: text('ID', '1 to 200 characters, never used before: else a new one'),
    title: text('T', 'its title'),
    delegateOf: text('SESSION', 'the session that it works for'),
    resetOf: text('SESSION', 'the session that begins anew here; that one ends'),
    cwd: text('DIR', 'the folder that it works in'),
    model: text('M', 'the model that it talks to'),
    ...keyed,
  },
  examples: ['refold start --title release-notes', 'refold start --id job-17 --delegate-of release-notes --json'],
  run: async ({ options, place }) => {
    const { cwd, resetOf, delegateOf, ...rest } = options
    if (resetOf !== undefined && delegateOf !== undefined) {
      throw new UsageError('--delegate-of and --reset-of exclude each other.')
    }
    const workspace = cwd === undefined ? undefined : resolve(place.folder, cwd)
    return useOrMakeEngine(place, async (engine) => {
      const other = resetOf ?? delegateOf
      const found = other === undefined ? undefined : await engine.session(other)
      if (found?.ok === false) return found
      const origin = resetOf === undefined ? { delegateOf: found?.session } : { resetOf: found?.session }
      const outcome = await engine.start({ ...present({ ...rest, ...origin, workspace }), surface: 'cli' })
      if (!outcome.ok) return outcome
      const { session, revision } = outcome
      return { json: { session, revision }, people: () => safeText(session) }
    })
  },
})

export default start
