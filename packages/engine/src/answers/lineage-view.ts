/** How a session hangs together with others. */
export interface LineageView {
  readonly session: string
  readonly segments: readonly string[]
  readonly parents: readonly { readonly kind: string; readonly session: string | null }[]
  readonly children: readonly { readonly kind: string; readonly session: string }[]
}
