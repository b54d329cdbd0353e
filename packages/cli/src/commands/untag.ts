import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const untag: Command = command({
  description: 'Takes a tag away.',
  operands: { session: sessionOperand, tag: operand('TAG', 'the tag') },
  options: writing,
  examples: ['refold untag fingerprint-scanner hardware'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.untag(operands.tag, commandOptions(options)),
        ({ session }) => `Session ${session} has no tag ${operands.tag}.`,
      ),
    ),
})

export default untag
