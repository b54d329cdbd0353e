import type { Edge } from './edge.ts'
import type { SessionRow } from './session-row.ts'

/**
 * Removes one edge of every circle: that of the member which is no helper and started first, since a talk
 * that a person began is nobody's descendant. Answers the edges it removed.
 */
export function cutCircles(edges: Map<string, Edge>, sessions: ReadonlyMap<string, SessionRow>): readonly Edge[] {
  const done = new Set<string>()
  const cut: Edge[] = []
  for (const start of Array.from(edges.keys())) {
    const path: string[] = []
    const onPath = new Set<string>()
    let at: string | undefined = start
    while (at !== undefined && !done.has(at) && !onPath.has(at)) {
      path.push(at)
      onPath.add(at)
      at = edges.get(at)?.parent
    }
    if (at !== undefined && onPath.has(at)) {
      const head = headOf(path.slice(path.indexOf(at)), sessions)
      const edge = edges.get(head)
      if (edge !== undefined) cut.push(edge)
      edges.delete(head)
    }
    for (const id of path) done.add(id)
  }
  return cut
}

function headOf(circle: readonly string[], sessions: ReadonlyMap<string, SessionRow>): string {
  const rank = (id: string): readonly [number, number, string] => {
    const session = sessions.get(id)
    return [session?.source === 'subagent' ? 1 : 0, session?.startedAt ?? 0, id]
  }
  return circle.reduce((best, id) => (compare(rank(id), rank(best)) < 0 ? id : best))
}

function compare(a: readonly [number, number, string], b: readonly [number, number, string]): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0)
}
