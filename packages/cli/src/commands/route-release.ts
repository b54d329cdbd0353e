import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

export const routeRelease: Command = command({
  description: 'Takes an address away from a session. Its generation stays, and rises when it is bound again.',
  operands: { session: sessionOperand, route: operand('ROUTE', 'the address') },
  options: writing,
  examples: ['refold route release fingerprint-scanner telegram:chat:42'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) =>
      done(
        await handle.releaseRoute(operands.route, commandOptions(options)),
        ({ session, route }) => `${route} no longer leads to ${session}.`,
        ({ route, generation }) => ({ route, generation }),
      ),
    ),
})
