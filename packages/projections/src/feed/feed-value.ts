/** The answer to a query as a feed carries it: rows by key, in their order, and what stands beside them. */
export interface FeedValue<R extends object = object, H extends object = object> {
  /** Fields that belong to no row: a total, a revision, a digest. */
  readonly head: H
  /** In the order in which they are shown. */
  readonly rows: ReadonlyMap<string, R>
}
