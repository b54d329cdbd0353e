import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { choice, requiredText, time } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

const end: Command = command({
  description: `Ends a session and its open delegates. The first deliberate end stands; one by accident is undone by the next
message.`,
  operands: { session: sessionOperand },
  options: {
    reason: requiredText('R', 'why, in a word such as `done`'),
    class: choice('CLASS', ['deliberate', 'accident', 'reset'], 'on purpose (else), by accident, or to begin anew'),
    at: time('TIME', 'when it ended, by its own account'),
    ...writing,
  },
  examples: ['refold end fingerprint-scanner --reason done', 'refold end job-17 --reason crashed --class accident'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) => {
      const outcome = await handle.end(present(options))
      const own = ({
        reason,
        class: kind,
        delegates,
      }: {
        reason: string
        class: string
        delegates: readonly string[]
      }) => ({ reason, class: kind, delegates })
      return done(outcome, ({ session, reason }) => `Session ${session} has ended (${reason}).`, own)
    }),
})

export default end
