import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { encodeEvent, sessionStream, type NewEvent, type SessionEvent } from '@refold/events'
import { openEngine, openSqliteStore, SearchIndex, systemSource, taken, type Engine } from '@refold/engine'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../engine/sqlite/temporary-folder.ts'
import { placesOf } from './found.ts'

let folder: string
let file: string
let index: string

beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'log.db')
  index = join(folder, 'log.search.db')
})

async function open(): Promise<Engine> {
  const engine = await openEngine({ file, durability: 'system' })
  onTestFinished(() => engine.close())
  return engine
}

async function say(engine: Engine, ...texts: readonly string[]): Promise<void> {
  const found = await engine.session('s')
  const { handle } = found.ok ? found : taken(await engine.start({ id: 's' }))
  const { readUpTo } = handle
  taken(await handle.append(texts.map((text, n) => ({ id: `m${readUpTo + n}`, role: 'user', text }))))
}

const damage = (change: (path: string) => void): void => {
  for (const side of ['-wal', '-shm']) rmSync(index + side, { force: true })
  change(index)
}

describe('the file', () => {
  test('is made by the first search, and may be deleted at any time', async () => {
    const engine = await open()
    await say(engine, 'alpha', 'beta')
    expect(existsSync(index)).toBe(false)
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    expect(existsSync(index)).toBe(true)
    for (const name of readdirSync(folder)) if (name.startsWith('log.search.db')) rmSync(join(folder, name))
    expect(await placesOf(engine, 'beta')).toEqual(['s/m1'])
    await say(engine, 'gamma')
    expect(await placesOf(engine, 'gamma')).toEqual(['s/m2'])
  })

  test('is shared: each process finds what the others wrote, and no event is taken in twice', async () => {
    const [one, other] = [await open(), await open()]
    await say(one, ...Array.from({ length: 40 }, (_, n) => `alpha ${n}`))
    const store = await openSqliteStore({ file, access: 'write' })
    const third = new SearchIndex({ log: store, source: systemSource, file: index, pageSize: 3 })
    const [first, second] = await Promise.all([placesOf(one, 'alpha'), placesOf(other, 'alpha'), third.catchUp()])
    expect(first).toHaveLength(40)
    expect(second).toEqual(first)
    await say(other, 'omega')
    expect(await placesOf(one, 'omega')).toEqual(['s/m40'])
    await third.close()
    await store.close()
    const rows = new Database(index, { readonly: true })
    expect(rows.prepare('SELECT count(*), count(DISTINCT revision) FROM said').raw().get()).toEqual([41, 41])
    rows.close()
  })

  test('of a log that went back to a backup is made anew', async () => {
    const before = await openEngine({ file, durability: 'system' })
    await say(before, 'alpha')
    await before.close()
    copyFileSync(file, `${file}.backup`)
    const gone = await openEngine({ file, durability: 'system' })
    await say(gone, 'beta')
    expect(await placesOf(gone, 'beta')).toEqual(['s/m1'])
    await gone.close()
    copyFileSync(`${file}.backup`, file)
    const engine = await open()
    expect(await placesOf(engine, 'beta')).toEqual([])
    await say(engine, 'gamma')
    expect(await placesOf(engine, 'gamma')).toEqual(['s/m1'])
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  })

  test('of another log is made anew', async () => {
    const engine = await open()
    await say(engine, 'alpha')
    const otherFile = join(folder, 'other.db')
    const other = await openEngine({ file: otherFile, durability: 'system' })
    await say(other, 'beta')
    expect(await placesOf(other, 'beta')).toEqual(['s/m0'])
    await other.close()
    copyFileSync(join(folder, 'other.search.db'), index)
    expect(await placesOf(engine, 'beta')).toEqual([])
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  })

  test('of another version is made anew', async () => {
    const engine = await open()
    await say(engine, 'alpha')
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    const newer = new Database(index)
    newer.exec(`UPDATE checkpoint SET shape = 'of tomorrow'; DELETE FROM words; DELETE FROM said`)
    newer.close()
    expect(await placesOf(await open(), 'alpha')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  })

  test.each([
    ['no database', (path: string) => writeFileSync(path, 'no database at all '.repeat(1_000))],
    ['cut short', (path: string) => truncateSync(path, 5_000)],
    ['empty', (path: string) => writeFileSync(path, '')],
    [
      'without its tables',
      (path: string) => {
        const database = new Database(path)
        database.exec('DROP TABLE said')
        database.close()
      },
    ],
  ])('that is damaged (%s) hinders no append, and the next search finds everything', async (_, change) => {
    const engine = await openEngine({ file, durability: 'system' })
    await say(engine, 'alpha', ...Array.from({ length: 50 }, (_, n) => `filling ${n}`))
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    await engine.close()
    damage(change)
    const again = await open()
    await say(again, 'beta')
    expect(await placesOf(again, 'alpha OR beta')).toEqual(['s/m0', 's/m51'])
  })

  test('that cannot be written is no hindrance: words are kept in memory then', async () => {
    mkdirSync(index)
    const engine = await open()
    await say(engine, 'alpha')
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  })

  test('that another process holds is waited for, then the search says so; what it has is still found', async () => {
    const store = await openSqliteStore({ file, durability: 'system' })
    const search = new SearchIndex({ log: store, source: systemSource, file: index, waitMs: 50 })
    const engine = await openEngine({ store, search })
    await say(engine, 'alpha')
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    const holder = new Database(index)
    holder.exec('BEGIN IMMEDIATE')
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    await say(engine, 'beta')
    await expect(engine.search('beta')).rejects.toMatchObject({ code: 'views-behind' })
    holder.exec('COMMIT')
    expect(await placesOf(engine, 'beta')).toEqual(['s/m1'])
    holder.close()
    await engine.close()
    await search.close()
    await store.close()
  })

  test('is not made where the log is opened for reading alone', async () => {
    const writer = await open()
    await say(writer, 'alpha')
    const reader = await openEngine({ file, readOnly: true })
    expect(await placesOf(reader, 'alpha')).toEqual(['s/m0'])
    expect(existsSync(index)).toBe(false)
    await reader.close()
  })
})

test('what the index says of a message that does not say it is not believed', async () => {
  const engine = await open()
  await say(engine, 'alpha')
  expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  const changed = new Database(index)
  changed.exec(`REPLACE INTO words (rowid, own, other, facets) SELECT position, 'unsaid', '', 's1 n1' FROM said`)
  changed.close()
  expect(await placesOf(engine, 'unsaid')).toEqual([])
})

describe('a health report', () => {
  test('tells an index that is whole, absent, foreign or damaged, and leaves it as it is', async () => {
    const store = await openSqliteStore({ file, durability: 'system' })
    const search = new SearchIndex({ log: store, source: systemSource, file: index })
    expect(await search.check()).toEqual({ state: 'absent' })
    const engine = await openEngine({ store, search })
    await say(engine, ...Array.from({ length: 300 }, (_, n) => `word${n} and more of them`))
    const { position } = await store.logHead()
    expect(await placesOf(engine, 'word7')).toEqual(['s/m7'])
    expect(await search.check()).toEqual({ state: 'whole', position })
    await say(engine, 'omega')
    expect(await search.check()).toEqual({ state: 'whole', position })
    const changed = new Database(index)
    changed.exec(`UPDATE checkpoint SET shape = 'of tomorrow'`)
    expect(await search.check()).toEqual({ state: 'foreign' })
    changed.pragma('wal_checkpoint(TRUNCATE)')
    changed.close()
    const bytes = readFileSync(index)
    const at = bytes.indexOf('more')
    expect(at).toBeGreaterThan(0)
    writeFileSync(index, bytes.fill(0xff, at - 60, at + 60))
    expect(await search.check()).toMatchObject({ state: 'damaged' })
    writeFileSync(index, 'no database at all '.repeat(500))
    expect(await search.check()).toMatchObject({ state: 'damaged' })
    await engine.close()
    await search.close()
    await store.close()
  })
})

describe('taking in', () => {
  test('tells how far it is, can be stopped, and goes on from there', async () => {
    const store = await openSqliteStore({ file, durability: 'system' })
    const search = new SearchIndex({ log: store, source: systemSource, file: index, pageSize: 10 })
    const engine = await openEngine({ store, search })
    await say(engine, ...Array.from({ length: 60 }, (_, n) => `alpha ${n}`))
    const stop = new AbortController()
    const seen: number[] = []
    const onProgress = ({ events }: { readonly events: number }): void => {
      seen.push(events)
      if (events >= 20) stop.abort(new Error('enough'))
    }
    await expect(engine.search('alpha', {}, { onProgress, signal: stop.signal })).rejects.toThrow('enough')
    expect(seen).toEqual([10, 20])
    expect(await search.position()).toBeLessThan((await store.logHead()).position)
    const again: number[] = []
    const page = taken(await engine.search('59', {}, { onProgress: ({ events }) => void again.push(events) }))
    expect(page.hits).toHaveLength(1)
    expect(again.length).toBe(Math.ceil((62 - 20) / 10))
    await engine.close()
    await search.close()
    await store.close()
  })

  test('goes on by itself where it is asked to follow, and stops when told', async () => {
    const engine = await open()
    await say(engine, 'alpha')
    const store = await openSqliteStore({ file, access: 'write' })
    const search = new SearchIndex({ log: store, source: systemSource, file: index })
    const stop = search.follow()
    await say(engine, 'beta')
    const { position } = await engine.store.logHead()
    while ((await search.position()) < position) await sleep(10)
    stop()
    await search.close()
    await store.close()
  })

  test('a new index beside the old one gives the same hits; one that is stopped changes nothing', async () => {
    const store = await openSqliteStore({ file, durability: 'system' })
    const search = new SearchIndex({ log: store, source: systemSource, file: index, pageSize: 5 })
    const engine = await openEngine({ store, search })
    await say(engine, ...Array.from({ length: 30 }, (_, n) => `alpha ${n}`))
    const before = taken(await engine.search('alpha', { limit: 7 }))
    const stop = new AbortController()
    await expect(
      search.rebuild({ signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) }),
    ).rejects.toThrow('enough')
    expect(taken(await engine.search('alpha', { limit: 7 }))).toEqual(before)
    const other = new SearchIndex({ log: store, source: systemSource, file: index })
    await other.catchUp()
    await search.rebuild()
    expect(taken(await engine.search('alpha', { limit: 7 }))).toEqual(before)
    await say(engine, 'omega')
    await other.catchUp()
    expect(await other.position()).toBe((await store.logHead()).position)
    expect(readdirSync(folder).filter((name) => name.includes('rebuild'))).toEqual([])
    await engine.close()
    await Promise.all([search.close(), other.close()])
    await store.close()
  })
})

