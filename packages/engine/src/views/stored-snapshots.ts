import Database from 'better-sqlite3'
import type { Json } from '@refold/events'
import type { StateSnapshot, StateSnapshots } from '../deciding/state-snapshots.ts'
import { escapeText } from './escaped-text.ts'

interface StoredState {
  readonly revision: number
  readonly hash: string
  readonly version: number
  readonly state: string
}

interface Statements {
  readonly load: Database.Statement<[string], StoredState>
  readonly save: Database.Statement
}

/**
 * Decider states in the views file, as far as that works at once: a snapshot that cannot be read or written costs a fold, so no
 * problem of the file is worth telling.
 */
export function storedSnapshots(opened: () => Database.Database | undefined): StateSnapshots {
  const prepared = new WeakMap<Database.Database, Statements>()
  const statements = (): Statements | undefined => {
    const database = opened()
    if (!database) return undefined
    const known = prepared.get(database) ?? prepare(database)
    prepared.set(database, known)
    return known
  }
  return {
    load: (stream) => atBest(() => decoded(statements()?.load.get(escapeText(stream)))),
    save: (stream, { revision, hash, version, state }) =>
      void atBest(() =>
        statements()?.save.run(escapeText(stream), BigInt(revision), hash, BigInt(version), JSON.stringify(state)),
      ),
  }
}

function prepare(database: Database.Database): Statements {
  return {
    load: database.prepare<[string], StoredState>(
      'SELECT revision, hash, version, state FROM session_states WHERE stream = ?',
    ),
    save: database.prepare(
      'INSERT OR REPLACE INTO session_states (stream, revision, hash, version, state) VALUES (?, ?, ?, ?, ?)',
    ),
  }
}

function decoded(found: StoredState | undefined): StateSnapshot | undefined {
  if (!found) return undefined
  const state: Json = JSON.parse(found.state)
  return { ...found, state }
}

function atBest<A>(work: () => A): A | undefined {
  try {
    return work()
  } catch (problem) {
    if (problem instanceof Database.SqliteError || problem instanceof SyntaxError) return undefined
    throw problem
  }
}
