import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const tag: Command = command({
  description: 'Gives a session a tag.',
  operands: { session: sessionOperand, tag: operand('TAG', 'the tag') },
  options: writing,
  examples: ['refold tag fingerprint-scanner hardware'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.tag(operands.tag, commandOptions(options)),
        ({ session }) => `Session ${session} is tagged ${operands.tag}.`,
      ),
    ),
})

export default tag
