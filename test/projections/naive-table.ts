import type { Range, Scalar, Table, TableDefinition } from '@refold/projections'

const rank = (value: unknown): number => (value === null ? 0 : typeof value === 'string' ? 3 : 1)

/** By code point, the slow and plain way. */
function compareText(a: string, b: string): number {
  const [x, y] = [Array.from(a, (c) => c.codePointAt(0) ?? 0), Array.from(b, (c) => c.codePointAt(0) ?? 0)]
  const at = x.findIndex((point, index) => point !== y[index])
  return at < 0 ? x.length - y.length : (x[at] ?? -1) - (y[at] ?? -1)
}

function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)
}

function compareAll(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [at, value] of b.entries()) {
    const order = compare(a[at], value)
    if (order !== 0) return order
  }
  return 0
}

/** What a table is, as a list of rows that is searched from end to end: the model that every port is held against. */
export function naiveTable<R extends object>(definition: TableDefinition<R>): Table<R> {
  let rows: R[] = []
  const pick = (row: R, columns: readonly string[]): unknown[] => {
    const values = new Map<string, unknown>(Object.entries(row))
    return columns.map((column) => values.get(column))
  }
  const orderOf = (name: string): readonly string[] =>
    name === 'key' ? definition.key : [...(definition.ordered[name] ?? []), ...definition.key]
  const equal = (row: R, columns: readonly string[], values: readonly unknown[]): boolean =>
    pick(row, columns).every((value, at) => value === values[at])
  const withKey = (key: readonly unknown[]): R | undefined => rows.find((row) => equal(row, definition.key, key))
  const isFree = (row: R, replaced?: R): boolean =>
    Object.values(definition.unique).every((columns) => {
      const values = pick(row, columns)
      return values.includes(null) || !rows.some((other) => other !== replaced && equal(other, columns, values))
    })

  const table: Table<R> = {
    get: (...key) => withKey(key),
    find: (unique, ...values) => {
      if (values.includes(null)) return undefined
      return rows.find((row) => equal(row, definition.unique[unique] ?? [], values))
    },
    last: (order, ...prefix) => table.range(order, { prefix, limit: 1, backwards: true })[0],
    range: (order, { prefix, after, before, limit, backwards }: Range) => {
      const columns = orderOf(order)
      const bound = (values: readonly Scalar[] | undefined) => [...prefix, ...(values ?? [])]
      const found = rows
        .filter((row) => compareAll(pick(row, columns), prefix) === 0)
        .filter((row) => !after || compareAll(pick(row, columns), bound(after)) > 0)
        .filter((row) => !before || compareAll(pick(row, columns), bound(before)) < 0)
        .sort((a, b) => compareAll(pick(a, columns), pick(b, columns)))
      return (backwards ? found.reverse() : found).slice(0, limit)
    },
    insert: (row) => {
      if (withKey(pick(row, definition.key)) || !isFree(row)) return false
      rows.push({ ...row })
      return true
    },
    update: (key, recipe) => {
      const row = withKey(key)
      if (!row) return false
      const changed = { ...row }
      recipe(changed)
      if (!equal(changed, definition.key, pick(row, definition.key)) || !isFree(changed, row)) return false
      rows = rows.map((other) => (other === row ? changed : other))
      return true
    },
    upsert: (row, recipe) => {
      const key = pick(row, definition.key).map(scalar)
      return (withKey(key) !== undefined || table.insert(row)) && table.update(key, recipe)
    },
    put: (row) => {
      const old = withKey(pick(row, definition.key))
      if (!old) return table.insert(row)
      if (!isFree(row, old)) return false
      rows = rows.map((other) => (other === old ? { ...row } : other))
      return true
    },
    remove: (...key) => {
      rows = rows.filter((row) => !equal(row, definition.key, key))
    },
  }
  return table
}

function scalar(value: unknown): Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
