import type { TableDefinition, TableDefinitions } from './port.ts'

/**
 * Makes one thing of each table's definition, under the table's name. The result's type is the caller's word: TypeScript
 * cannot see that `make` gives, for the table `N`, what `M` says under `N`.
 */
export function mapTables<
  T extends { readonly [N in keyof T]: object },
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's word, see above
  M extends { readonly [N in keyof T]: unknown },
>(tables: TableDefinitions<T>, make: <R extends object>(definition: TableDefinition<R>) => unknown): M {
  const made: [string, unknown][] = []
  for (const name in tables) made.push([name, make(tables[name])])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a mapped type, entry by entry
  return Object.fromEntries(made) as M
}
