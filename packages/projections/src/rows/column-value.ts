import type { Scalar } from './port.ts'

/** A row's value in a column of a key, unique set or order, where `defineTable` lets no JSON in. */
export function valueOf<R>(row: Readonly<R>, column: keyof R & string): Scalar {
  const value: unknown = row[column]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

export function valuesOf<R>(row: Readonly<R>, columns: readonly (keyof R & string)[]): Scalar[] {
  return columns.map((column) => valueOf(row, column))
}

export function sameValues<R>(a: Readonly<R>, b: Readonly<R>, columns: readonly (keyof R & string)[]): boolean {
  return columns.every((column) => a[column] === b[column])
}
