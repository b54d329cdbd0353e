import { command, type Command } from '../command.ts'
import { readAll } from '../input/read-all.ts'
import { readParts } from '../input/part-line.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, operandOrNone, sessionOperand } from '../words/operand.ts'
import { count, flag, time } from '../words/option.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'
import { writing } from '../words/writing.ts'

const edit: Command = command({
  description: `Changes what a message says, in place; the earlier text stays in the past. The text is the last operand, else
standard input. (To say something else from there on, rewind and append.)`,
  operands: {
    session: sessionOperand,
    message: operand('MESSAGE', 'id of the message'),
    text: operandOrNone('TEXT', 'what it says now: else read from standard input'),
  },
  options: {
    parts: flag('standard input is a JSON array of message parts'),
    base: count('REVISION', 'what you decided by: refused when there is something newer'),
    at: time('TIME', 'when it was edited, by its own account'),
    ...writing,
  },
  examples: [
    'refold edit fingerprint-scanner m3 -- "The other sensor"',
    'refold edit fingerprint-scanner m3 < new.txt',
  ],
  run: async ({ operands, options, place, terminal }) => {
    const { parts: asParts, ...rest } = options
    if (asParts && operands.text !== undefined) throw new UsageError('--parts reads standard input; leave TEXT out.')
    const text = operands.text ?? (await readAll(terminal.input))
    const content = asParts ? { parts: readParts(text) } : { text }
    return useSession(place, operands.session, async (handle) =>
      done(
        await handle.edit(operands.message, { ...present(rest), ...content }),
        ({ session }) => `Edited message ${operands.message} of ${session}.`,
      ),
    )
  },
})

export default edit
