import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '@refold/engine'
import { saying, to, wordsOf } from '../contract/made-events.ts'
import { runScript } from '../processes/child-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('creating', () => {
  test('a store is made with its folders, for its owner alone, side files too', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'new', 'deep', 'log.db')
    const store = await openSqliteStore({ file })
    await store.append(to('a', 'no-stream', saying('hello')))
    expect(permissions(join(folder, 'new'))).toBe('700')
    expect(permissions(join(folder, 'new', 'deep'))).toBe('700')
    expect([file, `${file}-wal`, `${file}-shm`].map(permissions)).toEqual(['600', '600', '600'])
    await store.close()
    expect(readdirSync(join(folder, 'new', 'deep'))).toEqual(['log.db'])
  })

  test('the file says that it is a Refold store of format 1, in strict tables on 4 KiB pages in WAL mode', async () => {
    const file = join(temporaryFolder(), 'log.db')
    await (await openSqliteStore({ file })).close()
    const database = new Database(file)
    const pragma = (name: string): unknown => database.pragma(name, { simple: true })
    expect(pragma('application_id')).toBe(0x5265_666f)
    expect(pragma('user_version')).toBe(1)
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('page_size')).toBe(4096)
    const tables = database.prepare(
      "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'",
    )
    expect(tables.pluck().all()).toEqual([1, 1, 1, 1, 1, 1])
    database.close()
  })

  test('those who open a new file at the same time share one store', async () => {
    const file = join(temporaryFolder(), 'log.db')
    const stores = await Promise.all(Array.from({ length: 8 }, () => openSqliteStore({ file })))
    const heads = await Promise.all(stores.map((store) => store.logHead()))
    expect(new Set(heads.map(({ logId }) => logId)).size).toBe(1)
    expect(new Set(stores.map(({ secret }) => secret)).size).toBe(1)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('a store keeps its name, its secret and its events when it is opened again', async () => {
    const file = join(temporaryFolder(), 'log.db')
    const first = await openSqliteStore({ file })
    await first.append(to('a', 'no-stream', saying('kept')))
    const [head, secret] = [await first.logHead(), first.secret]
    await first.close()
    const second = await openSqliteStore({ file, access: 'write' })
    expect(await second.logHead()).toEqual(head)
    expect(second.secret).toBe(secret)
    expect(wordsOf(await second.readStream('a', { limit: 1 }))).toEqual(['kept'])
    await second.close()
  })

  test('an empty file, as a crash may leave it, becomes a store', async () => {
    const file = join(temporaryFolder(), 'log.db')
    writeFileSync(file, '')
    const store = await openSqliteStore({ file })
    expect(await store.append(to('a', 'no-stream', saying('hello')))).toMatchObject({ ok: true })
    await store.close()
  })
})

describe('durability', () => {
  test.each(['disk', 'system'] as const)('asked for %s, the store and its answers say so', async (durability) => {
    const store = await openSqliteStore({ file: join(temporaryFolder(), 'log.db'), durability })
    expect(store.capabilities.durability).toBe(durability)
    expect(await store.append(to('a', 'no-stream', saying('x')))).toMatchObject({ durability })
    await store.close()
  })

  test('not asked, it is the disk', async () => {
    const store = await openSqliteStore({ file: join(temporaryFolder(), 'log.db') })
    expect(store.capabilities.durability).toBe('disk')
    await store.close()
  })
})

describe('what is only to be used if it is there', () => {
  test.each(['read', 'write'] as const)('opening to %s creates nothing', async (access) => {
    const folder = temporaryFolder()
    const file = join(folder, 'none', 'log.db')
    await expect(openSqliteStore({ file, access })).rejects.toMatchObject({ code: 'store-missing', fields: { file } })
    expect(readdirSync(folder)).toEqual([])
  })

  test('an empty file is no store to read', async () => {
    const file = join(temporaryFolder(), 'log.db')
    writeFileSync(file, '')
    await expect(openSqliteStore({ file, access: 'read' })).rejects.toMatchObject({ code: 'store-missing' })
    expect(statSync(file).size).toBe(0)
  })
})

describe('reading alone', () => {
  test('shows what is there and what others append, refuses to append, and leaves no file behind', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'log.db')
    const writer = await openSqliteStore({ file })
    await writer.append(to('a', 'no-stream', saying('before')))
    const reader = await openSqliteStore({ file, access: 'read' })
    await writer.append(to('a', 0, saying('after')))
    expect(wordsOf(await reader.readStream('a', { limit: 10 }))).toEqual(['before', 'after'])
    await expect(reader.append(to('a', 1, saying('never')))).rejects.toMatchObject({ code: 'store-readonly' })
    await writer.close()
    await reader.close()
    expect(readdirSync(folder)).toEqual(['log.db'])
  })

  /** A user without rights to the folder; a test run by root borrows the one that has none anywhere. */
  const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

  test.skipIf(process.platform === 'win32')('needs no right to write while a writer is at work', async () => {
    const folder = join(temporaryFolder(), 'locked')
    mkdirSync(folder)
    const file = join(folder, 'log.db')
    const store = await openSqliteStore({ file })
    onTestFinished(async () => {
      chmodSync(folder, 0o755)
      await store.close()
    })
    await store.append(to('a', 'no-stream', saying('one'), saying('two')))
    chmodSync(join(folder, '..'), 0o755)
    for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o444)
    chmodSync(folder, 0o555)
    const tell = async (access: string): Promise<unknown> => {
      const script = runScript('try-store.mjs', [file, access], stranger)
      await script.ended
      return JSON.parse(script.lines.at(-1) ?? 'null')
    }
    expect(await tell('read')).toEqual({ open: 'done', read: 2, append: 'store-readonly' })
    expect(await tell('write')).toEqual({ open: 'store-readonly' })
    chmodSync(file, 0o000)
    expect(await tell('read')).toEqual({ open: 'store-readonly' })
  })
})
