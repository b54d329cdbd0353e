import type { MessageRow } from './message-row.ts'
import { bestStretch, stretchAt } from './stretch.ts'
import { beginTalk, joinPair, type Talk } from './talk.ts'

export interface Beginning {
  readonly talk: Talk
  /** Key of the last entry shared. */
  readonly cut: string | null
  /** The rows that only repeat the origin. */
  readonly taken: ReadonlySet<MessageRow>
}

/** Begins with all that the origin showed: what the owner of a stray saw. */
export function beginWithAll(origin: Talk): Beginning {
  return { talk: beginTalk(origin), cut: origin.entries.at(-1)?.key ?? null, taken: new Set() }
}

/**
 * Begins a branch. Its rows open with a copy of what was live in the origin; the last one copied says how far
 * it shares the origin's talk, also that part of which the origin held only a summary.
 */
export function beginBranch(origin: Talk, rows: readonly MessageRow[], startedAt: number | null): Beginning {
  const talking = rows.filter((row) => row.role !== 'session_meta')
  if (talking.length === 0) return beginWithAll(origin)
  const burst = { after: null, ...(startedAt === null ? {} : { upTo: startedAt }) }
  const whole = stretchAt(origin.live, 0, talking, burst)
  const found = whole.pairs.length > 0 ? whole : bestStretch(origin.live, talking, burst)
  if (found === null) return { talk: beginTalk({ entries: [], live: [] }), cut: null, taken: new Set() }

  const places = found.pairs.flatMap((pair) => pair.entries.flatMap((entry) => origin.places.get(entry) ?? []))
  const upTo = Math.floor(Math.max(-1, ...places))
  const talk = beginTalk({ entries: origin.entries.slice(0, upTo + 1), live: origin.live.slice(0, found.to) })
  for (const pair of found.pairs) {
    const entries = pair.entries.flatMap((entry) => talk.live.find((copy) => copy.key === entry.key) ?? [])
    joinPair(talk, { ...pair, entries })
  }
  return { talk, cut: origin.entries[upTo]?.key ?? null, taken: new Set(found.pairs.map((pair) => pair.row)) }
}
