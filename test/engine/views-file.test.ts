import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { CHAIN_START, type EventStore } from '@refold/events'
import { openMemoryStore, systemSource } from '@refold/engine'
import { temporaryFolder } from './sqlite/temporary-folder.ts'
import { everything, expected, openSample, sampleProjections, say, totalOf } from './views-sample.ts'

let log: EventStore
let file: string

beforeEach(async () => {
  log = openMemoryStore(systemSource)
  await say(log, 20)
  file = join(temporaryFolder(), 'log.views.db')
})

/** Makes a views file of the log, closes it, and lets something happen to it. */
async function foldedThen(harm: (database: Database.Database) => void): Promise<void> {
  const views = await openSample(log, file)
  await views.catchUp()
  await views.close()
  const database = new Database(file)
  harm(database)
  database.close()
}

async function expectWhole(): Promise<void> {
  const views = await openSample(log, file)
  await views.catchUp()
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
}

test('a read includes what was appended before it, and says up to where', async () => {
  const views = await openSample(log, file)
  expect(await views.read(totalOf)).toBe(20)
  await say(log, 3)
  const { logId, position, hash } = await log.logHead()
  expect(await views.read((rows, checkpoint) => [totalOf(rows), checkpoint])).toEqual([23, { logId, position, hash }])
  await views.close()
})

test('a read up to an older position needs no newer event folded', async () => {
  const views = await openSample(log, file, { pageSize: 5 })
  const [, , third] = await log.readAll({ limit: 3 })
  expect(await views.read(totalOf, third?.position)).toBe(5)
  expect(await views.read(totalOf)).toBe(20)
  await views.close()
})

test('any page size gives the same rows as a fold in memory', async () => {
  for (const pageSize of [1, 2, 7, 1000]) {
    const views = await openSample(log, `${file}-${pageSize}`, { pageSize })
    expect(await views.read(everything)).toStrictEqual(await expected(log))
    await views.close()
  }
})

test('who made the file sees what another folded into it meanwhile', async () => {
  const maker = await openSample(log, file)
  await maker.catchUp()
  const other = await openSample(log, file)
  for (let round = 0; round < 3; round += 1) {
    await say(log, 10)
    await other.catchUp()
    await say(log, 10)
    await maker.catchUp()
    expect(await maker.read(everything)).toStrictEqual(await expected(log))
  }
  await maker.close()
  await other.close()
})

test('only its owner may read a views file', async () => {
  await foldedThen(() => undefined)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a views file keeps a write-ahead log, so that readers never wait for a fold', async () => {
  await foldedThen((database) => expect(database.pragma('journal_mode', { simple: true })).toBe('wal'))
})

test('what is folded already is not folded again by the next process', async () => {
  await foldedThen((database) => database.exec('UPDATE tallies SET events = 1000'))
  const views = await openSample(log, file)
  expect(await views.read(totalOf)).toBe(3000)
  await views.close()
})

test('views of another log are thrown away', async () => {
  await foldedThen(() => undefined)
  log = openMemoryStore(systemSource)
  await say(log, 4, ['other'])
  await expectWhole()
})

test('views that are ahead of the log are thrown away', async () => {
  await foldedThen((database) =>
    database.exec('UPDATE checkpoint SET position = 999, revision = 999; UPDATE tallies SET events = 0'),
  )
  await expectWhole()
})

test('views whose last event is another one in the log are thrown away', async () => {
  await foldedThen((database) =>
    database.exec(`UPDATE checkpoint SET hash = '${'0'.repeat(64)}'; UPDATE tallies SET events = 0`),
  )
  await expectWhole()
})

test('views of another version of a projection are thrown away', async () => {
  await foldedThen((database) => database.exec('UPDATE tallies SET events = 0'))
  const newer = sampleProjections.map((projection) => ({ ...projection, version: 2 }))
  const views = await openSample(log, file, { projections: newer })
  expect(await views.read(totalOf)).toBe(20)
  await views.close()
})

test.each([
  [
    'a file of other bytes',
    () => writeFileSync(file, 'This is no database, though it is long enough to be looked at as one. '.repeat(99)),
  ],
  ['an empty file', () => writeFileSync(file, '')],
  ['a page overwritten', () => overwrite(4096, 4096)],
  ['all but the header overwritten', () => overwrite(100, 40_000)],
  ['the file cut short', () => writeFileSync(file, readBytes().subarray(0, 9000))],
  [
    'the file deleted and its side files left',
    () => {
      writeFileSync(`${file}-wal`, 'left')
      writeFileSync(`${file}-shm`, 'left')
      rmSync(file)
    },
  ],
])('%s is folded anew', async (_, harm) => {
  await foldedThen(() => undefined)
  harm()
  await expectWhole()
})

function readBytes(): Buffer {
  const database = new Database(file)
  const bytes = database.serialize()
  database.close()
  return bytes
}

function overwrite(from: number, length: number): void {
  const bytes = readBytes()
  writeFileSync(file, bytes.fill(0xa5, from, Math.min(from + length, bytes.length)))
}

