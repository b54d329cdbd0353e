import type { Compaction } from './compaction.ts'
import { attach, type Entry, inherit } from './entry.ts'
import type { MessageRow } from './message-row.ts'
import type { Pair } from './stretch.ts'

/** What the reading of a conversation's rows has found so far. */
export interface Talk {
  /** Everything in order of first appearance. What was inherited comes first. */
  readonly items: TalkItem[]
  readonly entries: Entry[]
  /** What the agent had in mind at this point: after a compaction the summary and what was kept. */
  live: Entry[]
  readonly inherited: ReadonlySet<Entry>
  readonly redeliveries: Redelivery[]
  /** Rows that are no talk, such as `session_meta`. */
  readonly asides: MessageRow[]
  readonly byPlatformId: Map<string, Entry>
  readonly byUid: Map<string, Entry>
  readonly byTime: Map<number, Set<Entry>>
  /** The place of each entry in `entries`. */
  readonly places: Map<Entry, number>
  /** Ids of tool calls that were already seen. */
  readonly callIds: Set<string>
}

export type TalkItem =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'segment'; readonly id: string }

export interface Redelivery {
  readonly row: MessageRow
  readonly of: Entry
}

/** A talk that begins with entries of another one: with copies, so that neither changes the other. */
export function beginTalk(origin: { readonly entries: readonly Entry[]; readonly live: readonly Entry[] }): Talk {
  const copies = new Map(origin.entries.map((entry) => [entry, inherit(entry)]))
  const entries = [...copies.values()]
  for (const entry of origin.live) if (entry.kind === 'summary') copies.set(entry, inherit(entry))
  const talk: Talk = {
    items: entries.map((entry) => ({ kind: 'entry', entry })),
    entries,
    live: origin.live.flatMap((entry) => copies.get(entry) ?? []),
    inherited: new Set(entries),
    redeliveries: [],
    asides: [],
    byPlatformId: new Map(),
    byUid: new Map(),
    byTime: new Map(),
    places: new Map(entries.map((entry, at) => [entry, at])),
    callIds: new Set(),
  }
  for (const entry of entries) for (const use of entry.uses) note(talk, entry, use.row)
  return talk
}

export function add(talk: Talk, entry: Entry): void {
  talk.places.set(entry, talk.entries.length)
  talk.entries.push(entry)
  talk.items.push({ kind: 'entry', entry })
  note(talk, entry, entry.first)
}

/** Says of every entry of a pair that this row holds it, too. */
export function joinPair(talk: Talk, pair: Pair): void {
  const several = pair.entries.filter((entry) => entry.kind !== 'summary').length > 1
  for (const entry of pair.entries) {
    const carries = entry.kind === 'message' && pair.row.carrier !== null
    attach(entry, pair.row, several ? 'merged' : carries ? 'carrier' : 'copy')
    if (!several) note(talk, entry, pair.row)
  }
}

/** Remembers how a row's message can be found again. */
export function note(talk: Talk, entry: Entry, row: MessageRow): void {
  if (
    entry.kind === 'message' &&
    row.role === 'user' &&
    row.platformId !== null &&
    !talk.byPlatformId.has(row.platformId)
  ) {
    talk.byPlatformId.set(row.platformId, entry)
  }
  if (entry.kind !== 'summary' && row.uid !== null && !talk.byUid.has(uidKey(row))) talk.byUid.set(uidKey(row), entry)
  for (const id of row.callIds) talk.callIds.add(id)
  if (row.time !== null) {
    const found = talk.byTime.get(row.time)
    if (found === undefined) talk.byTime.set(row.time, new Set([entry]))
    else found.add(entry)
  }
}

/** A uid names a message only together with its role: a merge may move it to another one. */
export function uidKey(row: MessageRow): string {
  return `${row.role} ${row.uid ?? ''}`
}
