import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { doctorOfFile, openEngine, searchFileOf, viewsFileOf } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'
import { codesOf, repaired, sampleStore, tamper, tamperViews } from './doctored.ts'

test('a healthy store has no findings', async () => {
  const file = await sampleStore()
  const report = await doctorOfFile(file)
  expect(report).toMatchObject({ ok: true, counts: {}, findings: [], mended: [], blobs: 1 })
  expect(report.views).toBe(report.position)
})

test('row-different: a changed column is named with both values and the events that made it', async () => {
  const file = await sampleStore()
  tamperViews(file, `UPDATE tips SET messages = 77 WHERE session = 'one'`)
  const { ok, findings } = await doctorOfFile(file)
  expect(ok).toBe(false)
  expect(findings).toMatchObject([
    {
      code: 'row-different',
      severity: 'damage',
      session: 'one',
      table: 'tips',
      key: ['session-default.one'],
      columns: [{ name: 'messages', stored: 77, folded: 2 }],
    },
  ])
  expect(findings[0]?.events?.[0]).toEqual({ stream: 'session-default.one', revision: 0 })
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('row-missing: a row that somebody took out is named', async () => {
  const file = await sampleStore()
  tamperViews(file, `DELETE FROM tips WHERE session = 'two'`)
  expect((await doctorOfFile(file)).findings).toMatchObject([
    { code: 'row-missing', table: 'tips', key: ['session-default.two'] },
  ])
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('row-extra: a row that the log does not give is named', async () => {
  const file = await sampleStore()
  tamperViews(file, `INSERT INTO titleNumbers VALUES ('default', 'Invented', 3)`)
  expect((await doctorOfFile(file)).findings).toMatchObject([
    { code: 'row-extra', table: 'titleNumbers', key: ['default', 'Invented'] },
  ])
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('many findings of one code are counted, and the first ones told', async () => {
  const file = await sampleStore()
  tamperViews(file, 'DELETE FROM entries')
  const { counts, findings } = await doctorOfFile(file, { mostOfOneCode: 2 })
  expect(counts).toEqual({ 'row-missing': 3 })
  expect(findings).toHaveLength(2)
})

test('state-different: what commands remember of a session is checked, too', async () => {
  const file = await sampleStore()
  const engine = await openEngine({ file, durability: 'system' })
  const long = await startIn(engine, 'long')
  for (let n = 0; n < 7; n += 1)
    sure(
      await long.append(Array.from({ length: 50 }, (_, i) => ({ id: `m${n}.${i}`, role: 'user', text: 'x' }) as const)),
    )
  sure(await engine.list())
  await engine.close()
  expect(await codesOf(file)).toMatchObject({ ok: true })
  tamperViews(file, `UPDATE session_states SET state = replace(state, '"purged":false', '"purged":true ')`)
  expect(await codesOf(file)).toMatchObject({ ok: false, counts: { 'state-different': 1 } })
  expect(await repaired(file)).toEqual(['rows-rebuilt', 'search-rebuilt'].slice(0, 1))
})

test('views-unreadable: a file of views that is no database', async () => {
  const file = await sampleStore()
  writeFileSync(viewsFileOf(file), 'No database at all. '.repeat(500))
  expect(await codesOf(file)).toEqual({ ok: false, counts: { 'views-unreadable': 1 } })
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('views-unreadable: a table that is gone', async () => {
  const file = await sampleStore()
  tamperViews(file, `UPDATE checkpoint SET hash = hash`)
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(viewsFileOf(file))
  database.exec('DROP TABLE tips')
  database.close()
  expect(await codesOf(file)).toEqual({ ok: false, counts: { 'views-unreadable': 1 } })
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('views-foreign and views-behind are no damage: the next read sees to them', async () => {
  const file = await sampleStore()
  const engine = await openEngine({ file, durability: 'system' })
  sure(await (await startIn(engine, 'three')).append({ role: 'user', text: 'later' }))
  await engine.close()
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'views-behind': 1, 'search-behind': 1 } })
  tamperViews(file, `UPDATE checkpoint SET log_id = 'another'`)
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'views-foreign': 1, 'search-behind': 1 } })
  expect(await repaired(file)).toEqual(['rows-rebuilt'])
})

test('views that are not there yet are no finding', async () => {
  const file = await sampleStore()
  for (const name of [viewsFileOf(file), searchFileOf(file)])
    for (const side of ['', '-wal', '-shm']) rmSync(name + side, { force: true })
  expect(await doctorOfFile(file)).toMatchObject({ ok: true, counts: {}, views: null })
})

test('search-unreadable and search-foreign: the index is made anew', async () => {
  const file = await sampleStore()
  tamper(searchFileOf(file), `UPDATE checkpoint SET log_id = 'another'`)
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'search-foreign': 1 } })
  writeFileSync(searchFileOf(file), 'No database at all. '.repeat(500))
  expect(await codesOf(file)).toEqual({ ok: false, counts: { 'search-unreadable': 1 } })
  expect(await repaired(file)).toEqual(['search-rebuilt'])
})

test('rebuild-leftover and log-set-aside: what lies beside the store is named', async () => {
  const file = await sampleStore()
  writeFileSync(`${viewsFileOf(file)}-rebuild`, '')
  writeFileSync(`${file}-wal.foreign`, '')
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'rebuild-leftover': 1, 'log-set-aside': 1 } })
  expect(await repaired(file)).toEqual(['leftovers-removed'])
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'log-set-aside': 1 } })
})

test('an engine looks at its own store while it is in use', async () => {
  const file = await sampleStore()
  const engine = await openEngine({ file, durability: 'system' })
  tamperViews(file, `UPDATE tips SET messages = 77 WHERE session = 'one'`)
  expect(await engine.doctor()).toMatchObject({ ok: false, counts: { 'row-different': 1 } })
  expect(await engine.doctor({ repair: true })).toMatchObject({ ok: true, mended: [{ action: 'rows-rebuilt' }] })
  expect(sure(await engine.list()).sessions.find(({ id }) => id === 'one')).toMatchObject({ messages: 2 })
  await expect(engine.doctor({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  await engine.close()
})
