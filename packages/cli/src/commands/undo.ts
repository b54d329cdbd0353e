import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { nextCommand } from '../place/next-command.ts'
import { useSession } from '../place/use-engine.ts'
import { operandOrNone, sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const undo: Command = command({
  description: `Takes back a rewind: the last one, or the one with this id. What was appended since is set aside and comes
back by the id that this prints, so that switching back and forth loses nothing.`,
  operands: { session: sessionOperand, undoId: operandOrNone('ID', 'the id that the rewind printed') },
  options: writing,
  examples: ['refold undo fingerprint-scanner', 'refold undo fingerprint-scanner 3f0c9a'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.undo(operands.undoId, commandOptions(options)),
        ({ session, undoId }) => `Undone. To switch back: ${nextCommand(place, 'undo', session, undoId)}`,
        ({ undoId }) => ({ undoId }),
      ),
    ),
})

export default undo
