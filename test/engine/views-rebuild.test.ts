import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import type { EventStore } from '@refold/events'
import { openMemoryStore, systemSource, type RebuildProgress } from '@refold/engine'
import { temporaryFolder } from './sqlite/temporary-folder.ts'
import { everything, expected, openSample, say, totalOf } from './views-sample.ts'

let log: EventStore
let file: string

beforeEach(async () => {
  log = openMemoryStore(systemSource)
  await say(log, 30)
  file = join(temporaryFolder(), 'log.views.db')
})

/** Views that hold wrong numbers, which only a rebuild puts right. */
async function withWrongRows(): Promise<void> {
  const views = await openSample(log, file)
  await views.catchUp()
  await views.close()
  const database = new Database(file)
  database.exec('UPDATE tallies SET events = 100')
  database.close()
}

test('a rebuild puts wrong rows right, tells how far it is, and leaves no other file', async () => {
  await withWrongRows()
  const views = await openSample(log, file, { pageSize: 10 })
  expect(await views.read(totalOf)).toBe(300)
  const told: RebuildProgress[] = []
  const { position: head } = await log.logHead()
  await views.rebuild({ onProgress: (progress) => told.push(progress) })
  expect(told.map(({ events }) => events)).toEqual([10, 20, 30])
  expect(told.at(-1)).toEqual({ events: 30, position: head, head })
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
  expect(readdirSync(dirname(file)).toSorted()).toEqual([basename(file), `${basename(file)}-lock`])
})

test('until the swap readers see the rows as they were, and whole', async () => {
  await withWrongRows()
  const views = await openSample(log, file, { pageSize: 10 })
  const other = await openSample(log, file)
  const seen: Promise<number>[] = []
  await views.rebuild({ onProgress: () => seen.push(views.read(totalOf), other.read(totalOf)) })
  // Those that were asked during the last page may be answered after the swap.
  for (const total of await Promise.all(seen)) expect([300, 30]).toContain(total)
  expect(await seen[0]).toBe(300)
  expect(await other.read(everything)).toStrictEqual(await expected(log))
  await Promise.all([views.close(), other.close()])
})

test('a cancelled rebuild changes nothing and goes on where it was when asked for again', async () => {
  await withWrongRows()
  const views = await openSample(log, file, { pageSize: 10 })
  const cancel = new AbortController()
  const reason = new Error('enough for today')
  const rebuilding = views.rebuild({ signal: cancel.signal, onProgress: () => cancel.abort(reason) })
  await expect(rebuilding).rejects.toBe(reason)
  expect(await views.read(totalOf)).toBe(300)
  await say(log, 5)
  const told: number[] = []
  await views.rebuild({ onProgress: ({ events }) => told.push(events) })
  expect(told).toEqual([10, 20, 25])
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('what a killed rebuild left is used only if it is sound', async () => {
  await withWrongRows()
  writeFileSync(`${file}-rebuild`, 'half of a file, and no database at all. '.repeat(500))
  const views = await openSample(log, file)
  await views.rebuild()
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  expect(existsSync(`${file}-rebuild`)).toBe(false)
  await views.close()
})

test('a rebuild of views in memory gives the same rows and can be cancelled', async () => {
  const views = await openSample(log, undefined, { pageSize: 10 })
  await views.catchUp()
  const told: number[] = []
  await views.rebuild({ onProgress: ({ events }) => told.push(events) })
  expect(told).toEqual([10, 20, 30])
  await expect(views.rebuild({ signal: AbortSignal.abort('no') })).rejects.toBe('no')
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('scrubbing leaves no decider state in any file beside the log, also while the views stay open', async () => {
  const views = await openSample(log, file, { pageSize: 10 })
  await views.catchUp()
  const cancel = new AbortController()
  const rebuilding = views.rebuild({ signal: cancel.signal, onProgress: () => cancel.abort() })
  await expect(rebuilding).rejects.toThrow()
  views.snapshots.save('s', { revision: 0, hash: '', version: 1, state: 'a secret that was told' })
  // Another process looks: opening and closing the files here would drop SQLite's locks.
  const filesWith = (words: string): string =>
    spawnSync('grep', ['-rlaF', words, dirname(file)], { encoding: 'utf8' }).stdout
  expect(filesWith('a secret that was told')).toContain(file)
  expect(await views.scrub()).toBe(true)
  expect(filesWith('a secret that was told')).toBe('')
  expect(existsSync(`${file}-rebuild`)).toBe(false)
  expect(views.snapshots.load('s')).toBeUndefined()
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('scrubbing says so when a reader is in the way', async () => {
  const views = await openSample(log, file)
  await views.catchUp()
  const reader = new Database(file)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM words').get()
  views.snapshots.save('s', { revision: 0, hash: '', version: 1, state: 'x' })
  expect(await views.scrub()).toBe(false)
  reader.exec('COMMIT')
  expect(await views.scrub()).toBe(true)
  reader.close()
  await views.close()
})

test('scrubbing views in memory forgets decider states', async () => {
  const views = await openSample(log)
  views.snapshots.save('s', { revision: 0, hash: '', version: 1, state: 'x' })
  expect(await views.scrub()).toBe(true)
  expect(views.snapshots.load('s')).toBeUndefined()
  await views.close()
})
