import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { makeStore, start } from '../interop/hermes/made-store.ts'
import { scratchFolder, store } from './call.ts'
import { main, spawned } from './spawned.ts'

const talk = 1600

const longHistory = (): string =>
  makeStore({
    sessions: Array.from({ length: 40 }, (_, at) => ({ id: `h${at}`, source: 'cli', started_at: start + at })),
    messages: Array.from({ length: talk }, (_, at) => ({
      id: at + 1,
      session_id: `h${at % 40}`,
      role: at % 80 < 40 ? 'user' : 'assistant',
      content: `Message ${at}`,
      timestamp: start + 100 + at,
    })),
  })

/** Bytes that the store's log of changes holds. */
const written = (db: string): number => statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0

test('an import that is interrupted stops where it is safe, and the next one goes on', async () => {
  const { db, refold } = store()
  const scratch = scratchFolder(onTestFinished)
  const history = longHistory()
  const child = spawn(process.execPath, [main, 'import', history, '--db', db], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.on('close', (status, signal) => resolve(signal ?? status))
  })
  while (written(db) < 200_000 && child.exitCode === null) await sleep(5)
  child.kill('SIGINT')
  const how = await ended
  // On a fast machine the import may be through already.
  expect(['SIGINT', 0]).toContain(how)
  expect(errors).toBe(
    how === 0 ? '' : 'refold: Stopped. What was written stays; running the command again goes on from there.\n',
  )
  expect(readdirSync(scratch)).toEqual([])

  await refold(['import', history])
  const { sessions } = await refold(['list', '--limit', '1000'])
  expect(sessions).toHaveLength(40)
  expect(sessions.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0)).toBe(talk)
  expect((await refold(['import', history])).sources[0]).toMatchObject({ events: 0, messages: 0 })
})

test('a store that another process keeps locked is busy, and reading goes on', async () => {
  const { db, refold } = store()
  await refold(['start', '--id', 's1'])
  const other = new Database(db)
  onTestFinished(() => {
    other.close()
  })
  other.exec('BEGIN IMMEDIATE')
  const [pinned, listed] = await Promise.all([
    spawned(['pin', 's1', '--db', db, '--json']),
    spawned(['list', '--db', db, '--json']),
  ])
  expect([pinned.status, JSON.parse(pinned.output).error.code]).toEqual([4, 'store-busy'])
  expect([listed.status, JSON.parse(listed.output).total]).toEqual([0, 1])
  other.exec('ROLLBACK')
  expect(await refold(['pin', 's1'])).toMatchObject({ events: ['SettingChanged'] })
})
