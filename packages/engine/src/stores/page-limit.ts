/** A page's size as a store can take it: a whole number, none for anything below 1. */
export function pageLimit(limit: number): number {
  return limit >= 1 ? Math.min(Math.floor(limit), 2 ** 31 - 1) : 0
}
