import type { OriginKind } from '@refold/events'

export type LineageEdge = Exclude<OriginKind, 'root'>

/** How a session hangs together with others. */
export interface LineageView {
  readonly session: string
  /** Oldest first; the last one is the tip. */
  readonly segments: readonly string[]
  /** `session` is null where an import did not find it. */
  readonly parents: readonly { readonly kind: LineageEdge; readonly session: string | null }[]
  /** In the order of their start. */
  readonly children: readonly { readonly kind: LineageEdge; readonly session: string }[]
}
