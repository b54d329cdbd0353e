import type { Database } from 'better-sqlite3'

/** One step from a format to the next. It runs in a transaction of its own, together with the new format's number. */
export type Migration = (database: Database) => void

/**
 * Positions come from AUTOINCREMENT, so that none is ever given twice. Unique event ids are clustered by stream: derived
 * ids are as good as random, and one index over all of them would be hit all over at every append. `digest` is null as
 * long as the payload is the one that was hashed; see {@link RawEvent}.
 */
const firstFormat: Migration = (database) => {
  database.exec(`
    CREATE TABLE log (
      log_id TEXT NOT NULL,
      secret TEXT NOT NULL
    ) STRICT;

    CREATE TABLE streams (
      stream_key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE event_types (
      type_key INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      version INTEGER NOT NULL,
      UNIQUE (type, version)
    ) STRICT;

    CREATE TABLE actors (
      actor_key INTEGER PRIMARY KEY,
      actor TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE events (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      stream_key INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      id BLOB NOT NULL,
      type_key INTEGER NOT NULL,
      recorded_at INTEGER NOT NULL,
      actor_key INTEGER NOT NULL,
      correlation_id TEXT,
      causation_id TEXT,
      hash BLOB NOT NULL,
      salt BLOB,
      digest BLOB,
      payload TEXT,
      UNIQUE (stream_key, revision),
      UNIQUE (stream_key, id)
    ) STRICT;

    CREATE TABLE blobs (
      hash BLOB NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
  `)
}

/** In order; a file's format is the number of steps that it has been through. */
export const migrations: readonly Migration[] = [firstFormat]
