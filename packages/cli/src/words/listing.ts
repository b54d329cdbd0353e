import { choice, count, flag, text, type Option } from './option.ts'

/** Which sessions to list, and in which order. */
export const listing: {
  readonly search: Option<string | undefined>
  readonly archived: Option<boolean>
  readonly all: Option<boolean>
  readonly sort: Option<'activity' | 'start' | 'title' | undefined>
  readonly limit: Option<number | undefined>
  readonly cursor: Option<string | undefined>
} = {
  search: text('Q', 'only sessions with this in title, preview or ids'),
  archived: flag('archived ones, too'),
  all: flag('all there are: archived, hidden, delegates, untyped ones and strays'),
  sort: choice('ORDER', ['activity', 'start', 'title'], 'what to order by'),
  limit: count('N', 'at most this many: else 50', 1),
  cursor: text('C', 'goes on where another list ended'),
}

export interface Listing {
  readonly search: string | undefined
  readonly archived: boolean
  readonly all: boolean
  readonly sort: 'activity' | 'start' | 'title' | undefined
  readonly limit: number | undefined
}

/** The same query in words, for a cursor belongs to one. */
export function listingWords({ search, archived, all, sort, limit }: Listing): readonly string[] {
  return [
    ...(search === undefined ? [] : ['--search', search]),
    ...(archived ? ['--archived'] : []),
    ...(all ? ['--all'] : []),
    ...(sort === undefined ? [] : ['--sort', sort]),
    ...(limit === undefined ? [] : ['--limit', String(limit)]),
  ]
}
