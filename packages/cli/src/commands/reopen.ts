import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const reopen: Command = command({
  description: 'Opens a session that was ended.',
  operands: { session: sessionOperand },
  options: writing,
  examples: ['refold reopen fingerprint-scanner'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(await handle.reopen(commandOptions(options)), ({ session }) => `Session ${session} is open.`),
    ),
})

export default reopen
