import { command, type Call, type Command } from '../command.ts'
import { readNamed } from '../input/read-named.ts'
import type { Answer } from '../output/answer.ts'
import { byteSize, counted } from '../output/amount.ts'
import { done } from '../output/done.ts'
import type { RefusalLike } from '../output/failure.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { choice, count, text, textOrNothing, texts } from '../words/option.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'
import { commandOptions, writing } from '../words/writing.ts'

const operands = { session: sessionOperand }
const options = {
  base: count('REVISION', 'what you had read up to when you began'),
  through: count('REVISION', 'last revision that the summary covers'),
  held: text('DIGEST', 'the digest that `context` printed for it'),
  keep: texts('MESSAGE', 'messages that stay word for word'),
  summaryFile: text('F', 'file with the summary; `-` is standard input'),
  summaryRole: choice('ROLE', ['user', 'assistant', 'system'], 'role of the summary in the context: else user'),
  model: text('M', 'the model that wrote the summary'),
  undo: textOrNothing('ID', 'takes back a compaction instead: the last one, or this one'),
  ...writing,
}

const compact: Command = command({
  description: `Puts a summary in the context's place up to a revision. Changes nothing that a person reads, and never waits for or
blocks an append. Refused when the context changed since you read it, or would not get smaller.`,
  operands,
  options,
  examples: [
    'refold compact fingerprint-scanner --base 57 --through 57 --held 9f2c… --keep m40 --summary-file summary.txt',
    'refold compact fingerprint-scanner --undo',
  ],
  run: (call) => (call.options.undo === undefined ? carryOut(call) : takeBack(call, call.options.undo)),
})

type CompactCall = Call<typeof options, typeof operands>

async function carryOut({ operands, options, place, terminal }: CompactCall): Promise<Answer | RefusalLike> {
  const { base, through, held, summaryFile, keep, undo: _, ...rest } = options
  if (base === undefined || through === undefined || held === undefined || summaryFile === undefined) {
    throw new UsageError('A compaction needs --base, --through, --held and --summary-file; or --undo takes one back.')
  }
  const summary = await readNamed(summaryFile, place, terminal)
  return useSession(place, operands.session, async (handle) =>
    done(
      await handle.compact({ ...present(rest), base, watermark: through, held, keep, summary }),
      ({ covers, bytesBefore, bytesAfter }) =>
        `The summary stands for ${counted(covers, 'message')}: ${byteSize(bytesBefore)} became ${byteSize(bytesAfter)}.`,
      ({ compaction, kept, covers, bytesBefore, bytesAfter }) => ({
        compaction,
        kept,
        covers,
        bytesBefore,
        bytesAfter,
      }),
    ),
  )
}

async function takeBack(call: CompactCall, undo: string | true): Promise<Answer | RefusalLike> {
  const { base, through, held, summaryFile, keep } = call.options
  if ([base, through, held, summaryFile].some((given) => given !== undefined) || keep.length > 0) {
    throw new UsageError('--undo takes a compaction back; leave out what makes one.')
  }
  return useSession(call.place, call.operands.session, async (handle) =>
    done(
      await handle.undoCompaction(undo === true ? undefined : undo, commandOptions(call.options)),
      ({ session, compaction }) => `Took back compaction ${compaction} of ${session}.`,
      ({ compaction }) => ({ compaction }),
    ),
  )
}

export default compact
