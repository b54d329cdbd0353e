import { levelsOf, type TableReaders } from '@refold/projections'
import type { MessageCandidate } from '../refusal.ts'

const MOST = 5

/**
 * Messages that somebody may have meant by an id that a session does not have: its own whose ids begin with it or hold it,
 * else the very id in other sessions of the namespace. Looks at every entry: only for an error that is told to a person.
 */
export function suggestMessages(
  rows: TableReaders,
  namespace: string,
  stream: string,
  wanted: string,
): readonly MessageCandidate[] {
  const session = rows.tips.get(stream)?.session ?? ''
  const own: { readonly id: string; readonly rank: number }[] = []
  const needle = wanted.toLowerCase()
  for (const { stream: owner, own: first, bound } of levelsOf(rows, stream))
    for (const { kind, id } of rows.entries.range('key', {
      prefix: [owner],
      after: [first - 1],
      before: [bound],
      limit: Infinity,
    })) {
      const at = kind === 'message' ? id.toLowerCase().indexOf(needle) : -1
      if (at >= 0) own.push({ id, rank: Math.min(at, 1) })
    }
  const inSession = own.toSorted((a, b) => a.rank - b.rank).map(({ id }) => ({ session, message: id }))
  if (wanted !== '' && inSession.length > 0) return inSession.slice(0, MOST)
  const elsewhere: MessageCandidate[] = []
  for (const tip of rows.tips.range('start', { prefix: [namespace], limit: Infinity })) {
    if (elsewhere.length >= MOST) break
    if (!tip.deleted && rows.entries.find('id', tip.stream, 'message', wanted))
      elsewhere.push({ session: tip.session, message: wanted })
  }
  return elsewhere
}
