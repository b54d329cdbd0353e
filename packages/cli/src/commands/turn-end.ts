import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { choice } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const turnEnd: Command = command({
  description: 'Ends a turn and gives its lease back.',
  operands: { session: sessionOperand, turn: operand('TURN', 'id of the turn') },
  options: { outcome: choice('OUTCOME', ['done', 'failed', 'cancelled'], 'how it went: else done'), ...writing },
  examples: ['refold turn end fingerprint-scanner t1', 'refold turn end fingerprint-scanner t1 --outcome failed'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.endTurn(operands.turn, present(options)),
        ({ session }) => `Turn ${operands.turn} of ${session} has ended.`,
      ),
    ),
})
