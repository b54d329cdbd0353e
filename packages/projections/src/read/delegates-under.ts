import type { EdgeRow } from '../rules/lineage-rows.ts'
import type { TableReaders } from '../tables.ts'

/**
 * Streams of sessions and of all delegates under them, each once, parents before children. Ends on any graph. Passes
 * through deleted ones, whose delegates may still be there.
 */
export function delegatesUnder(rows: Pick<TableReaders, 'edges'>, streams: readonly string[]): readonly string[] {
  const found = new Set(streams)
  for (const stream of found)
    for (const child of childrenOf(rows, stream)) if (child.kind === 'delegate') found.add(child.stream)
  return [...found]
}

export function childrenOf(rows: Pick<TableReaders, 'edges'>, stream: string): readonly Readonly<EdgeRow>[] {
  return rows.edges.range('parent', { prefix: [stream], limit: Infinity })
}
