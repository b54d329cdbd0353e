import type { EventOf, Recorded } from '@refold/events'
import { firstAfter } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import { transcriptOf } from './add-entry.ts'
import { breakSummaries } from './break-summaries.ts'
import { changeTip } from './change-tip.ts'
import { releaseTitle } from './hold-title.ts'
import { recount } from './shown-count.ts'
import type { EntryRow } from './transcript-rows.ts'

/**
 * Takes what the targets said out of all rows, whatever they say now: so a fold before and one after the overwriting end
 * in the same rows. Summaries of a redacted message no longer stand.
 */
export function redact({ stream, revision, data }: Recorded<EventOf<'Redacted'>>, rows: TableRows): void {
  for (const target of data.targets) {
    rows.erasures.insert({ stream, target: target.revision, revision })
    const entry = entryOf(rows, stream, target.revision)
    if (entry) {
      breakSummaries(rows, stream, entry, revision)
      rows.previews.remove(stream, entry.n, target.revision)
      recountHeirs(rows, stream, entry.n)
    }
    forgetTitle(rows, stream, target.revision)
    forgetTitleSpans(rows, stream, (given) => given === target.revision)
    forgetSettings(rows, stream, target.revision)
  }
}

/**
 * A purge leaves ids, edges, times and numbers; titles, previews, paths, tags and other values go, but for what living sessions
 * begin with.
 */
export function purge({ stream, revision, data }: Recorded<EventOf<'PurgeStarted'>>, rows: TableRows): void {
  rows.erasures.insert({ stream, target: -1, revision })
  const kept = new Set(data.kept.map((one) => one.revision))
  for (const { n, revision } of rows.previews.range('key', { prefix: [stream], limit: Infinity }))
    if (!kept.has(revision)) rows.previews.remove(stream, n, revision)
  for (const { name, revision } of rows.settings.range('key', { prefix: [stream], limit: Infinity })) {
    if (kept.has(revision)) continue
    if (name.includes(':')) rows.settings.remove(stream, name, revision)
    else if (name !== 'model') blank(rows, stream, name, revision)
  }
  changeTip(rows, stream, (tip) => {
    tip.title = null
    tip.titleBy = null
    tip.titleRevision = null
    tip.preview = null
    tip.previewEntry = null
    tip.workspace = null
    tip.tags = []
    tip.endReason = null
    tip.turnHolder = null
  })
  forgetTitleSpans(rows, stream, () => true)
  for (const heir of heirsOf(rows, stream)) recount(rows, heir)
}

/** The entry that an event made or changed. */
function entryOf(rows: TableRows, stream: string, revision: number): Readonly<EntryRow> | undefined {
  const first = rows.entries.get(stream, firstAfter(rows, transcriptOf(rows, stream), revision) - 1)
  if (first?.revision === revision) return first
  const [version] = rows.versions.range('revision', { prefix: [stream, revision], limit: 1 })
  return version && rows.entries.get(stream, version.n)
}

/** This session and all that branched from it, as far as their preview is of entry `n`. */
function recountHeirs(rows: TableRows, stream: string, n: number): void {
  for (const one of [stream, ...heirsOf(rows, stream)]) if (rows.tips.get(one)?.previewEntry === n) recount(rows, one)
}

/** All that branched from a session, at any depth. */
function heirsOf(rows: TableRows, stream: string): readonly string[] {
  const found = new Set([stream])
  for (const parent of found)
    for (const child of rows.edges.range('parent', { prefix: [parent], limit: Infinity }))
      if (rows.transcripts.get(child.stream)?.origin === parent) found.add(child.stream)
  found.delete(stream)
  return [...found]
}

function forgetTitle(rows: TableRows, stream: string, revision: number): void {
  if (rows.tips.get(stream)?.titleRevision !== revision) return
  releaseTitle(rows, stream)
  changeTip(rows, stream, (tip) => {
    tip.title = null
    tip.titleBy = null
    tip.titleRevision = null
  })
}

/** A title that was taken away is gone from the past, too; also one that has another one after it. */
function forgetTitleSpans(rows: TableRows, stream: string, wasGivenBy: (event: number | null) => boolean): void {
  for (const { revision, given, title } of rows.titleSpans.range('key', { prefix: [stream], limit: Infinity }))
    if (title !== null && wasGivenBy(given))
      rows.titleSpans.update([stream, revision], (span) => {
        span.title = null
        span.titleBy = null
      })
}

function forgetSettings(rows: TableRows, stream: string, revision: number): void {
  for (const { name } of rows.settings.range('revision', { prefix: [stream, revision], limit: Infinity })) {
    if (name.includes(':')) rows.settings.remove(stream, name, revision)
    else blank(rows, stream, name, revision)
    const newest = rows.settings.last('key', stream, name)
    changeTip(rows, stream, (tip) => {
      if (name === 'workspace' && newest?.revision === revision) tip.workspace = null
      if (name === 'model' && newest?.revision === revision) tip.model = null
      if (name.startsWith('tag:')) tip.tags = tagsWithout(tip.tags, name.slice('tag:'.length))
    })
  }
}

function blank(rows: TableRows, stream: string, name: string, revision: number): void {
  rows.settings.update([stream, name, revision], (row) => {
    row.value = null
  })
}

export function tagsWithout(tags: unknown, tag: string): string[] {
  return Array.isArray(tags) ? tags.filter((one): one is string => typeof one === 'string' && one !== tag) : []
}
