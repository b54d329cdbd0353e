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

/**
 * Decider states in the views file, as far as that works at once: a snapshot that cannot be read or written costs a fold, so no
 * problem of the file is worth telling.
 */
export function storedSnapshots(opened: () => Database.Database | undefined): StateSnapshots {
  return {
    load: (stream) => atBest(() => load(opened(), stream)),
    save: (stream, snapshot) => atBest(() => save(opened(), stream, snapshot)),
  }
}

function load(database: Database.Database | undefined, stream: string): StateSnapshot | undefined {
  const found = database
    ?.prepare<[string], StoredState>('SELECT revision, hash, version, state FROM session_states WHERE stream = ?')
    .get(escapeText(stream))
  if (!found) return undefined
  const state: Json = JSON.parse(found.state)
  return { ...found, state }
}

function save(database: Database.Database | undefined, stream: string, snapshot: StateSnapshot): void {
  const { revision, hash, version, state } = snapshot
  database
    ?.prepare('INSERT OR REPLACE INTO session_states (stream, revision, hash, version, state) VALUES (?, ?, ?, ?, ?)')
    .run(escapeText(stream), BigInt(revision), hash, BigInt(version), JSON.stringify(state))
}

function atBest<A>(work: () => A): A | undefined {
  try {
    return work()
  } catch (problem) {
    if (problem instanceof Database.SqliteError || problem instanceof SyntaxError) return undefined
    throw problem
  }
}
