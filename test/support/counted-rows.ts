import type { TableRows } from '@refold/projections'

export interface Counts {
  /** Rows given out by any look-up. */
  read: number
  /** Inserts, updates and removals. */
  written: number
}

/** The same rows, counting what goes in and out: costs without a clock. */
export function countedRows(rows: TableRows): { readonly rows: TableRows; readonly counts: Counts } {
  const counts: Counts = { read: 0, written: 0 }
  const counted = Object.fromEntries(
    Object.entries(rows).map(([name, table]) => [
      name,
      new Proxy(table, {
        get(target, method) {
          const found: unknown = Reflect.get(target, method)
          if (typeof found !== 'function') return found
          return (...given: readonly unknown[]): unknown => {
            const answer: unknown = Reflect.apply(found, target, given)
            if (['insert', 'update', 'upsert', 'put', 'remove'].includes(String(method))) counts.written++
            else counts.read += Array.isArray(answer) ? answer.length : 1
            return answer
          }
        },
      }),
    ]),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same tables under the same names
  return { rows: counted as unknown as TableRows, counts }
}
