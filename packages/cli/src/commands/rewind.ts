import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { nextCommand } from '../place/next-command.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { count, requiredText } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

const rewind: Command = command({
  description: 'Takes every entry after a message out of transcript and context. `undo` brings them back.',
  operands: { session: sessionOperand },
  options: {
    to: requiredText('MESSAGE', 'last message that stays; `start`: none does'),
    base: count('REVISION', 'what you decided by: refused when there is something newer'),
    ...writing,
  },
  examples: ['refold rewind fingerprint-scanner --to m12', 'refold rewind fingerprint-scanner --to start'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.rewind(present(options)),
        ({ session, undoId }) => `Rewound. To take it back: ${nextCommand(place, 'undo', session, undoId)}`,
        ({ undoId }) => ({ undoId }),
      ),
    ),
})

export default rewind
