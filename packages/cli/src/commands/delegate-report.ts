import { command, type Command } from '../command.ts'
import { readNamed } from '../input/read-named.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { flag, requiredChoice, text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'
import { writing } from '../words/writing.ts'

export const delegateReport: Command = command({
  description: `Brings a delegate's result, once, to the model of the session that it works for. After a reset or an end of that
session the result is only to be read.`,
  operands: { session: sessionOperand, delegate: operand('DELEGATE', 'the session that reports') },
  options: {
    outcome: requiredChoice('OUTCOME', ['done', 'failed', 'cancelled'], 'how it went'),
    message: text('TEXT', 'the result'),
    file: text('F', 'file with the result; `-` is standard input'),
    run: text('RUN', 'tells several reports of one delegate apart'),
    stays: flag('leaves the delegate open for further runs'),
    ...writing,
  },
  examples: ['refold delegate report release-notes job-17 --outcome done --message "No breaking changes"'],
  run: async ({ operands, options, place, terminal }) => {
    const { file, message: given, ...rest } = options
    if (file !== undefined && given !== undefined) throw new UsageError('Give --message or --file, not both.')
    const message = file === undefined ? given : await readNamed(file, place, terminal)
    return useSession(place, operands.session, async (handle, engine) => {
      const delegate = await engine.session(operands.delegate)
      if (!delegate.ok) return delegate
      return done(
        await handle.report(present({ ...rest, delegate: delegate.session, message })),
        ({ injectedAs }) => (injectedAs === null ? 'Reported, to be read only.' : `Reported as message ${injectedAs}.`),
        ({ injectedAs }) => ({ injectedAs }),
      )
    })
  },
})
