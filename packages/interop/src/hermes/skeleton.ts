import type { Edges } from './classify-edges.ts'
import type { Edge } from './edge.ts'
import type { SessionRow } from './session-row.ts'

/** A conversation before its rows are read. */
export interface Skeleton {
  readonly rootId: string
  readonly segments: readonly SessionRow[]
  /** The edge of its first segment to another conversation. */
  readonly edge: Edge | null
}

export interface Skeletons {
  readonly all: readonly Skeleton[]
  /** The conversation that a session belongs to. */
  of(session: string): Skeleton | undefined
}

/** Joins the segments of each lineage. */
export function joinSegments(sessions: ReadonlyMap<string, SessionRow>, edges: Edges): Skeletons {
  const next = new Map<string, string>()
  for (const edge of edges.byChild.values()) if (edge.kind === 'continuation') next.set(edge.parent, edge.child)
  const all: Skeleton[] = []
  const bySession = new Map<string, Skeleton>()
  for (const session of sessions.values()) {
    const edge = edges.byChild.get(session.id) ?? null
    if (edge?.kind === 'continuation') continue
    const segments: SessionRow[] = []
    for (let at: SessionRow | undefined = session; at !== undefined; at = sessions.get(next.get(at.id) ?? ''))
      segments.push(at)
    const skeleton = { rootId: session.id, segments, edge }
    all.push(skeleton)
    for (const segment of segments) bySession.set(segment.id, skeleton)
  }
  return { all, of: (session) => bySession.get(session) }
}

/** Conversations that share messages, origins before those that begin with them. */
export function groupByOrigin(skeletons: Skeletons): readonly (readonly Skeleton[])[] {
  const children = new Map<Skeleton, Skeleton[]>()
  const heads: Skeleton[] = []
  for (const skeleton of skeletons.all) {
    const origin = sharesWith(skeleton, skeletons)
    if (origin === undefined) heads.push(skeleton)
    else children.set(origin, [...(children.get(origin) ?? []), skeleton])
  }
  return heads.map((head) => {
    const group = [head]
    for (const member of group) group.push(...(children.get(member) ?? []))
    return group
  })
}

/** The conversation whose messages it begins with: a branch's or a stray's origin. */
export function sharesWith(skeleton: Skeleton, skeletons: Skeletons): Skeleton | undefined {
  const { edge } = skeleton
  return edge === null || (edge.kind !== 'branch' && edge.kind !== 'stray') ? undefined : skeletons.of(edge.parent)
}
