/** Orders of the session list; activity and start newest first, titles from A on. */
export type ListSort = 'activity' | 'start' | 'title'

/** A place in a sorted list: behind the row with this value and position. */
export interface ListPlace {
  readonly value: string | number
  readonly position: number
}

/** Opaque to callers; a cursor of one order is none of another. */
export function writeCursor(sort: ListSort, { value, position }: ListPlace): string {
  return `${sort}.${position}.${encodeURIComponent(value)}`
}

/** Undefined for what is no cursor of this order. */
export function readCursor(sort: ListSort, cursor: string): ListPlace | undefined {
  const match = /^([a-z]+)\.([0-9]+)\.(.*)$/.exec(cursor)
  if (match?.[1] !== sort || match[3] === undefined) return undefined
  const value = decoded(match[3])
  const number = Number(value)
  if (value === undefined || (sort !== 'title' && (value === '' || !Number.isFinite(number)))) return undefined
  return { value: sort === 'title' ? value : number, position: Number(match[2]) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // a broken escape: no cursor that we gave out
  }
}
