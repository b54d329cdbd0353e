import { escapeText, unescapeText } from '../views/escaped-text.ts'
import { checkpointTable, STREAM_NAMES } from '../views/view-schema.ts'
import type { InternedKind } from '../stores/sqlite/interned.ts'

/** Raised when the tables, or what is put into them of an event, change: an index of another version is made anew. */
const VERSION = 1

/**
 * One row of `said` and one of `words` for each event that gives a message or note its words, both under the event's position,
 * which is also the order of results. The index keeps no text: `words` is contentless, and what is shown of a hit is read
 * from the log.
 *
 * `checkpoint` is that of the views, and says in `unclean` whether words were taken out that pages of the index may still hold.
 * `at` is the message's own time as far as its event alone can say: null for an edit, and for a message that has grown (its id is
 * in `growing`), whose time is that of its first event.
 *
 * `calls` tells whose result it is where the result does not say.
 */
export const SEARCH_SCHEMA: readonly string[] = [
  checkpointTable(`,
    unclean INTEGER NOT NULL DEFAULT 0`),
  STREAM_NAMES,
  `CREATE TABLE namespaces (namespace_key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT`,
  `CREATE TABLE said (
    position INTEGER PRIMARY KEY,
    stream_key INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    at REAL
  ) STRICT`,
  `CREATE TABLE growing (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE TABLE calls (
    stream_key INTEGER NOT NULL,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (stream_key, call)
  ) STRICT, WITHOUT ROWID`,
  `CREATE VIRTUAL TABLE words USING fts5(own, other, facets, content='', contentless_delete=1, tokenize='ascii')`,
  // Eight segments a level, merged at once: a third faster to fill than four, and still few to look into.
  `INSERT INTO words(words, rank) VALUES ('automerge', 8)`,
]

/** What two programs must have in common to share an index: as text, to be compared. */
export const SEARCH_SHAPE: string = JSON.stringify({ version: VERSION, schema: SEARCH_SCHEMA })

export const namespaces: InternedKind<string> = {
  table: 'namespaces',
  key: 'namespace_key',
  columns: ['name'],
  nameOf: (name) => name,
  toColumns: (name) => [escapeText(name)],
  fromColumns: ([name]) => unescapeText(String(name)),
}
