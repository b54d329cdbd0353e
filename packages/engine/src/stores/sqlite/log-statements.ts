import type { Database, Statement } from 'better-sqlite3'
import { EVENT_COLUMNS, SECRET_COLUMNS, type EventRow, type RawRow } from './event-row.ts'

type InsertedEvent = readonly [
  streamKey: number,
  revision: number,
  id: string,
  typeKey: number,
  recordedAt: number,
  actorKey: number,
  correlationId: string | null,
  causationId: string | null,
  hash: string,
  salt: string | null,
  payload: string | null,
  digest: string | null,
]

/** Every statement on events and blobs, prepared once for the life of a connection. */
export interface LogStatements {
  readonly headOfStream: Statement<[streamKey: number], [revision: number, hash: string]>
  readonly revisionOf: Statement<[streamKey: number, id: string], number>
  readonly eventAt: Statement<[streamKey: number, revision: number], EventRow>
  readonly streamForwards: Statement<[streamKey: number, from: number, limit: number], EventRow>
  readonly streamBackwards: Statement<[streamKey: number, from: number, limit: number], EventRow>
  readonly rawForwards: Statement<[streamKey: number, from: number, limit: number], RawRow>
  readonly rawBackwards: Statement<[streamKey: number, from: number, limit: number], RawRow>
  readonly logForwards: Statement<[after: number, limit: number], EventRow>
  readonly logBackwards: Statement<[after: number, limit: number], EventRow>
  readonly rawLogForwards: Statement<[after: number, limit: number], RawRow>
  readonly rawLogBackwards: Statement<[after: number, limit: number], RawRow>
  readonly headOfLog: Statement<[], [position: number, hash: string]>
  readonly insertEvent: Statement<[...InsertedEvent]>
  readonly eraseEvent: Statement<[payload: string | null, salt: string | null, digest: string, position: number]>
  readonly blob: Statement<[hash: string], Buffer>
  readonly blobHashes: Statement<[], string>
  readonly insertBlob: Statement<[hash: string, bytes: Uint8Array]>
  readonly eraseBlob: Statement<[hash: string]>
}

const ofStream = (columns: string, where: string): string =>
  `SELECT ${columns} FROM events WHERE stream_key = ? AND revision ${where} LIMIT ?`

export function prepareLog(database: Database): LogStatements {
  const raw = `${EVENT_COLUMNS}, ${SECRET_COLUMNS}`
  const forwards = '>= ? ORDER BY revision'
  const backwards = '<= ? ORDER BY revision DESC'
  return {
    headOfStream: database
      .prepare<[number], [number, string]>(
        'SELECT revision, lower(hex(hash)) FROM events WHERE stream_key = ? ORDER BY revision DESC LIMIT 1',
      )
      .raw(),
    revisionOf: database
      .prepare<[number, string], number>('SELECT revision FROM events WHERE stream_key = ? AND id = unhex(?)')
      .pluck(),
    eventAt: database
      .prepare<[number, number], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE stream_key = ? AND revision = ?`)
      .raw(),
    streamForwards: database.prepare<[number, number, number], EventRow>(ofStream(EVENT_COLUMNS, forwards)).raw(),
    streamBackwards: database.prepare<[number, number, number], EventRow>(ofStream(EVENT_COLUMNS, backwards)).raw(),
    rawForwards: database.prepare<[number, number, number], RawRow>(ofStream(raw, forwards)).raw(),
    rawBackwards: database.prepare<[number, number, number], RawRow>(ofStream(raw, backwards)).raw(),
    logForwards: database
      .prepare<[number, number], EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`,
      )
      .raw(),
    logBackwards: database
      .prepare<[number, number], EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE position < ? ORDER BY position DESC LIMIT ?`,
      )
      .raw(),
    rawLogForwards: database
      .prepare<[number, number], RawRow>(`SELECT ${raw} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
      .raw(),
    rawLogBackwards: database
      .prepare<[number, number], RawRow>(`SELECT ${raw} FROM events WHERE position < ? ORDER BY position DESC LIMIT ?`)
      .raw(),
    headOfLog: database
      .prepare<[], [number, string]>('SELECT position, lower(hex(hash)) FROM events ORDER BY position DESC LIMIT 1')
      .raw(),
    insertEvent: database.prepare<[...InsertedEvent]>(
      `INSERT INTO events (stream_key, revision, id, type_key, recorded_at, actor_key, correlation_id, causation_id,
        hash, salt, payload, digest) VALUES (?, ?, unhex(?), ?, ?, ?, ?, ?, unhex(?), unhex(?), ?, unhex(?))`,
    ),
    eraseEvent: database.prepare(
      'UPDATE events SET payload = ?, salt = unhex(?), digest = unhex(?) WHERE position = ?',
    ),
    blob: database.prepare<[string], Buffer>('SELECT bytes FROM blobs WHERE hash = unhex(?)').pluck(),
    blobHashes: database.prepare<[], string>('SELECT lower(hex(hash)) FROM blobs').pluck(),
    insertBlob: database.prepare('INSERT INTO blobs (hash, bytes) VALUES (unhex(?), ?) ON CONFLICT (hash) DO NOTHING'),
    eraseBlob: database.prepare('DELETE FROM blobs WHERE hash = unhex(?)'),
  }
}
