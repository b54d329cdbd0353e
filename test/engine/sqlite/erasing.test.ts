import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore, type SqliteStore } from '@refold/engine'
import { saying, several, to } from '../contract/made-events.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = 'the-secret-that-must-go'

async function storeWithSecrets(): Promise<SqliteStore> {
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'log.db') })
  onTestFinished(() => store.close())
  const long = `${SECRET} `.repeat(2_000)
  await store.append(to('a', 'no-stream', ...several(20), saying(`short ${SECRET}`), saying(long), ...several(20)))
  const blob = { hash: 'ab'.repeat(32), bytes: new TextEncoder().encode(`in a blob: ${long}`) }
  await store.append({ ...to('a', 41, saying('refers to the blob')), blobs: [blob] })
  return store
}

const isAnywhere = ({ file }: SqliteStore): boolean =>
  [file, `${file}-wal`].some((path) => readFileSync(path, 'latin1').includes(SECRET))

async function eraseAll(store: SqliteStore): Promise<void> {
  await store.transact((log) => {
    log.erase({ stream: 'a', revision: 20 }, null)
    log.erase({ stream: 'a', revision: 21 }, saying('masked').payload)
    log.eraseBlob('ab'.repeat(32))
  })
}

test('what was erased is nowhere in the files once they are cleaned', async () => {
  const store = await storeWithSecrets()
  expect(isAnywhere(store)).toBe(true)
  await eraseAll(store)
  expect(await store.clean()).toBe(true)
  expect(isAnywhere(store)).toBe(false)
  expect(await store.readStream('a', { limit: 100 })).toHaveLength(43)
})

test('cleaning says when another reader still needs the old pages, and works once that is gone', async () => {
  const store = await storeWithSecrets()
  const other = new Database(store.file)
  onTestFinished(() => {
    other.close()
  })
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM events').get()
  await eraseAll(store)
  expect(await store.clean()).toBe(false)
  other.exec('COMMIT')
  expect(await store.clean()).toBe(true)
  expect(isAnywhere(store)).toBe(false)
})
