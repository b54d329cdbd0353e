import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore, type SqliteStore } from '@refold/engine'
import { freshStream, saying, several, taken, to, wordsOf } from '../contract/made-events.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A store that is closed with the test. */
async function open(file: string, options: { readonly waitMs?: number } = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({ file, ...options })
  onTestFinished(() => store.close())
  return store
}

async function closedStore(events: number): Promise<string> {
  const file = join(temporaryFolder(), 'log.db')
  const store = await openSqliteStore({ file })
  await store.append(to('a', 'no-stream', ...several(events)))
  await store.close()
  return file
}

describe('what is no store', () => {
  test.each(['read', 'write', 'create'] as const)('a text file is refused and left as it is, to %s', async (access) => {
    const file = join(temporaryFolder(), 'notes.txt')
    const text = 'These are my notes. '.repeat(500)
    writeFileSync(file, text)
    await expect(openSqliteStore({ file, access })).rejects.toMatchObject({ code: 'not-a-store', fields: { file } })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test.each(['read', 'write', 'create'] as const)(
    "another program's database is refused and left as it is, to %s",
    async (access) => {
      const file = join(temporaryFolder(), 'other.db')
      const other = new Database(file)
      other.exec('CREATE TABLE events (id TEXT); PRAGMA user_version = 1')
      other.close()
      const before = readFileSync(file)
      await expect(openSqliteStore({ file, access })).rejects.toMatchObject({ code: 'not-a-store' })
      expect(readFileSync(file).equals(before)).toBe(true)
    },
  )

  test('a folder is refused', async () => {
    const file = join(temporaryFolder(), 'folder')
    mkdirSync(file)
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: 'not-a-store' })
  })
})

describe('what a newer Refold wrote', () => {
  test.each(['read', 'write', 'create'] as const)(
    'a newer format is refused and left as it is, to %s',
    async (access) => {
      const file = await closedStore(3)
      const database = new Database(file)
      database.pragma('user_version = 99')
      database.close()
      await expect(openSqliteStore({ file, access })).rejects.toMatchObject({
        code: 'store-newer',
        fields: { file, found: 99, known: 1 },
      })
    },
  )

  test('a log with a newer version of an event is read and not written, by those who have it open too', async () => {
    const file = await closedStore(1)
    const early = await open(file)
    await early.append(to('b', 'no-stream', saying('one'), saying('two', { version: 2 })))
    const late = await open(file)
    for (const store of [early, late]) {
      expect(await store.readStream('b', { limit: 5 })).toMatchObject([{ version: 1 }, { version: 2, unknown: true }])
      await expect(store.append(to('b', 'any', saying('never')))).rejects.toMatchObject({
        code: 'store-newer',
        fields: { found: 2, known: 1 },
      })
    }
  })

  test('an unknown type of any version hinders nobody', async () => {
    const store = await open(await closedStore(1))
    taken(await store.append(to('b', 'any', saying('x', { type: 'FromElsewhere', version: 9 }))))
    taken(await store.append(to('b', 'any', saying('y'))))
  })
})

describe('a file that is not the one that was opened', () => {
  const changes: readonly [string, (file: string) => void][] = [
    ['deleted', (file) => rmSync(file)],
    [
      'replaced by a copy',
      (file) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
  ]
  test.each(changes)('%s: appends and reads say so', async (_, change) => {
    const file = await closedStore(2)
    const store = await open(file)
    change(file)
    await expect(store.append(to('a', 'any', saying('lost')))).rejects.toMatchObject({ code: 'store-replaced' })
    await expect(store.readStream('a', { limit: 1 })).rejects.toMatchObject({
      code: 'store-replaced',
      fields: { file },
    })
  })
})

describe('a damaged file', () => {
  test('pages full of rubbish are noticed when they are read', async () => {
    const file = await closedStore(500)
    const size = readFileSync(file).length
    const handle = openSync(file, 'r+')
    for (let page = 8; page * 4096 < size; page += 1) writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096)
    closeSync(handle)
    const store = await open(file)
    await expect(store.readAll({ limit: 1000 })).rejects.toMatchObject({ code: 'store-damaged', fields: { file } })
  })

  test('a file cut short is noticed', async () => {
    const file = await closedStore(500)
    truncateSync(file, 40_960)
    const failure = await (async () => (await open(file)).readAll({ limit: 1000 }))().catch(
      (problem: unknown) => problem,
    )
    expect(failure).toMatchObject({ code: 'store-damaged', cause: expect.any(Database.SqliteError) })
  })

  test('a payload that is no JSON any more is named by its position', async () => {
    const file = await closedStore(3)
    const database = new Database(file)
    database.exec(`UPDATE events SET payload = '{"half' WHERE position = 2`)
    database.close()
    const store = await open(file)
    await expect(store.readAll({ limit: 10 })).rejects.toMatchObject({
      code: 'store-damaged',
      fields: { problem: 'the event at position 2 is no JSON' },
    })
    expect(await store.readAll({ after: 2, limit: 10 })).toHaveLength(1)
  })
})