test.each([
  ['tables', 'DROP TABLE words'],
  [
    'a column of JSON or text',
    'DROP TABLE stream_names; CREATE TABLE stream_names (stream_key INTEGER PRIMARY KEY, name TEXT)',
  ],
  ['the checkpoint', 'DELETE FROM checkpoint'],
  ['the checkpoint table', 'DROP TABLE checkpoint'],
])('views that lost %s are folded anew', async (_, sql) => {
  await foldedThen((database) => database.exec(sql))
  await say(log, 5)
  await expectWhole()
})

test('views that are deleted while they are open are folded anew', async () => {
  const views = await openSample(log, file)
  expect(await views.read(totalOf)).toBe(20)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  await say(log, 2)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  expect(existsSync(file)).toBe(true)
  await views.close()
})

test('two openings share the work, and each sees what the other folded', async () => {
  const [one, two] = [await openSample(log, file, { pageSize: 3 }), await openSample(log, file, { pageSize: 4 })]
  for (let round = 0; round < 10; round += 1) {
    await say(log, 7)
    const [a, b] = await Promise.all([one.read(everything), two.read(everything)])
    expect(a).toStrictEqual(await expected(log))
    expect(b).toStrictEqual(a)
  }
  await one.rebuild()
  expect(await two.read(everything)).toStrictEqual(await expected(log))
  await Promise.all([one.close(), two.close()])
})

test('rows remembered from an earlier fold give way to what another opening folded meanwhile', async () => {
  const [one, two] = [await openSample(log, file), await openSample(log, file)]
  for (let round = 0; round < 3; round += 1) {
    for (const views of [one, two]) {
      await say(log, 5)
      expect(await views.read(everything)).toStrictEqual(await expected(log))
    }
  }
  await Promise.all([one.close(), two.close()])
})

test('nothing is remembered of rows that another process has thrown away and made anew', async () => {
  const views = await openSample(log, file)
  await views.catchUp()
  const other = new Database(file)
  // As after a fold in which the streams got other keys.
  other.exec(`BEGIN;
    UPDATE checkpoint SET generation = generation + 1;
    UPDATE stream_names SET stream_key = -stream_key;
    UPDATE tallies SET stream = -stream;
    UPDATE words SET stream = -stream;
    COMMIT`)
  other.close()
  expect(await views.read((rows) => rows.tallies.get('session-views.a')?.events)).toBe(7)
  await say(log, 9)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('a read that is overtaken by a reset reads again', async () => {
  await foldedThen(() => undefined)
  const { position } = await log.logHead()
  let isOvertaken = false
  const resettingLog = new Proxy(log, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        if (name === 'logHead' && !isOvertaken) {
          isOvertaken = true
          const other = new Database(file)
          other.exec(`BEGIN;
            UPDATE checkpoint SET generation = generation + 1, position = 0, hash = '${CHAIN_START}', stream = NULL, revision = NULL;
            DELETE FROM tallies;
            DELETE FROM words;
            COMMIT`)
          other.close()
        }
        return Reflect.apply(member, target, given)
      }
    },
  })
  const views = await openSample(resettingLog, file)
  expect(await views.read(totalOf, position)).toBe(20)
  expect(isOvertaken).toBe(true)
  await views.close()
})

test('a fold that fails leaves rows and checkpoint as they were, and the next one works', async () => {
  let isBroken = true
  const [third] = await log.readAll({ after: (await log.readAll({ limit: 6 })).at(-1)?.position ?? 0, limit: 1 })
  if (!third) throw new Error('the log has 20 events')
  const breaking = sampleProjections.map((projection) => ({
    ...projection,
    rules: {
      ...projection.rules,
      Noted: (...given: Parameters<NonNullable<typeof projection.rules.Noted>>) => {
        projection.rules.Noted?.(...given)
        if (isBroken && projection.name === 'saying' && given[0].position > third.position)
          throw new Error('a rule with a fault')
      },
    },
  }))
  const views = await openSample(log, file, { projections: breaking, pageSize: 4 })
  await expect(views.catchUp()).rejects.toThrow('a rule with a fault')
  isBroken = false
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('where no file can be made, reads fold in memory', async () => {
  writeFileSync(file, '')
  const views = await openSample(log, join(file, 'no-folder', 'views.db'))
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await say(log, 2)
  expect(await views.read(totalOf)).toBe(22)
  await expect(views.catchUp()).rejects.toMatchObject({ name: 'RefoldError' })
  await views.close()
})

test('a closed one refuses', async () => {
  const views = await openSample(log, file)
  await views.close()
  await views.close()
  await expect(views.read(totalOf)).rejects.toMatchObject({ code: 'store-closed' })
  await expect(views.catchUp()).rejects.toMatchObject({ code: 'store-closed' })
})

test('decider states come back as they were saved, also to the next process, and go with damaged views', async () => {
  const snapshot = { revision: 7, hash: 'f'.repeat(64), version: 1, state: { title: 'x', list: [1, null] } }
  const views = await openSample(log, file)
  await views.catchUp()
  expect(views.snapshots.load('s')).toBeUndefined()
  views.snapshots.save('s', { ...snapshot, revision: 3 })
  views.snapshots.save('s', snapshot)
  await views.close()
  const next = await openSample(log, file)
  expect(next.snapshots.load('s')).toStrictEqual(snapshot)
  await next.rebuild()
  expect(next.snapshots.load('s')).toBeUndefined()
  await next.close()
  expect(next.snapshots.load('s')).toBeUndefined()
})