const recorded = (event: SessionEvent): NewEvent => ({
  ...encodeEvent(event),
  id: systemSource.sha256(JSON.stringify(event)).slice(0, 32),
  recordedAt: 1_800_000_000_000,
  actor: { kind: 'person', id: 'ada' },
})

/** Whether a word stands in any file of the index. */
const holds = (word: string): boolean =>
  readdirSync(folder).some((name) => name.includes('search') && readFileSync(join(folder, name)).includes(word))

describe('erasing', () => {
  const stream = sessionStream({ namespace: 'default', session: 's' })
  const secret = 'xylophonequartz'
  test.each([
    ['redacted', 'something [redacted]'],
    ['purged', null],
  ])('what was %s is in no page of the file any more', async (what, masked) => {
    const engine = await open()
    await say(
      engine,
      ...Array.from({ length: 300 }, (_, n) => (n === 150 ? `something ${secret}` : `filling ${n} kept`)),
    )
    expect(await placesOf(engine, secret)).toEqual(['s/m150'])
    expect(holds(secret)).toBe(true)
    const other = await open()
    expect(await placesOf(other, secret)).toEqual(['s/m150'])
    const target = (await engine.store.readStream(stream, { limit: 1_000 })).find(({ data }) =>
      JSON.stringify(data).includes(secret),
    )
    if (!target) throw new Error('nothing to erase')
    const { revision, id: eventId } = target
    const said = JSON.stringify(target.data)
    const event: SessionEvent =
      masked === null
        ? { type: 'PurgeStarted', data: { purgeId: 'p', eventIds: [eventId], kept: [] } }
        : {
            type: 'Redacted',
            data: { targets: [{ eventId, revision, parts: [], digest: '0'.repeat(64) }], reason: '' },
          }
    await engine.store.transact?.((log) => {
      log.erase({ stream, revision }, masked === null ? null : said.replace(`something ${secret}`, masked))
      log.append({ streams: [{ stream, expected: 'any', events: [recorded(event)] }] })
    })
    expect(await placesOf(other, secret)).toEqual([])
    const search = new SearchIndex({ log: engine.store, source: systemSource, file: index })
    expect(await search.scrub()).toBe(true)
    expect(holds(secret)).toBe(false)
    expect(holds('xylophone')).toBe(false)
    expect(await placesOf(engine, secret)).toEqual([])
    expect(await placesOf(engine, 'redacted')).toEqual(what === 'redacted' ? ['s/m150'] : [])
    // A purge is of a whole session.
    expect(await placesOf(other, 'filling 299')).toEqual(what === 'redacted' ? ['s/m299'] : [])
    expect(await placesOf(other, 'kept')).toHaveLength(what === 'redacted' ? 299 : 0)
    await search.close()
  })

  test('an index that nobody made needs no cleaning, and one that is far behind is thrown away', async () => {
    const engine = await open()
    await say(engine, 'alpha')
    const search = new SearchIndex({ log: engine.store, source: systemSource, file: index })
    expect(await search.scrub()).toBe(true)
    expect(existsSync(index)).toBe(false)
    await search.catchUp()
    const stale = new Database(index)
    stale.exec(`UPDATE checkpoint SET shape = 'of yesterday'`)
    stale.close()
    expect(await search.scrub()).toBe(true)
    expect(existsSync(index)).toBe(false)
    await search.close()
  })

  test('a reader in the way is told, and asking again helps', async () => {
    const engine = await open()
    await say(engine, 'alpha')
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    const reader = new Database(index)
    reader.exec('BEGIN')
    reader.prepare('SELECT * FROM said').all()
    const search = new SearchIndex({ log: engine.store, source: systemSource, file: index })
    await say(engine, 'beta')
    expect(await search.scrub()).toBe(false)
    reader.exec('COMMIT')
    reader.close()
    expect(await search.scrub()).toBe(true)
    await search.close()
  })
})
