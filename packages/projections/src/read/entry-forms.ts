import type { EventRef } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import type { Level } from './levels.ts'
import type { Walked } from './walk-entries.ts'

/** Which event of which level; a nearer level (the session before its origins) always counts as newer. */
export interface LevelEvent {
  readonly level: number
  readonly revision: number
}

export interface WireEvent extends LevelEvent {
  /** Place in a compaction's list; null for a form set by itself. */
  readonly place: number | null
  readonly cleared: boolean
}

/** The texts of an entry as the session has them. */
export interface EntryForms {
  readonly content: LevelEvent
  /** Still growing then. */
  readonly partial: boolean
  /** Newest form for the model that was set by itself; it counts only if it is not older than the content. */
  readonly wire: WireEvent | undefined
}

type Readers = Pick<TableReaders, 'versions' | 'wireForms'>

export function isNewer(one: LevelEvent, other: LevelEvent): boolean {
  return one.level === other.level ? one.revision > other.revision : one.level < other.level
}

export function refOf(levels: readonly Level[], { level, revision }: LevelEvent): EventRef {
  return { stream: levels[level]?.stream ?? '', revision }
}

/**
 * Finds the forms of entries `[from, to)`. Present ones stand in the entry's own row; only what a branch changed of
 * inherited entries, and what the past must tell apart, is looked up.
 */
export function formsBetween(
  rows: Readers,
  levels: readonly Level[],
  from: number,
  to: number,
): (walked: Walked) => EntryForms {
  const nearer = levels.slice(0, -1).map((level) => changedBy(rows, level, from, to))
  return ({ entry, level }) => {
    const own = ownForms(rows, levels, { entry, level })
    let { content, partial, wire } = own
    for (let index = Math.min(level, nearer.length) - 1; index >= 0; index--) {
      const changes = nearer[index]?.get(entry.n)
      if (changes?.content !== undefined) content = { level: index, revision: changes.content }
      if (changes?.complete === true) partial = false
      if (changes?.wire !== undefined) wire = { level: index, place: null, ...changes.wire }
    }
    return { content, partial, wire }
  }
}

interface Changes {
  content?: number
  complete?: boolean
  wire?: { readonly revision: number; readonly cleared: boolean }
}

/** What a stream itself says of entries that it inherits. */
function changedBy(rows: Readers, level: Level, from: number, to: number): ReadonlyMap<number, Changes> {
  const changes = new Map<number, Changes>()
  const end = Math.min(to, level.own)
  if (from >= end) return changes
  const range = { prefix: [level.stream], after: [from - 1], before: [end], limit: Infinity }
  const of = (n: number): Changes => {
    const known = changes.get(n) ?? {}
    changes.set(n, known)
    return known
  }
  for (const { n, revision, kind } of rows.versions.range('key', range)) {
    if (revision > level.at) continue
    const known = of(n)
    known.content = revision
    if (kind === 'complete') known.complete = true
  }
  for (const { n, revision, place, cleared } of rows.wireForms.range('key', range))
    if (revision <= level.at && place === null) of(n).wire = { revision, cleared }
  return changes
}

function ownForms(rows: Readers, levels: readonly Level[], { entry, level }: Walked): EntryForms {
  const at = levels[level]?.at ?? Infinity
  let content = entry.content
  let partial = entry.partial !== null
  if (content > at) {
    const past = rows.versions.range('key', { prefix: [entry.stream, entry.n], before: [at + 1], limit: Infinity })
    content = past.at(-1)?.revision ?? entry.revision
    partial = past.some(({ kind }) => kind === 'partial') && !past.some(({ kind }) => kind === 'complete')
  }
  return { content: { level, revision: content }, partial, wire: ownWire(rows, { entry, level }, at) }
}

function ownWire(rows: Readers, { entry, level }: Walked, at: number): WireEvent | undefined {
  if (entry.wire === null) return undefined
  const range = { prefix: [entry.stream, entry.n], before: [at === Infinity ? entry.wire + 1 : at + 1] }
  const found = rows.wireForms
    .range('key', { ...range, limit: Infinity, backwards: true })
    .find(({ place }) => place === null)
  return found && { level, revision: found.revision, place: null, cleared: found.cleared }
}
