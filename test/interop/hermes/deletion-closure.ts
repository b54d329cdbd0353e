import type { HermesEdge } from '@refold/interop'

/** What a deletion takes along, told from the edges alone: all segments, and the helpers of every one of them. */
export function deletionClosure(
  seeds: readonly string[],
  edges: readonly HermesEdge[],
): { readonly deletes: readonly string[]; readonly orphans: readonly string[] } {
  const taken = new Set(seeds)
  const along = new Set(['continuation', 'delegate'])
  for (const id of taken)
    for (const edge of edges) if (edge.parent === id && along.has(edge.kind)) taken.add(edge.child)
  return {
    deletes: [...taken].sort(),
    orphans: edges
      .filter((edge) => taken.has(edge.parent) && !taken.has(edge.child))
      .map((edge) => edge.child)
      .sort(),
  }
}
