import { claimStreamFor, isKnown } from '@refold/events'
import { systemSource, type Engine } from '@refold/engine'
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
      const { session, generation } = await holderOf(engine, route)
      return {
        json: { route, session, generation },
        people: () =>
          session === null ? `${safeLine(route)} leads nowhere.` : `${safeLine(session)} (generation ${generation})`,
      }
    }),
})

const page = 500

/** Folds the claim on the address: who took it last and did not release it, and how often it was taken. */
async function holderOf(
  engine: Engine,
  route: string,
): Promise<{ readonly session: string | null; readonly generation: number }> {
  const claim = { namespace: engine.namespace, kind: 'route', name: route } as const
  const stream = claimStreamFor(systemSource.sha256, engine.store.secret, claim)
  let session: string | null = null
  let generation = 0
  let from = 0
  let events
  do {
    events = await engine.store.readStream(stream, { from, limit: page })
    for (const event of events) {
      if (!isKnown(event)) continue
      if (event.type === 'Claimed') {
        session = event.data.holder
        generation += 1
      } else if (event.type === 'Released' && event.data.holder === session) session = null
    }
    from += events.length
  } while (events.length === page)
  return { session, generation }
}
