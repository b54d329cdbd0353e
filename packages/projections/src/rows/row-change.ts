import type { Patch } from 'immer'
import type { Scalar } from './port.ts'

/**
 * What happened to one row: by key, never by place in a page. `row` is the whole row; `patches` are immer's, with paths within
 * the row. Applied in their order they turn the rows before into the rows after.
 */
export type RowChange =
  | { readonly kind: 'insert'; readonly table: string; readonly key: readonly Scalar[]; readonly row: object }
  | {
      readonly kind: 'update'
      readonly table: string
      readonly key: readonly Scalar[]
      readonly patches: readonly Patch[]
    }
  | { readonly kind: 'remove'; readonly table: string; readonly key: readonly Scalar[] }
