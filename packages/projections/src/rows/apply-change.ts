import { applyPatches, enablePatches, type Patch } from 'immer'
import type { Rows, Table } from './port.ts'
import type { RowChange } from './row-change.ts'

enablePatches()

/**
 * Applies a recorded change to rows that stand where those stood before it. False when it finds nothing to apply to, or no
 * room: then the rows stand elsewhere, and a snapshot is due.
 */
export function applyChange<T extends { readonly [N in keyof T]: object }>(rows: Rows<T>, change: RowChange): boolean {
  for (const name in rows) if (name === change.table) return applyToTable(rows[name], change)
  return false
}

function applyToTable<R extends object>(table: Table<R>, change: RowChange): boolean {
  switch (change.kind) {
    case 'insert':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- recorded by a table of the same definition
      return table.insert(change.row as R)
    case 'update': {
      const row = table.get(...change.key)
      return row !== undefined && table.put(change.patches.reduce(applyPatch, row))
    }
    case 'remove':
      table.remove(...change.key)
      return true
    default: {
      const never: never = change
      return never
    }
  }
}

/** A field's new value goes in as it is: immer's copy of it would lose a key named `__proto__`. */
export function applyPatch<R extends object>(row: Readonly<R>, patch: Patch): R {
  const [column] = patch.path
  return patch.path.length === 1 && column !== undefined && patch.op !== 'remove'
    ? { ...row, [column]: patch.value }
    : applyPatches(row, [patch])
}
