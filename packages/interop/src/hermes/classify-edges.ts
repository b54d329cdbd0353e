import { cutCircles } from './cut-circles.ts'
import type { Edge } from './edge.ts'
import { endClass } from './end-reason.ts'
import { preferred, type TipFacts } from './preferred-continuation.ts'
import { holdToKnown } from './hold-to-known.ts'
import type { KnownPlaces } from './known-place.ts'
import type { SessionRow } from './session-row.ts'
import type { Warn } from './warning.ts'

/** What the rows of two sessions can tell, asked only where no column says what an edge is. */
export interface RowEvidence extends TipFacts {
  /** Does the child open with a new summary of the parent and copies of its tool calls? */
  continuesByRows(child: string, parent: string): boolean
}

export interface EdgeQuestion {
  readonly sessions: ReadonlyMap<string, SessionRow>
  /** Stores below schema 16 did not mark delegates. */
  readonly delegatesAreMarked: boolean
  readonly rows: RowEvidence
  readonly warn: Warn
  readonly known?: KnownPlaces
}

export interface Edges {
  readonly byChild: ReadonlyMap<string, Edge>
  /** Delegates whose parent is not in the file: the id their mark names. */
  readonly orphanedDelegates: ReadonlyMap<string, string>
  /** Parents that a column names and the file does not hold. */
  readonly danglingParents: ReadonlyMap<string, string>
}

/** Says of every session what its parent column and its marks mean. Each has at most one edge; none close a circle. */
export function classifyEdges(question: EdgeQuestion): Edges {
  const { sessions, warn } = question
  const edges = new Map<string, Edge>()
  const orphanedDelegates = new Map<string, string>()
  const danglingParents = new Map<string, string>()
  for (const session of sessions.values()) {
    const parent = parentOf(session, sessions)
    if (parent !== null) {
      edges.set(session.id, edgeTo(parent, session, question))
      continue
    }
    const mark = session.marks.delegateFrom
    if (mark !== null && mark !== session.id) {
      orphanedDelegates.set(session.id, mark)
      warn('dangling-mark', `sessions/${session.id}.model_config`, mark)
    } else if (session.parentId !== null && session.parentId !== session.id) {
      danglingParents.set(session.id, session.parentId)
      warn('dangling-parent', `sessions/${session.id}.parent_session_id`, session.parentId)
    }
  }
  for (const cut of cutCircles(edges, sessions)) warn('circle-cut', `sessions/${cut.child}`, cut.parent)
  holdToKnown(edges, question)
  setStraysApart(edges, question)
  return { byChild: edges, orphanedDelegates, danglingParents }
}

/** The parent column, or for a helper without one the session its mark names. */
function parentOf(session: SessionRow, sessions: ReadonlyMap<string, SessionRow>): SessionRow | null {
  if (session.parentId === session.id) return null
  const byColumn = session.parentId === null ? undefined : sessions.get(session.parentId)
  if (byColumn !== undefined) return byColumn
  const mark = session.marks.delegateFrom
  return mark === null || mark === session.id ? null : (sessions.get(mark) ?? null)
}

function edgeTo(parent: SessionRow, child: SessionRow, question: EdgeQuestion): Edge {
  const ends = { child: child.id, parent: parent.id } as const
  const { marks } = child
  if (marks.branchedFrom === parent.id) return { ...ends, kind: 'branch', by: 'mark' }
  if (marks.delegateFrom === parent.id) return { ...ends, kind: 'delegate', by: 'mark' }
  if (marks.resetFrom === parent.id) return { ...ends, kind: 'reset', by: 'mark' }
  if (parent.endReason === 'compression' && child.source !== 'tool') {
    return { ...ends, kind: 'continuation', by: 'end reason' }
  }
  if (child.source === 'subagent') return { ...ends, kind: 'delegate', by: 'source' }
  if (parent.endReason === 'branched' && (child.startedAt ?? 0) >= (parent.endedAt ?? 0)) {
    return { ...ends, kind: 'branch', by: 'end reason' }
  }
  if (parent.endReason !== null && endClass(parent.endReason) === 'reset' && sameKey(parent, child)) {
    return { ...ends, kind: 'reset', by: 'session key' }
  }
  const ancestor = ancestorNamed(child, parent, question.sessions)
  if (ancestor !== null) return { ...ends, kind: ancestor, by: 'mark' }
  if (child.source !== 'tool' && question.rows.continuesByRows(child.id, parent.id)) {
    return { ...ends, kind: 'continuation', by: 'rows' }
  }
  if (!question.delegatesAreMarked) return { ...ends, kind: 'delegate', by: 'old schema' }
  const stranger = marks.branchedFrom ?? marks.delegateFrom ?? marks.resetFrom
  if (stranger !== null) question.warn('mark-names-another-session', `sessions/${child.id}.model_config`, stranger)
  return { ...ends, kind: 'untyped', by: 'nothing' }
}

/** A mark also fits when it names an earlier segment of the parent's own conversation. */
function ancestorNamed(
  child: SessionRow,
  parent: SessionRow,
  sessions: ReadonlyMap<string, SessionRow>,
): 'branch' | 'delegate' | 'reset' | null {
  const seen = new Set([child.id, parent.id])
  let at = sessions.get(parent.parentId ?? '')
  while (at !== undefined && at.endReason === 'compression' && !seen.has(at.id)) {
    if (child.marks.branchedFrom === at.id && parent.marks.branchedFrom !== at.id) return 'branch'
    if (child.marks.delegateFrom === at.id && parent.marks.delegateFrom !== at.id) return 'delegate'
    if (child.marks.resetFrom === at.id && parent.marks.resetFrom !== at.id) return 'reset'
    seen.add(at.id)
    at = sessions.get(at.parentId ?? '')
  }
  return null
}

function sameKey(a: SessionRow, b: SessionRow): boolean {
  return a.sessionKey !== null && a.sessionKey === b.sessionKey
}

/** Of several continuations of one session one is the real one; the others stay reachable as strays. */
function setStraysApart(edges: Map<string, Edge>, question: EdgeQuestion): void {
  const byParent = new Map<string, Edge[]>()
  for (const edge of edges.values()) {
    if (edge.kind === 'continuation') byParent.set(edge.parent, [...(byParent.get(edge.parent) ?? []), edge])
  }
  for (const rivals of byParent.values()) {
    if (rivals.length < 2) continue
    const candidates = rivals.flatMap(({ child }) => question.sessions.get(child) ?? [])
    const before = rivals.find(({ child }) => question.known?.get(child)?.kind === 'segment')
    const chosen = preferred(candidates, (id) => byParent.has(id), question.rows)
    if (before !== undefined && chosen !== undefined && chosen !== before.child)
      question.warn('source-reinterpreted', `sessions/${chosen}`, 'stray')
    const winner = before?.child ?? chosen
    for (const edge of rivals) if (edge.child !== winner) edges.set(edge.child, { ...edge, kind: 'stray' })
  }
}
