import { buildMessage, buildNotice, type Tip } from './build-message.ts'
import { type Clock, saneTime } from './clock.ts'
import type { Compaction } from './compaction.ts'
import type { HermesCompaction, HermesItem } from './conversation.ts'
import { type Entry, isUndone } from './entry.ts'
import { never } from './never.ts'
import type { Talk, TalkItem } from './talk.ts'

/** The items of a talk in order: what was inherited, and what is the conversation's own. */
export function buildItems(
  talk: Talk,
  tip: Tip,
  clock: Clock,
  firstSegment: string,
): { readonly inherited: readonly HermesItem[]; readonly own: readonly HermesItem[] } {
  const inherited: HermesItem[] = []
  const own: HermesItem[] = []
  let segment = firstSegment
  let undone: string[] = []
  const closeRewind = (): void => {
    const [key] = undone
    if (key !== undefined) own.push({ kind: 'rewind', key, undone })
    undone = []
  }
  for (const item of talk.items) {
    const isInherited = item.kind === 'entry' && talk.inherited.has(item.entry)
    if (!isInherited && !extendsRewind(item)) closeRewind()
    const built = build(item, segment, tip, clock)
    ;(isInherited ? inherited : own).push(built)
    if (!isInherited && item.kind === 'entry' && isUndone(item.entry)) undone.push(item.entry.key)
    if (item.kind === 'segment') segment = item.id
  }
  closeRewind()
  return { inherited, own }
}

function extendsRewind(item: TalkItem): boolean {
  return item.kind === 'entry' && isUndone(item.entry)
}

function build(item: TalkItem, segment: string, tip: Tip, clock: Clock): HermesItem {
  switch (item.kind) {
    case 'entry':
      return item.entry.kind === 'notice' ? buildNotice(item.entry, clock) : buildMessage(item.entry, tip, clock)
    case 'compaction':
      return buildCompaction(item.compaction, clock)
    case 'segment':
      return { kind: 'rotation', from: segment, to: item.id }
    default:
      return never(item)
  }
}

function buildCompaction(compaction: Compaction, clock: Clock): HermesCompaction {
  const { summary, row } = compaction
  return {
    kind: 'compaction',
    key: summary.key,
    segmentId: row.sessionId,
    how: compaction.how,
    summary: summary.text,
    role: row.role,
    rawTime: row.time,
    time: saneTime(row.time, clock),
    kept: keys(compaction.kept),
    covered: keys(compaction.covered),
    unread: keys(compaction.unread),
    carriedBy: compaction.carriedBy?.key ?? null,
  }
}

function keys(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => entry.key)
}
