import { command, type Command } from '../command.ts'
import { readMessages } from '../input/read-messages.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

const rotate: Command = command({
  description: `Opens a new segment with an id of its own; the session stays the same. Messages not yet written come as JSON
lines on standard input (as for \`append\`) and stand before the rotation, in the same append.`,
  operands: { session: sessionOperand },
  options: {
    from: text('SEGMENT', 'segment to rotate: else the newest. Refused when another was opened after it'),
    segment: text('ID', 'id of the new segment: else a new one'),
    reason: text('R', 'why: else `rotation`'),
    ...writing,
  },
  examples: ['refold rotate fingerprint-scanner < /dev/null', 'refold rotate job-17 --from job-17 < pending.jsonl'],
  run: async ({ operands, options, place, terminal }) => {
    const { messages, turn } = terminal.input.isTTY === true ? { messages: [] } : await readMessages(terminal.input)
    return useSession(place, operands.session, async (handle) =>
      done(
        await handle.rotate(present({ ...options, pending: messages, turn })),
        ({ segment }) => `The newest segment is ${segment}.`,
        ({ segment, appended, alreadyThere }) => ({ segment, appended, alreadyThere }),
      ),
    )
  },
})

export default rotate
