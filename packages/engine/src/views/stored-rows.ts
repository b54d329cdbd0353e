import type { Database } from 'better-sqlite3'
import { mapTables, type RowReaders, type Rows, type TableDefinitions } from '@refold/projections'
import { Interned } from '../stores/sqlite/interned.ts'
import { viewStreams } from './column-codec.ts'
import { OverlayTable, type Changed } from './overlay-table.ts'
import { ScreenedTable } from './screened-table.ts'
import { StoredTable } from './stored-table.ts'
import { WrittenValues } from './written-values.ts'

/** Port 3: rows in SQLite, read as they are stored and changed through a unit of work. */
export interface StoredRows<T> {
  /** As stored, changes that are not written yet left out. */
  readonly readers: RowReaders<T>
  /** The unit of work over them. */
  readonly rows: Rows<T>
  /** Writes back what changed; within a transaction. */
  readonly flush: () => void
  /** Lets go of tables of which the unit of work holds more than so many keys; to be called after `flush`. */
  readonly shrink: (keys: number) => void
  /** Forgets the unit of work: after a rollback, and when another process has folded. */
  readonly drop: () => void
  /** Says that no row is stored: what the unit of work never wrote need not be looked for, until `doubt`. */
  readonly startEmpty: () => void
  /** Others may have written rows. */
  readonly doubt: () => void
  /** Forgets also the streams' keys: after a rollback, which takes back those given in it. */
  readonly forgetStreams: () => void
}

interface TableWork {
  readonly flush: () => void
  readonly shrink: (keys: number) => void
  readonly drop: () => void
}

/** Needs the tables to be there. */
export function storedRows<T extends { readonly [N in keyof T]: object }>(
  database: Database,
  tables: TableDefinitions<T>,
): StoredRows<T> {
  const streams = new Interned(database, viewStreams)
  const works: TableWork[] = []
  let written: WrittenValues | undefined
  const rows: { [name: string]: unknown } = {}
  const readers = mapTables<T, RowReaders<T>>(tables, (definition) => {
    const stored = new StoredTable(database, definition, streams)
    const screened = new ScreenedTable(definition, stored, () => written)
    const overlay = new OverlayTable(definition, screened)
    works.push({
      flush: () => writeBack(stored, screened, overlay.takeChanges()),
      shrink: (keys) => {
        if (overlay.size > keys) overlay.drop()
      },
      drop: () => overlay.drop(),
    })
    rows[definition.name] = overlay
    return stored
  })
  return {
    readers,
    rows: mapTables<T, Rows<T>>(tables, ({ name }) => rows[name]),
    flush: () => works.forEach((work) => work.flush()),
    shrink: (keys) => works.forEach((work) => work.shrink(keys)),
    drop: () => works.forEach((work) => work.drop()),
    startEmpty: () => {
      written = new WrittenValues()
    },
    doubt: () => {
      written = undefined
    },
    forgetStreams: () => streams.forget(),
  }
}

/**
 * What leaves goes first, also rows whose unique values change: so no row is ever written while another still holds a value
 * that it takes over.
 */
function writeBack<R extends object>(
  table: StoredTable<R>,
  screened: ScreenedTable<R>,
  changes: readonly Changed<R>[],
): void {
  const uniques = Object.values(table.definition.unique).flat()
  const moves = ({ before, after }: Changed<R>): boolean =>
    before !== undefined && (after === undefined || uniques.some((column) => before[column] !== after[column]))
  for (const change of changes) if (change.before && moves(change)) table.delete(change.before)
  for (const change of changes) {
    const { before, after } = change
    if (!after) continue
    if (before && !moves(change)) table.update(before, after)
    else {
      table.insert(after)
      screened.inserted(after)
    }
  }
}
