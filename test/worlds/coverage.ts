import { projections } from '@refold/projections'
import { isKnown, type EventStore } from '@refold/events'

const outcomes = new Map<string, number>()
const folded = new Map<string, number>()

const count = (counts: Map<string, number>, pair: string, more = 1): void => {
  counts.set(pair, (counts.get(pair) ?? 0) + more)
}

/** Counts that a command met an outcome. */
export function met(command: string, outcome: string): void {
  count(outcomes, `${command}: ${outcome}`)
}

const projectionsOf: ReadonlyMap<string, readonly string[]> = (() => {
  const names = new Map<string, string[]>()
  for (const { name, rules } of projections)
    for (const type of Object.keys(rules)) names.set(type, [...(names.get(type) ?? []), name])
  return names
})()

/** Counts which projections met which events in a world's log. */
export async function metEvents(store: EventStore): Promise<void> {
  const types = new Map<string, number>()
  for (let after: number | undefined; ;) {
    const page = await store.readAll({ limit: 1_000, ...(after === undefined ? {} : { after }) })
    for (const event of page) if (isKnown(event)) count(types, event.type)
    after = page.at(-1)?.position
    if (page.length < 1_000) break
  }
  for (const [type, events] of types)
    for (const name of projectionsOf.get(type) ?? []) count(folded, `${type} in ${name}`, events)
}

/** Every event type with every projection that has a rule for it. */
export const applicableFolds: readonly string[] = [...projectionsOf].flatMap(([type, names]) =>
  names.map((name) => `${type} in ${name}`),
)

export const commandsMet = (): number => [...outcomes.values()].reduce((sum, one) => sum + one, 0)
export const timesMet = (pair: string): number => outcomes.get(pair) ?? folded.get(pair) ?? 0

/** A line a pair, those that ought to be met and never were among them. */
export function coverageLines(applicable: readonly string[]): string {
  const pairs = [...new Set([...applicable, ...outcomes.keys(), ...folded.keys()])].toSorted()
  return pairs.map((pair) => `${String(timesMet(pair)).padStart(9)}  ${pair}`).join('\n')
}
