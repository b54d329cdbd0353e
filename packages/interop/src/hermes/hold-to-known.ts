import type { EdgeQuestion } from './classify-edges.ts'
import type { Edge } from './edge.ts'
import type { KnownPlace } from './known-place.ts'

/** The first reading of an edge stands: what the rows say of it now is told and left aside. */
export function holdToKnown(edges: Map<string, Edge>, { sessions, known = new Map(), warn }: EdgeQuestion): void {
  for (const [child, place] of known) {
    if (!sessions.has(child)) continue
    const found = edges.get(child)
    const stands = edgeOf(child, place, found, (id) => sessions.has(id))
    if (stands === found) continue
    // Of several continuations one becomes a stray only later: no contradiction yet.
    if (stands?.kind !== 'stray' || found?.kind !== 'continuation')
      warn('source-reinterpreted', `sessions/${child}`, stands === undefined ? 'root' : stands.kind)
    if (stands === undefined) edges.delete(child)
    else edges.set(child, stands)
  }
}

function edgeOf(
  child: string,
  place: KnownPlace,
  found: Edge | undefined,
  isThere: (session: string) => boolean,
): Edge | undefined {
  if (place.kind === 'segment') {
    if (!isThere(place.after)) return found?.kind === 'continuation' ? undefined : found
    const fits = found?.kind === 'continuation' && found.parent === place.after
    return fits ? found : { child, parent: place.after, kind: 'continuation', by: 'mark' }
  }
  if (place.edge === 'root') return undefined
  if (found?.kind === place.edge) return found
  const parent = found?.parent ?? place.parent
  return parent === null || !isThere(parent) ? undefined : { child, parent, kind: place.edge, by: 'mark' }
}
