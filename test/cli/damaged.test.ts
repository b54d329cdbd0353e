import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { viewsFileOf } from '@refold/engine'
import { store } from './call.ts'

test('an empty file is no store, and no reading command makes it one', async () => {
  const { db, refold } = store()
  writeFileSync(db, '')
  for (const words of [['list'], ['show', 's'], ['context', 's'], ['usage']])
    expect(await refold(words, { exit: 3 })).toMatchObject({ error: { code: 'not-a-store' } })
  expect(readFileSync(db)).toHaveLength(0)
  expect(existsSync(viewsFileOf(db))).toBe(false)
  await refold(['start', '--id', 's'])
  expect(await refold(['list'])).toMatchObject({ total: 1 })
})

test('a log whose tables are gone is damaged', async () => {
  const { db, refold } = store()
  await refold(['start', '--id', 's'])
  const database = new Database(db)
  database.exec('DROP TABLE blobs')
  database.close()
  expect(await refold(['list'], { exit: 3 })).toMatchObject({ error: { code: 'store-damaged' } })
  expect(await refold(['doctor'], { exit: 3 })).toMatchObject({ error: { code: 'store-damaged' } })
})
