import { isKnown, type AnyRecorded } from '@refold/events'
import type { Projection, Rule, Rules } from './projection.ts'
import type { Rows, TableDefinitions } from './rows/port.ts'

/** Applies one event to the rows of all projections. */
export type Fold<T> = (event: AnyRecorded, rows: Rows<T>) => void

/**
 * One fold of several projections, whose rules run in the order given. An event of an unknown type or version changes
 * nothing; an erased one only what a projection's `erased` says.
 */
export function foldOf<T>(projections: readonly Projection<T>[]): Fold<T> {
  const erased = projections.flatMap((projection) => projection.erased ?? [])
  const rules = new Map<string, readonly Rule<T>[]>()
  for (const type of new Set(projections.flatMap(({ rules }) => Object.keys(rules)))) {
    rules.set(
      type,
      projections.flatMap((projection) => ruleOf(projection.rules, type) ?? []),
    )
  }
  return (event, rows) => {
    if (isKnown(event)) for (const rule of rules.get(event.type) ?? []) rule(event, rows)
    else if ('erased' in event) for (const rule of erased) rule(event, rows)
  }
}

/** The definitions of all tables. Throws `TypeError` where two projections define the same one. */
export function tablesOf<T>(projections: readonly Projection<T>[]): TableDefinitions<T> {
  const tables = projections.flatMap((projection) => Object.entries(projection.tables))
  const names = tables.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`Two projections define the table ${twice}.`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union of the parts, which no mapped type can follow
  return Object.fromEntries(tables) as unknown as TableDefinitions<T>
}

/**
 * The type says which event its rule takes, which TypeScript cannot follow through a look-up by a name that is only known
 * at run time.
 */
function ruleOf<T>(rules: Rules<T>, type: string): Rule<T> | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- called with events of this type only
  return (rules as Readonly<Record<string, Rule<T> | undefined>>)[type]
}
