import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { count } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const routeBind: Command = command({
  description: 'Makes an outside address lead to a session. Refused when it leads to another, unless that is said.',
  operands: { session: sessionOperand, route: operand('ROUTE', 'the address, such as telegram:chat:42') },
  options: {
    takeOver: count('GENERATION', 'takes it from the session that holds it at this generation'),
    ...writing,
  },
  examples: ['refold route bind fingerprint-scanner telegram:chat:42'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.bindRoute(present({ ...options, route: operands.route })),
        ({ session, route, generation }) => `${route} leads to ${session} (generation ${generation}).`,
        ({ route, generation }) => ({ route, generation }),
      ),
    ),
})
