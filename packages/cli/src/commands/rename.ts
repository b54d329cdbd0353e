import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { choice } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

const rename: Command = command({
  description: `Gives a session a title; an empty one takes it away. A title belongs to one session of a namespace.
A person's choice is never replaced by a model's. Put \`--\` before a title that begins with a dash.`,
  operands: { session: sessionOperand, title: operand('TITLE', 'up to 100 characters; empty: none') },
  options: { by: choice('WHO', ['person', 'model'], 'whose choice it is: else a person’s'), ...writing },
  examples: ['refold rename 20260619_131108_c3c5fd -- "Fingerprint scanner"', "refold rename release-notes -- ''"],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) => {
      const title = operands.title === '' ? null : operands.title
      const named = await handle.rename(title, present(options))
      // What has no visible character is as empty as the empty title.
      const isEmpty = !named.ok && named.code === 'title-empty'
      const outcome = isEmpty ? await handle.rename(null, present(options)) : named
      const words = ({ session, title }: { session: string; title: string | null }): string =>
        title === null ? `Session ${session} has no title.` : `Session ${session} is called “${title}”.`
      return done(outcome, words, ({ title }) => ({ title }))
    }),
})

export default rename
