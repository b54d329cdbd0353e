import Database, { type Statement } from 'better-sqlite3'
import { CHAIN_START, parseSessionStream, type AnyRecorded } from '@refold/events'
import { indexForm, type FoundEvent } from '@refold/projections'
import { identityOf, type FileIdentity } from '../stores/sqlite/file-identity.ts'
import { Interned } from '../stores/sqlite/interned.ts'
import { isBusy } from '../stores/sqlite/sqlite-errors.ts'
import { viewStreams } from '../views/column-codec.ts'
import { DamagedRow } from '../views/damage.ts'
import { escapeText, unescapeText } from '../views/escaped-text.ts'
import { isSame, type StoredCheckpoint } from '../views/views-file.ts'
import { EDIT_FACET, namespaceFacet, roleFacet, sessionFacet, toolFacet, UNKNOWN_TOOL_FACET } from './facets.ts'
import type { Harvest, Said } from './harvest.ts'
import { namespaces, SEARCH_SCHEMA } from './search-schema.ts'

/** An event that has the words looked for; whether anybody sees them is not asked here. */
export interface Candidate extends FoundEvent {
  readonly position: number
}

export interface CandidateRange {
  /** Position before which they stand. */
  readonly before: number
  readonly limit: number
  /** Times of the messages, epoch milliseconds: from the one on, before the other. */
  readonly from?: number
  readonly to?: number
}

export interface SearchCheckpoint extends StoredCheckpoint {
  /** Words were taken out that pages of the index may still hold. */
  readonly unclean: number
}

const WAL_BYTES_KEPT = 16 * 1024 * 1024
const CACHE_KIB = 16 * 1024
/** Words that one transaction may gather before it writes a segment. */
const GATHERED_BYTES = 8 * 1024 * 1024

type Column = string | number | bigint | null

/** One opening of an index. All calls answer at once; those that write want `write` around them. */
export class SearchFile {
  readonly identity: FileIdentity | undefined
  readonly #database: Database.Database
  readonly #prepared = new Map<string, Statement<Column[], unknown[]>>()
  #streams: Interned<string> | undefined
  #namespaces: Interned<string> | undefined
  #hasTables = false
  #generation = 0

  /** In memory where no file is given. */
  constructor(file?: string) {
    this.#database = new Database(file ?? ':memory:', { fileMustExist: file !== undefined, timeout: 0 })
    try {
      // Before anything is written, so that what a cleaning frees can be given back.
      this.#database.pragma('auto_vacuum = INCREMENTAL')
      this.#database.pragma('journal_mode = WAL')
      this.#database.pragma('synchronous = NORMAL')
      // What is erased from the log must not live on in free pages here.
      this.#database.pragma('secure_delete = ON')
      this.#database.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`)
      this.#database.pragma(`cache_size = -${CACHE_KIB}`)
      this.identity = file === undefined ? undefined : identityOf(file)
    } catch (problem) {
      this.#database.close()
      throw problem
    }
  }

  /** Undefined where there are no tables. */
  checkpoint(): SearchCheckpoint | undefined {
    if (!this.#hasTables) {
      if (!this.#database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'`).get()) return undefined
      this.#hasTables = true
    }
    const row = this.#statement(
      'SELECT log_id, position, hash, shape, generation, stream, revision, unclean FROM checkpoint',
    ).get()
    if (!row) return undefined
    const [logId, position, hash, shape, found, stream, revision, unclean] = row
    const generation = Number(found)
    if (generation !== this.#generation) {
      // Keys of streams that another process gave anew.
      this.#forgetKeys()
      this.#generation = generation
    }
    return {
      logId: String(logId),
      position: Number(position),
      hash: String(hash),
      shape: String(shape),
      generation,
      stream: typeof stream === 'string' ? stream : null,
      revision: typeof revision === 'number' ? revision : null,
      unclean: Number(unclean),
    }
  }

