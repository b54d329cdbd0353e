import { headOf, type Part } from '@refold/events'
import { isForModel, isUnfinished, type Entry } from './entry.ts'
import type { Session, Summary } from './session.ts'
import { isHidden } from './transcript.ts'

export interface Sent {
  /** Null for the summary. */
  readonly entry: Entry | null
  readonly id: string
  readonly role: string
  readonly parts: readonly Part[]
}

export interface Context {
  readonly summary: Summary | null
  readonly sent: readonly Sent[]
}

/** The newest summary over nothing that was hidden since. */
export function standingSummary(session: Session): Summary | null {
  return (
    session.summaries.findLast(
      ({ standing, covers }) => standing && ![...covers].some((entry) => isHidden(session, entry)),
    ) ?? null
  )
}

/** What the model is sent next, before any repair. */
export function context(session: Session): Context {
  const summary = standingSummary(session)
  const live = session.entries.filter((entry) => {
    if (!isForModel(entry) || isHidden(session, entry)) return false
    return !summary?.over.includes(entry) || summary.kept.has(entry) || summary.unseen.has(entry)
  })
  const last = live.at(-1)
  if (last && isUnfinished(last)) live.pop()
  const sent = live
    .map((entry): Sent => {
      const parts = formOf(entry, summary)
      const role = entry.kind === 'note' ? 'system' : entry.role
      return { entry, id: entry.id, role, parts }
    })
    .filter(({ parts }) => saysSomething(parts))
  if (!summary || isCarried(summary, live)) return { summary, sent }
  const parts = [{ type: 'text', text: summary.text }] as const
  return { summary, sent: [{ entry: null, id: summary.id, role: summary.role, parts }, ...sent] }
}

/** No provider takes a message without words, calls or anything attached; such a one is in the log and not sent. */
const saysSomething = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.type !== 'reasoning' && !(part.type === 'text' && headOf(part.text).trim() === ''))

/** The newest of: its text, the form set for it, the form that the standing summary gives it. */
function formOf(entry: Entry, summary: Summary | null): readonly Part[] {
  const under = summary?.forms.get(entry)
  const set = entry.wire?.set ?? -1
  if (summary && under && summary.made > entry.told && summary.made > set) return under
  return (set > entry.told ? entry.wire?.parts : null) ?? entry.parts
}

function isCarried(summary: Summary, live: readonly Entry[]): boolean {
  const { carrier, forms } = summary
  return carrier !== null && live.includes(carrier) && formOf(carrier, summary) === forms.get(carrier)
}
