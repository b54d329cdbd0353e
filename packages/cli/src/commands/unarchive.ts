import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const unarchive: Command = command({
  description: 'Puts an archived session back into the plain list.',
  operands: { session: sessionOperand },
  options: writing,
  examples: ['refold unarchive fingerprint-scanner'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(await handle.unarchive(commandOptions(options)), ({ session }) => `Session ${session} is back in the list.`),
    ),
})

export default unarchive