describe('a lock that somebody else holds', () => {
  test('is waited for without blocking, a stated time, and reading goes on', async () => {
    const file = await closedStore(2)
    const store = await open(file, { waitMs: 100 })
    const other = new Database(file)
    onTestFinished(() => {
      other.close()
    })
    other.exec('BEGIN IMMEDIATE')
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 5)
    const waiting = [store.append(to('a', 'any', saying('x'))), store.append(to('b', 'any', saying('y')))]
    expect(await store.readStream('a', { limit: 10 })).toHaveLength(2)
    for (const { reason } of await refusals(waiting)) {
      expect(reason).toMatchObject({ code: 'store-busy', fields: { file } })
    }
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(0)
    other.exec('ROLLBACK')
    expect(await store.append(to('a', 1, saying('at last')))).toMatchObject({ ok: true })
  })

  test('is taken as soon as it is free, by all who waited', async () => {
    const store = await open(await closedStore(1))
    const other = new Database(store.file)
    other.exec('BEGIN IMMEDIATE')
    const waiting = Array.from({ length: 10 }, () => store.append(to(freshStream(), 'no-stream', saying('waited'))))
    await sleep(30)
    other.exec('COMMIT')
    other.close()
    for (const answer of await Promise.all(waiting)) taken(answer)
  })
})

/** A file system of one megabyte, or why there is none. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
  })
  return folder
}

describe('a full disk', () => {
  test('tells every caller of the group, keeps what was there, and is over when there is space again', async (context) => {
    const folder = smallDisk()
    if (folder === undefined) {
      context.skip('only root can mount a small disk')
      return
    }
    const store = await open(join(folder, 'log.db'))
    taken(await store.append(to('a', 'no-stream', saying('before'))))
    const ballast = join(folder, 'ballast')
    writeFileSync(ballast, Buffer.alloc(300_000))
    const large = saying('x'.repeat(900_000))
    const group = [
      store.append(to('b', 'any', saying('small'))),
      store.append(to('b', 'any', large)),
      store.transact((log) => {
        try {
          return log.append(to('c', 'any', saying('goes on as if nothing were')))
        } catch {
          return 'swallowed'
        }
      }),
    ]
    for (const { reason } of await refusals(group)) expect(reason).toMatchObject({ code: 'store-full' })
    expect(wordsOf(await store.readAll({ limit: 10 }))).toEqual(['before'])
    rmSync(ballast)
    taken(await store.append(to('a', 0, saying('after'))))
    expect(wordsOf(await store.readAll({ limit: 10 }))).toEqual(['before', 'after'])
  })

  test('is said when a store is to be made on it', async (context) => {
    const folder = smallDisk()
    if (folder === undefined) {
      context.skip('only root can mount a small disk')
      return
    }
    try {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(2_000_000))
    } catch {
      // it is full now, as it should be
    }
    await expect(openSqliteStore({ file: join(folder, 'log.db') })).rejects.toMatchObject({ code: 'store-full' })
  })
})

/** All of these were refused. */
async function refusals(answers: readonly Promise<unknown>[]): Promise<PromiseRejectedResult[]> {
  const settled = await Promise.allSettled(answers)
  const rejected = settled.filter((result) => result.status === 'rejected')
  expect(rejected).toHaveLength(answers.length)
  return rejected
}
