import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const unpin: Command = command({
  description: 'Takes a pin away.',
  operands: { session: sessionOperand },
  options: writing,
  examples: ['refold unpin fingerprint-scanner'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(await handle.unpin(commandOptions(options)), ({ session }) => `Session ${session} is not pinned.`),
    ),
})

export default unpin
