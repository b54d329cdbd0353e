/**
 * A point in a session's past: a revision (-1: before everything), or a time in epoch milliseconds. A time means the
 * longest beginning of the session that was recorded no later; with `by: 'messages'` the messages' own times count instead,
 * which is what imported sessions need. Before the start that is the empty session.
 */
export type Point = number | PointInTime

export interface PointInTime {
  readonly time: number
  /** Absent: recorded. */
  readonly by?: 'recorded' | 'messages'
}
