import { command, type Command } from '../command.ts'
import { safeLine } from '../output/safe-text.ts'
import { useEngine } from '../place/use-engine.ts'
import { operand } from '../words/operand.ts'

export const routeResolve: Command = command({
  description: 'Says which session an outside address leads to, and at which generation.',
  operands: { route: operand('ROUTE', 'the address') },
  options: {},
  examples: ['refold route resolve telegram:chat:42 --json'],
  run: ({ operands: { route }, place }) =>
    useEngine(place, async (engine) => {
      const { session, generation } = await engine.route(route)
      return {
        json: { route, session, generation },
        people: () =>
          session === null ? `${safeLine(route)} leads nowhere.` : `${safeLine(session)} (generation ${generation})`,
      }
    }),
})
