import { statSync } from 'node:fs'
import { join } from 'node:path'
import { encodeEvent, type EventStore, type NewEvent } from '@refold/events'
import { openEngine, openSqliteStore, openViews, SearchIndex, systemSource, type Engine } from '@refold/engine'
import { projections } from '@refold/projections'
import Database from 'better-sqlite3'
import { began } from './history.ts'
import { atLeast, atMostTimes, under, type Line } from './line.ts'
import { median, pairs, seconds } from './measure.ts'
import { taken } from './opened.ts'
import { said } from './said.ts'
import { seeded, words } from './words.ts'

const REBUILT = 20_000
/** Of design section 11: 1,000,000, which takes some minutes and 2 GB. */
const SEARCHED = Number(process.env['REFOLD_BENCH_MESSAGES'] ?? 100_000)
const SESSIONS = 200
const BATCH = 500
const LOOKS = 15

/** Searching, design section 11: filling the index, following, its size, and a page of it. */
export async function measureSearch(folder: string): Promise<readonly Line[]> {
  return [await rebuilding(folder), ...(await searching(folder))]
}

async function rebuilding(folder: string): Promise<Line> {
  const store = await openSqliteStore({ file: join(folder, 'rebuilt.db'), durability: 'system' })
  await converse(store, REBUILT)
  const index = new SearchIndex({ log: store, source: systemSource, file: join(folder, 'rebuilt.search.db') })
  await index.catchUp()
  const bare = new Database(join(folder, 'bare.db'))
  bare.pragma('journal_mode = WAL')
  bare.pragma('synchronous = NORMAL')
  bare.exec('CREATE TABLE said (position INTEGER PRIMARY KEY, stream INTEGER, revision INTEGER, text TEXT) STRICT')
  const insert = bare.prepare('INSERT INTO said VALUES (?, ?, ?, ?)')
  const rows: [bigint, bigint, bigint, string][] = []
  for (let after = 0; ;) {
    const page = await store.readAll({ after, limit: 1_000 })
    for (const event of page)
      rows.push([BigInt(event.position), BigInt(rows.length % SESSIONS), BigInt(event.revision), textOf(event)])
    if (page.length < 1_000) break
    after = page.at(-1)?.position ?? 0
  }
  const insertPage = bare.transaction((page: typeof rows) => {
    for (const row of page) insert.run(...row)
  })
  const pair = await pairs(
    3,
    () => seconds(() => index.rebuild()),
    async () => {
      bare.exec('DELETE FROM said')
      return seconds(() => {
        for (let at = 0; at < rows.length; at += 1_000) insertPage(rows.slice(at, at + 1_000))
      })
    },
  )
  bare.close()
  await index.close()
  await store.close()
  const note = `${Math.round(REBUILT / pair.ours)} messages/s`
  return atLeast(`rebuild of the search index, ${REBUILT} messages / bare inserts of their texts`, pair, 0.08, note)
}

async function searching(folder: string): Promise<readonly Line[]> {
  const store = await openSqliteStore({ file: join(folder, 'searched.db'), durability: 'system' })
  const bytes = await converse(store, SEARCHED)
  const views = await openViews({
    log: store,
    projections,
    source: systemSource,
    file: join(folder, 'searched.views.db'),
  })
  await views.catchUp()
  const file = join(folder, 'searched.search.db')
  const search = new SearchIndex({ log: store, source: systemSource, file })
  await search.catchUp()
  const engine = await openEngine({ store, views, search })
  const lines: Line[] = []
  const looks: readonly (readonly [string, string])[] = [
    ['two frequent Latin words', 'sensor fold'],
    ['one word that every message has', 'the'],
    ['a rare word', 'rare777'],
    ['a phrase', '"the a"'],
    ['a word that is not there', 'nowhere'],
    ['two CJK characters', '你好'],
    ['one CJK character', '好'],
    ['a beginning', 'sens*'],
    ['frequent words without another', 'sensor -fold'],
  ]
  for (const [what, query] of looks)
    lines.push(under(`page of ${what}, ${SEARCHED} messages`, await pageMs(engine, query), 100, 'ms'))
  const limited = await pageMs(engine, 'sensor', { role: 'tool' })
  lines.push(under('page of a frequent word, of a role that is not there', limited, 100, 'ms'))
  lines.push(under('follows a commit within', await followSeconds(store, search), 2, 's'))
  await engine.close()
  await search.close()
  await views.close()
  await store.close()
  const reopened = new Database(file)
  reopened.pragma('wal_checkpoint(TRUNCATE)')
  reopened.close()
  lines.push(atMostTimes('search file / its text', statSync(file).size / bytes, 0.75))
  return lines
}

async function pageMs(engine: Engine, query: string, limits: { readonly role?: string } = {}): Promise<number> {
  const times: number[] = []
  for (let look = 0; look < LOOKS; look++)
    times.push(
      await seconds(async () => {
        const page = await engine.search(query, limits)
        if ('ok' in page) throw new Error(page.message)
      }),
    )
  return median(times) * 1_000
}

/** From a commit until the index, which follows, has it. */
async function followSeconds(store: EventStore, search: SearchIndex): Promise<number> {
  const stop = search.follow()
  const random = seeded(3)
  const time = await seconds(async () => {
    const stream = 'session-default.s0'
    const event = said(stream, 'followed', 1_024, random)
    taken(await store.append({ streams: [{ stream, expected: 'any', events: [event] }] }))
    const { position } = await store.logHead()
    while ((await search.position()) < position) await new Promise((resolve) => setTimeout(resolve, 5))
  })
  stop()
  return time
}

/** Sessions whose every tenth message is CJK. Returns the bytes of text. */
async function converse(store: EventStore, messages: number): Promise<number> {
  const random = seeded(21)
  const streams = Array.from({ length: SESSIONS }, (_, n) => `session-default.s${n}`)
  for (const [n, stream] of streams.entries())
    await store.append({ streams: [{ stream, expected: 'no-stream', events: [began(`s${n}`)] }] })
  let bytes = 0
  for (let written = 0; written < messages; written += BATCH) {
    const stream = streams[(written / BATCH) % SESSIONS] ?? ''
    const events: NewEvent[] = []
    for (let n = 0; n < BATCH; n++) {
      const at = written + n
      const text = at % 10 === 0 ? characters(340, random) : `${words(1_010, random)} rare${at % 5_000}`
      bytes += Buffer.byteLength(text)
      events.push(message(stream, `m${at}`, text, random))
    }
    await store.append({ streams: [{ stream, expected: 'any', events }] })
  }
  return bytes
}

function message(stream: string, id: string, text: string, random: () => number): NewEvent {
  const isAnswer = random() < 0.5
  const encoded = encodeEvent({
    type: 'MessageAppended',
    data: {
      id,
      role: isAnswer ? 'assistant' : 'user',
      parts: [{ type: 'text', text }],
      provenance: isAnswer ? 'model' : 'person',
      shownTo: 'both',
    },
  })
  return { ...said(stream, id, 1, random), ...encoded }
}

/** Chinese text: few characters are frequent, most are not. */
function characters(count: number, random: () => number): string {
  let text = ''
  for (let n = 0; n < count; n++)
    text += random() < 0.01 ? '你好' : String.fromCharCode(0x4e00 + Math.floor(3_000 * random() ** 3))
  return text
}

function textOf({ data }: { readonly data: unknown }): string {
  return JSON.stringify(data)
}
