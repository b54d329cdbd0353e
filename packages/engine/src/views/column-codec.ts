import type { ColumnKind } from '@refold/projections'
import type { Interned, InternedKind } from '../stores/sqlite/interned.ts'
import { DamagedRow } from './damage.ts'
import { escapeText, unescapeText } from './escaped-text.ts'

/** What better-sqlite3 binds: a JavaScript number as REAL, a BigInt as INTEGER. */
export type Bound = string | number | bigint | null

/** Stream names of a views file, each kept once. */
export type StreamKeys = Interned<string>

export const viewStreams: InternedKind<string> = {
  table: 'stream_names',
  key: 'stream_key',
  columns: ['name'],
  nameOf: (name) => name,
  toColumns: (name) => [escapeText(name)],
  fromColumns: ([name]) => unescapeText(String(name)),
}

/**
 * SQLite's type of a column. Integers are `ANY`, which stores whole numbers small and gives any other number back as it was,
 * for a rule must never fail on a number.
 */
export function sqlType(kind: ColumnKind): string {
  switch (kind) {
    case 'text':
    case 'json':
      return 'TEXT'
    case 'integer':
      return 'ANY'
    case 'real':
      return 'REAL'
    case 'boolean':
    case 'stream':
      return 'INTEGER'
    default: {
      const never: never = kind
      return never
    }
  }
}

/** Turns a value into what is bound for it. */
export type Encode = (value: unknown) => Bound

/** `keyOf` gives a stream's key; undefined leaves the value out of every comparison. */
export function encoder(kind: ColumnKind, keyOf: (stream: string) => number): Encode {
  switch (kind) {
    case 'text':
      return (value) => (typeof value === 'string' ? escapeText(value) : null)
    case 'integer':
      return (value) => (typeof value !== 'number' ? null : Number.isSafeInteger(value) ? BigInt(value) : value)
    case 'real':
      return (value) => (typeof value === 'number' ? value : null)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? Number(value) : null)
    case 'json':
      return (value) => (value === null || value === undefined ? null : JSON.stringify(value))
    case 'stream':
      return (value) => (typeof value === 'string' ? keyOf(value) : null)
    default: {
      const never: never = kind
      return never
    }
  }
}

/** Turns what SQLite gives into the value that was put in. Throws `DamagedRow` on what no encoder wrote. */
export type Decode = (stored: unknown) => unknown

export function decoder(kind: ColumnKind, streams: StreamKeys): Decode {
  switch (kind) {
    case 'text':
      return (stored) => (typeof stored === 'string' ? unescapeText(stored) : null)
    case 'integer':
    case 'real':
      return (stored) => stored
    case 'boolean':
      return (stored) => (stored === null ? null : stored === 1)
    case 'json':
      return (stored) => (typeof stored === 'string' ? parsed(stored) : null)
    case 'stream':
      return (stored) => (typeof stored === 'number' ? nameOf(stored, streams) : null)
    default: {
      const never: never = kind
      return never
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DamagedRow('A column of JSON holds something else.', { cause })
  }
}

function nameOf(key: number, streams: StreamKeys): string {
  const name = streams.valueOf(key)
  if (name === undefined) throw new DamagedRow(`Stream key ${key} leads nowhere.`)
  return name
}
