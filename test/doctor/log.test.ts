import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { commandEventId, encodeEvent } from '@refold/events'
import { doctorOfFile, openEngine, openSqliteStore, systemSource } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'
import { codesOf, repaired, sampleStore, tamper } from './doctored.ts'

test('chain-broken: a changed event is named by its place, and the rest is left unjudged', async () => {
  const file = await sampleStore()
  tamper(file, `UPDATE events SET payload = replace(payload, 'hello', 'jello') WHERE payload LIKE '%hello%'`)
  const { ok, findings } = await doctorOfFile(file)
  expect(ok).toBe(false)
  expect(findings).toMatchObject([
    { code: 'chain-broken', session: 'one', stream: 'session-default.one', revision: 1 },
    { code: 'views-unchecked', severity: 'notice' },
  ])
})

test('chain-broken is not mended, and nothing else is touched for it', async () => {
  const file = await sampleStore()
  tamper(file, `UPDATE events SET payload = replace(payload, 'hello', 'jello') WHERE payload LIKE '%hello%'`)
  expect(await doctorOfFile(file, { repair: true })).toMatchObject({ ok: false, mended: [] })
})

test('log-unreadable: an event whose stream leads nowhere', async () => {
  const file = await sampleStore()
  tamper(file, `UPDATE actors SET actor = '{'`)
  expect(await codesOf(file)).toMatchObject({ ok: false, counts: { 'log-unreadable': 1, 'views-unchecked': 1 } })
})

test('pages-damaged: rows that break the rules of their table', async () => {
  const file = await sampleStore()
  const sql = schemaOf(file)
  setSchema(file, sql.replace('bytes BLOB NOT NULL', 'bytes BLOB'))
  tamper(file, 'INSERT INTO blobs (hash, bytes) VALUES (?, NULL)', randomBytes(32))
  setSchema(file, sql)
  expect(await codesOf(file)).toMatchObject({ ok: false, counts: { 'pages-damaged': 1 } })
})

function schemaOf(file: string): string {
  const database = new Database(file, { readonly: true })
  const sql = String(database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'blobs'`).pluck().get())
  database.close()
  return sql
}

function setSchema(file: string, sql: string): void {
  const database = new Database(file)
  database.unsafeMode(true)
  database.pragma('writable_schema = ON')
  database.prepare(`UPDATE sqlite_schema SET sql = ? WHERE name = 'blobs'`).run(sql)
  database.close()
}

test('blob-missing and blob-damaged: a long text that is gone, or other', async () => {
  const file = await sampleStore()
  tamper(file, `UPDATE blobs SET bytes = CAST('other' AS BLOB)`)
  expect(await codesOf(file)).toEqual({ ok: false, counts: { 'blob-damaged': 1 } })
  tamper(file, 'DELETE FROM blobs')
  expect((await doctorOfFile(file)).findings).toMatchObject([
    { code: 'blob-missing', session: 'one', stream: 'session-default.one', revision: 2 },
  ])
})

test('blob-orphaned: a text that no event refers to harms nothing', async () => {
  const file = await sampleStore()
  tamper(file, 'INSERT INTO blobs (hash, bytes) VALUES (?, ?)', randomBytes(32), Buffer.from('nobody asks for me'))
  expect(await codesOf(file)).toEqual({ ok: true, counts: { 'blob-orphaned': 1 } })
})

/** Appends to a claim past the commands. */
async function claimEvent(
  file: string,
  kind: 'id' | 'title' | 'route',
  event: Parameters<typeof encodeEvent>[0],
  of?: string,
): Promise<void> {
  const store = await openSqliteStore({ file, access: 'write' })
  const claims = (await store.readAll({ limit: 1_000 })).filter(({ stream }) => stream.startsWith(`claim-${kind}-`))
  const held = claims.find((one) => 'data' in one && JSON.stringify(one.data).includes(`"${of ?? ''}"`))
  const stream = of === undefined ? `claim-${kind}-${'0'.repeat(64)}` : (held?.stream ?? '')
  const id = commandEventId(systemSource.sha256, stream, 'test', 0)
  const events = [{ ...encodeEvent(event), id, recordedAt: 0, actor: { kind: 'agent', id: 'test' } as const }]
  const appended = await store.append({ streams: [{ stream, expected: 'any', events }] })
  expect(appended.ok).toBe(true)
  await store.close()
}

test('claim-dangling: a title held for a session that does not have it is given back', async () => {
  const file = await sampleStore()
  await claimEvent(file, 'title', { type: 'Claimed', data: { kind: 'title', namespace: 'default', holder: 'one' } })
  const { findings } = await doctorOfFile(file)
  expect(findings[0]).toMatchObject({ code: 'claim-dangling', session: 'one', claim: { kind: 'title', holder: 'one' } })
  expect(await repaired(file)).toEqual(['claim-released'])
})

test('claim-missing: a title that a session has is taken for it again', async () => {
  const file = await sampleStore()
  await claimEvent(file, 'title', { type: 'Released', data: { holder: 'one', why: 'test' } }, 'one')
  expect((await codesOf(file)).counts).toMatchObject({ 'claim-missing': 1 })
  expect(await repaired(file)).toEqual(['claim-taken'])
  const engine = await openEngine({ file })
  const two = sure(await engine.session('two')).handle
  expect(await two.rename('First', { by: 'person' })).toMatchObject({ code: 'title-taken', holder: 'one' })
  await engine.close()
})

test('id-reserved: an id that a broken-off import holds is no damage', async () => {
  const file = await sampleStore()
  await claimEvent(file, 'id', { type: 'Claimed', data: { kind: 'id', namespace: 'default', holder: 'never-came' } })
  expect(await codesOf(file)).toMatchObject({ ok: true, counts: { 'id-reserved': 1 } })
})

test('reference-dangling: an event that names a message which never was', async () => {
  const file = await sampleStore()
  const engine = await openEngine({ file })
  await engine.importFacts({
    tool: 'legacy',
    sessions: [
      {
        session: 'one',
        facts: [{ id: '1'.repeat(32), event: { type: 'MessageEdited', data: { message: 'never', parts: [] } } }],
      },
    ],
  })
  sure(await engine.list())
  sure(await (await startIn(engine, 'x')).append({ role: 'user', text: 'x' }))
  await engine.close()
  const { ok, findings } = await doctorOfFile(file)
  expect(ok).toBe(true)
  expect(findings[0]).toMatchObject({ code: 'reference-dangling', session: 'one' })
  expect(findings[0]?.message).toContain('names message never')
})
