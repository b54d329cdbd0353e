import { headOf, type Json } from '@refold/events'
import {
  contextPlan,
  entryJson,
  renderContext,
  renderTranscript,
  transcriptPage,
  type LogContent,
  type PlannedEntry,
  type RenderedContext,
  type TipRow,
  type TranscriptPageQuery,
} from '@refold/projections'
import { streamOf, type SessionLog } from './session-log.ts'
import { sha256 } from './sha256.ts'

export function contentOf(log: SessionLog, blobs: { readonly [hash: string]: string } = {}): LogContent {
  return { event: (ref) => log.eventAt(ref), blob: (hash) => blobs[hash] }
}

export function entriesOf(log: SessionLog, session: string, query: TranscriptPageQuery = {}): readonly PlannedEntry[] {
  const page = transcriptPage(log.rows, streamOf(session), { limit: 1000, ...query })
  if (!page.ok) throw new Error(page.code)
  return page.entries
}

/** A transcript in short: ids of messages, `kind:id` of all else. */
export function shown(log: SessionLog, session: string, at?: number): readonly string[] {
  const query = at === undefined ? {} : { at }
  return entriesOf(log, session, query).map(({ kind, id }) => (kind === 'message' ? id : `${kind}:${id}`))
}

export function shownMessages(log: SessionLog, session: string, at?: number): readonly string[] {
  const query = at === undefined ? {} : { at }
  return entriesOf(log, session, query).flatMap(({ kind, id }) => (kind === 'message' ? [id] : []))
}

export function transcriptJson(log: SessionLog, session: string): readonly { readonly [field: string]: Json }[] {
  return renderTranscript(entriesOf(log, session), contentOf(log)).map(entryJson)
}

export function rendered(log: SessionLog, session: string, at?: number): RenderedContext {
  return renderContext(contextPlan(log.rows, streamOf(session), at), contentOf(log), sha256)
}

/** A context in short: what each message says, results and calls by their ids. */
export function sent(log: SessionLog, session: string, at?: number): readonly string[] {
  return rendered(log, session, at).messages.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'tool-call') return `call ${part.id}`
      if (part.type === 'tool-result') return `result ${part.toolCallId} ${headOf(part.text)}`
      return part.type === 'text' ? headOf(part.text) : part.type
    })
    return `${role}: ${words.join(', ')}`
  })
}

export function tipOf(log: SessionLog, session: string): Readonly<TipRow> {
  const tip = log.rows.tips.get(streamOf(session))
  if (!tip) throw new Error(`no session ${session}`)
  return tip
}
