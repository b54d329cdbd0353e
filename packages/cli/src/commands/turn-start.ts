import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { isoTime } from '../output/moment.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { count, text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const turnStart: Command = command({
  description: 'Takes the lease on working at a session. Refused while another holds it.',
  operands: { session: sessionOperand },
  options: {
    turn: text('TURN', 'id of the turn: else a new one'),
    holder: text('H', 'who works, in words that another holder can understand'),
    leaseMs: count('MS', 'milliseconds without an append after which another may take over: else 120000', 1),
    ...writing,
  },
  examples: ['refold turn start fingerprint-scanner --holder desktop --lease-ms 60000'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.startTurn(present(options)),
        ({ turn }) => `Turn ${turn} has begun.`,
        ({ turn, leaseUntil }) => ({ turn, leaseUntil: isoTime(leaseUntil) }),
      ),
    ),
})
