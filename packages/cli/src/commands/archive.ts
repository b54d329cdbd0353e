import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const archive: Command = command({
  description: 'Takes a session out of the plain list; `list --archived` shows it.',
  operands: { session: sessionOperand },
  options: writing,
  examples: ['refold archive fingerprint-scanner'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(await handle.archive(commandOptions(options)), ({ session }) => `Session ${session} is archived.`),
    ),
})

export default archive
