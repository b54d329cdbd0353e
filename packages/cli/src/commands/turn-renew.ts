import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { isoTime } from '../output/moment.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { count } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const turnRenew: Command = command({
  description: 'Renews the lease of a turn that has nothing to append for a while. Refused when another took over.',
  operands: { session: sessionOperand, turn: operand('TURN', 'id of the turn') },
  options: { leaseMs: count('MS', 'milliseconds from now: else as before', 1), ...writing },
  examples: ['refold turn renew fingerprint-scanner t1'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.renewTurn(operands.turn, present(options)),
        ({ turn }) => `Turn ${turn} goes on.`,
        ({ turn, leaseUntil }) => ({ turn, leaseUntil: isoTime(leaseUntil) }),
      ),
    ),
})
