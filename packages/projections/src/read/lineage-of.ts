import type { OriginKind } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { segmentsOf } from './list-sessions.ts'

export type LineageReaders = Pick<TableReaders, 'tips' | 'segments' | 'edges'>

type EdgeKind = Exclude<OriginKind, 'root'>

/** How a session hangs together with those around it. Edges stay facts when a parent is deleted; deleted children do not show. */
export interface Lineage {
  readonly session: string
  /** Oldest first. */
  readonly segments: readonly string[]
  /** `session` is null where an import did not find it. */
  readonly parents: readonly { readonly kind: EdgeKind; readonly session: string | null; readonly deleted: boolean }[]
  /** In the order of their start. */
  readonly children: readonly { readonly kind: EdgeKind; readonly session: string }[]
}

export function lineageOf(rows: LineageReaders, stream: string): Lineage | undefined {
  const tip = rows.tips.get(stream)
  if (!tip) return undefined
  const edge = rows.edges.get(stream)
  const children = rows.edges.range('parent', { prefix: [stream], limit: Infinity })
  return {
    session: tip.session,
    segments: segmentsOf(rows, tip),
    parents: edge ? [{ kind: edge.kind, session: edge.parent, deleted: tip.parentDeleted }] : [],
    children: children
      .filter((child) => rows.tips.get(child.stream)?.deleted === false)
      .map(({ kind, session }) => ({ kind, session })),
  }
}
