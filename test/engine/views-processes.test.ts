import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore, type SqliteStore } from '@refold/engine'
import { runScript, type RunningScript } from './processes/child-process.ts'
import { temporaryFolder } from './sqlite/temporary-folder.ts'
import { everything, expected, openSample, say, totalOf } from './views-sample.ts'

let folder: string
let logFile: string
let file: string
let log: SqliteStore

beforeEach(async () => {
  folder = temporaryFolder()
  logFile = join(folder, 'log.db')
  file = join(folder, 'log.views.db')
  log = await openSqliteStore({ file: logFile, durability: 'system' })
  onTestFinished(() => log.close())
})

/** Written in TypeScript and built with the tests, which `npm test` does before it runs them. */
const run = (name: string, ...args: readonly (string | number)[]): RunningScript =>
  runScript(`../../dist/built/engine/processes/${name}.js`, args.map(String))

/** Position up to which the file's rows are folded, as any SQLite program sees it. */
function foldedUpTo(file: string): number {
  const database = new Database(file, { readonly: true })
  const hasTables = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'`).get() !== undefined
  const position = hasTables ? database.prepare('SELECT position FROM checkpoint').pluck().get() : 0
  database.close()
  return Number(position)
}

/** Appends slowly, so that others fold meanwhile. */
async function sayInParts(parts: number, each: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    await say(log, each)
    await sleep(1)
  }
}

test('processes that fold at the same time fold each event once', async () => {
  const readers = [3, 10, 64].map((pageSize) => run('views-reader', logFile, file, pageSize, 3000))
  await Promise.all(readers.map((reader) => reader.line((line) => line === 'open')))
  const views = await openSample(log, file, { pageSize: 17 })
  await Promise.all([sayInParts(100, 30), views.read(totalOf, 1000)])
  expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual([0, 0, 0])
  expect(readers.map(({ lines }) => lines.at(-1))).toEqual(['total 3000', 'total 3000', 'total 3000'])
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('processes that meet a damaged file at the same time agree on one new file', async () => {
  await say(log, 400)
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(file, 'No database at all, and long enough to be looked at as one. '.repeat(500))
    const readers = [5, 6, 7].map((pageSize) => run('views-reader', logFile, file, pageSize, 400))
    expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    expect(readers.map(({ lines }) => lines.at(-1))).toEqual(['total 400', 'total 400', 'total 400'])
    const views = await openSample(log, file)
    await views.catchUp()
    expect(await views.read(everything)).toStrictEqual(await expected(log))
    await views.close()
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  }
})

test('a fold that is killed anywhere is taken up where it committed last', async () => {
  await say(log, 6000)
  const head = await log.logHead()
  for (let round = 0; round < 8; round += 1) {
    const reader = run('views-reader', logFile, file, 4, 6000)
    await reader.line((line) => line === 'open')
    const before = foldedUpTo(file)
    while (foldedUpTo(file) === before) await sleep(1)
    reader.process.kill('SIGKILL')
    await reader.ended
    expect(foldedUpTo(file)).toBeLessThan(head.position)
  }
  const views = await openSample(log, file)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('while a stopped process holds the views, appends go on and reads fold in memory what is missing', async () => {
  await say(log, 50)
  const views = await openSample(log, file, { waitMs: 100 })
  await views.catchUp()
  const goFile = join(folder, 'go')
  const holder = run('views-holder', file, goFile)
  await holder.line((line) => line === 'held')
  holder.process.kill('SIGSTOP')

  await say(log, 30)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await say(log, 5)
  const { logId, position, hash } = await log.logHead()
  expect(await views.read((rows, checkpoint) => [totalOf(rows), checkpoint])).toEqual([85, { logId, position, hash }])
  await expect(views.catchUp()).rejects.toMatchObject({ code: 'views-behind' })
  views.snapshots.save('s', { revision: 0, hash: '', version: 1, state: null })
  const newcomer = await openSample(log, file, { waitMs: 100 })
  expect(await newcomer.read(totalOf)).toBe(85)
  await newcomer.close()

  writeFileSync(goFile, '')
  holder.process.kill('SIGCONT')
  await holder.ended
  expect((await views.catchUp()).position).toBe(position)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})

test('where too much is missing to fold it in memory, the read says that the views are behind', async () => {
  const views = await openSample(log, file, { waitMs: 20, mostEventsInMemory: 10 })
  await say(log, 5)
  await views.catchUp()
  const holder = run('views-holder', file, join(folder, 'go'))
  await holder.line((line) => line === 'held')
  await say(log, 10)
  expect(await views.read(totalOf)).toBe(15)
  await say(log, 1)
  await expect(views.read(totalOf)).rejects.toMatchObject({ code: 'views-behind', fields: { missing: 11 } })
  holder.process.kill('SIGKILL')
  await holder.ended
  expect(await views.read(totalOf)).toBe(16)
  await views.close()
})

test('a file that is damaged while one process holds it open and another comes does not mislead either', async () => {
  await say(log, 100)
  const views = await openSample(log, file)
  await views.catchUp()
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  const reader = run('views-reader', logFile, file, 10, 100)
  expect(await reader.ended).toBe(0)
  await say(log, 10)
  expect(await views.read(everything)).toStrictEqual(await expected(log))
  await views.close()
})