  /** Runs `work` in one write transaction; false, and nothing done, while another process writes. */
  write(work: () => void): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE')
    } catch (problem) {
      if (isBusy(problem)) return false
      throw problem
    }
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (problem) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      this.#forget()
      throw problem
    }
    return true
  }

  /** Runs `work` over what one moment's readers see; undefined where there is no index. */
  read<A>(work: (checkpoint: SearchCheckpoint) => A): A | undefined {
    this.#database.exec('BEGIN')
    try {
      const checkpoint = this.checkpoint()
      return checkpoint && work(checkpoint)
    } finally {
      if (this.#database.inTransaction) this.#database.exec('COMMIT')
    }
  }

  /** Throws everything away and begins anew; within `write`. */
  reset(shape: string, logId: string): void {
    const generation = (this.checkpoint()?.generation ?? 0) + 1
    this.#forget()
    // Dropping `words` drops the tables that stand behind it.
    for (const name of ['words', 'checkpoint', 'stream_names', 'namespaces', 'said', 'growing', 'calls'])
      this.#database.exec(`DROP TABLE IF EXISTS ${name}`)
    for (const statement of SEARCH_SCHEMA) this.#database.exec(statement)
    this.#database.exec(`INSERT INTO words(words, rank) VALUES ('hashsize', ${GATHERED_BYTES})`)
    this.#statement(
      'INSERT INTO checkpoint (id, shape, generation, log_id, position, hash) VALUES (1, ?, ?, ?, 0, ?)',
    ).run(shape, BigInt(generation), logId, CHAIN_START)
  }

  /** Takes in a page that follows the checkpoint `begun`; within `write`. Does nothing when another process was faster. */
  take(begun: StoredCheckpoint, last: AnyRecorded, { said, forgotten }: Harvest): void {
    if (!isSame(this.checkpoint(), begun)) return
    let unclean = 0
    for (const position of forgotten) unclean += this.#remove(position)
    for (const one of said) this.#add(one)
    this.#statement(
      'UPDATE checkpoint SET position = ?, hash = ?, stream = ?, revision = ?, unclean = max(unclean, ?)',
    ).run(BigInt(last.position), last.hash, last.stream, BigInt(last.revision), BigInt(Math.min(unclean, 1)))
  }

  /** Events with these words, newest first; of times that they do not say themselves all. */
  candidates(expression: string, { before, limit, from, to }: CandidateRange): readonly Candidate[] {
    const isTimed = from !== undefined || to !== undefined
    const rows = this.#statement(
      `SELECT said.position, stream_key, revision, id FROM words CROSS JOIN said ON said.position = words.rowid
       WHERE words MATCH ? AND words.rowid < ?${isTimed ? ' AND (at IS NULL OR (at >= ? AND at < ?))' : ''}
       ORDER BY words.rowid DESC LIMIT ?`,
    ).all(expression, BigInt(before), ...(isTimed ? [from ?? -Infinity, to ?? Infinity] : []), BigInt(limit))
    return rows.map(([position, streamKey, revision, id]) => ({
      position: Number(position),
      stream: this.#streamOf(Number(streamKey)),
      revision: Number(revision),
      id: unescapeText(String(id)),
    }))
  }

  /** What limits a search to these streams; undefined where nothing is known of any of them. */
  facetsOfStreams(streams: readonly string[]): readonly string[] {
    const keys = streams.map((stream) => this.#interned().streams.keyOf(stream))
    return keys.filter((key) => key !== undefined).map(sessionFacet)
  }

  /** Undefined where nothing else is in the index; an empty list where it has nothing of that namespace. */
  facetsOfNamespace(namespace: string): readonly string[] | undefined {
    const key = this.#interned().namespaces.keyOf(namespace)
    if (key === undefined) return []
    const count = this.#statement('SELECT count(*) FROM namespaces').get()?.[0]
    return count === 1 ? undefined : [namespaceFacet(key)]
  }

  /** Which tool a call was of, by any of these streams. */
  toolOf(streams: readonly string[], call: string): string | undefined {
    for (const stream of streams) {
      const key = this.#interned().streams.keyOf(stream)
      const tool = key === undefined ? undefined : this.#toolOf(key, call)
      if (tool !== undefined) return tool
    }
    return undefined
  }

  /**
   * Writes the index anew without what was taken out, gives free pages back and empties SQLite's side log; false while
   * another process reads or writes.
   */
  clean(): boolean {
    const optimize = (): void => {
      if (this.checkpoint()?.unclean !== 1) return
      this.#database.exec(`INSERT INTO words(words) VALUES ('optimize')`)
      this.#database.exec('UPDATE checkpoint SET unclean = 0')
    }
    if (!this.write(optimize)) return false
    this.#database.pragma('incremental_vacuum')
    const [result] = this.#database.prepare<[], [busy: number]>('PRAGMA wal_checkpoint(TRUNCATE)').raw().all()
    return result?.[0] === 0
  }

  close(): void {
    this.#database.close()
  }

  #add({ stream, revision, position, at, text }: Said): void {
    const { id, own, other, tools, calls, answers } = text
    const { streams, namespaces: names } = this.#interned()
    const key = streams.intern(stream)
    const rowId = BigInt(position)
    for (const call of calls)
      this.#statement('INSERT OR IGNORE INTO calls (stream_key, call, tool, position) VALUES (?, ?, ?, ?)').run(
        BigInt(key),
        escapeText(call.id),
        escapeText(call.tool),
        rowId,
      )
    const asked = answers.map((call) => this.#toolOf(key, call))
    const facets = new Set([
      sessionFacet(key),
      namespaceFacet(names.intern(parseSessionStream(stream)?.namespace ?? '')),
      ...(text.role !== null ? [roleFacet(text.role)] : text.kind === 'message' ? [EDIT_FACET] : []),
      ...[...tools, ...asked.filter((tool) => tool !== undefined)].map(toolFacet),
      ...(asked.includes(undefined) ? [UNKNOWN_TOOL_FACET] : []),
    ])
    this.#statement('INSERT INTO words (rowid, own, other, facets) VALUES (?, ?, ?, ?)').run(
      rowId,
      indexForm(own),
      indexForm(other),
      [...facets].join(' '),
    )
    const isFirst = (text.kind === 'note' || text.role !== null) && !this.#grows(text)
    this.#statement('INSERT INTO said (position, stream_key, revision, id, at) VALUES (?, ?, ?, ?, ?)').run(
      rowId,
      BigInt(key),
      BigInt(revision),
      escapeText(id),
      isFirst ? at : null,
    )
  }

  /** Also in another session: a branch may complete what its origin began. */
  #grows({ id, partial }: Said['text']): boolean {
    if (partial) this.#statement('INSERT OR IGNORE INTO growing (id) VALUES (?)').run(escapeText(id))
    return partial || this.#statement('SELECT 1 FROM growing WHERE id = ?').get(escapeText(id)) !== undefined
  }

  #remove(position: number): number {
    this.#statement('DELETE FROM calls WHERE position = ?').run(BigInt(position))
    const { changes } = this.#statement('DELETE FROM said WHERE position = ?').run(BigInt(position))
    if (changes > 0) this.#statement('DELETE FROM words WHERE rowid = ?').run(BigInt(position))
    return changes
  }

  #toolOf(streamKey: number, call: string): string | undefined {
    const row = this.#statement('SELECT tool FROM calls WHERE stream_key = ? AND call = ?').get(
      BigInt(streamKey),
      escapeText(call),
    )
    return row && unescapeText(String(row[0]))
  }

  #streamOf(key: number): string {
    const name = this.#interned().streams.valueOf(key)
    if (name === undefined) throw new DamagedRow(`Stream key ${key} leads nowhere.`)
    return name
  }

  #interned(): { readonly streams: Interned<string>; readonly namespaces: Interned<string> } {
    this.#streams ??= new Interned(this.#database, viewStreams)
    this.#namespaces ??= new Interned(this.#database, namespaces)
    return { streams: this.#streams, namespaces: this.#namespaces }
  }

  #statement(sql: string): Statement<Column[], unknown[]> {
    let statement = this.#prepared.get(sql)
    if (!statement) {
      const made = this.#database.prepare<Column[], unknown[]>(sql)
      this.#prepared.set(sql, (statement = made.reader ? made.raw() : made))
    }
    return statement
  }

  /** After a rollback, which takes tables back, and before they are made anew. */
  #forget(): void {
    this.#hasTables = false
    this.#prepared.clear()
    this.#forgetKeys()
  }

  #forgetKeys(): void {
    this.#streams = undefined
    this.#namespaces = undefined
  }
}
