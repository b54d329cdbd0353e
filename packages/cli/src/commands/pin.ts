import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const pin: Command = command({
  description: 'Pins a session',
  operands: { session: sessionOperand },
  options: writing,
  examples: ['refold pin fingerprint-scanner'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.pin(commandOptions(options)),
        ({ session }) => `Session ${session}  housekeeping leaves it alone.:is pinned.`,
      ),
    ),
})

export default pin
