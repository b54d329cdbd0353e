import type { TitleAuthor } from '@refold/events'
import type { TableReaders } from '../tables.ts'

export interface TitleThen {
  readonly title: string | null
  readonly titleBy: TitleAuthor | null
}

/** What lists called a session from a revision of it to its next event, or call it now. */
export function titleAt(rows: Pick<TableReaders, 'titleSpans'>, stream: string, at: number = Infinity): TitleThen {
  const before = at === Infinity ? {} : { before: [at + 1] }
  const [span] = rows.titleSpans.range('key', { prefix: [stream], ...before, limit: 1, backwards: true })
  return { title: span?.title ?? null, titleBy: span?.titleBy ?? null }
}
