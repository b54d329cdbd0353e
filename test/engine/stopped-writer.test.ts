import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '@refold/engine'
import { runScript } from './processes/child-process.ts'
import { temporaryFolder } from './sqlite/temporary-folder.ts'

test('while a stopped process holds the lock others are told busy in time, and go on when it does', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'log.db')
  const goFile = join(folder, 'go')
  const waitMs = 300
  await (await openSqliteStore({ file })).close()
  const names = ['a1', 'b2', 'c3']

  const holder = runScript('lock-holder.mjs', [file, goFile])
  await holder.line((line) => line === 'inside')
  holder.process.kill('SIGSTOP')
  const others = names.map((name) => runScript('patient-appender.mjs', [file, name, String(waitMs)]))
  for (const other of others) {
    const answer: unknown = JSON.parse(await other.line((line) => line.startsWith('{')))
    expect(answer).toMatchObject({ code: 'store-busy', fields: { file }, couldWorkMeanwhile: true })
    console.info(`busy after ${JSON.stringify(answer)}`)
  }
  const reader = await openSqliteStore({ file, access: 'read' })
  expect(await reader.readAll({ limit: 10 })).toEqual([])

  writeFileSync(goFile, '')
  holder.process.kill('SIGCONT')
  expect(await Promise.all([holder.ended, ...others.map(({ ended }) => ended)])).toEqual([0, 0, 0, 0])
  expect(holder.lines).toContain('committed')
  for (const other of others) expect(other.lines.at(-1)).toBe('{"ok":true}')
  const streams = (await reader.readAll({ limit: 10 })).map(({ stream }) => stream)
  expect(streams.toSorted()).toEqual(['session-held.one', ...names.map((name) => `session-patient.${name}`)])
  await reader.close()
})
