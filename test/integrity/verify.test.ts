import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore, sessionStream, verifyStore } from '@refold/engine'
import { payloadDigest, type LogTransaction } from '@refold/events'
import { call, store } from '../cli/call.ts'
import { sha256 } from '../support/sha256.ts'

const stream = sessionStream({ namespace: 'default', session: 's' })
const large = 'a large text '.repeat(2_000)

/** A session of five events, the last with a text in the blob store, and a branch of it. */
async function told() {
  const { folder, db, refold } = store()
  await refold(['start', '--id', 's'])
  const lines = ['one', 'two', 'three', large].map((text, n) => JSON.stringify({ id: `m${n}`, role: 'user', text }))
  await refold(['append', 's'], { input: `${lines.join('\n')}\n` })
  await refold(['branch', 's', '--from', 'm1', '--id', 'b'])
  const damage = (sql: string): void => {
    const file = new Database(db)
    file.exec(sql)
    file.close()
  }
  return { folder, db, refold, damage }
}

const erase = async (db: string, work: (log: LogTransaction) => void): Promise<void> => {
  const opened = await openSqliteStore({ file: db })
  await opened.transact(work)
  await opened.close()
}

const appended = (log: LogTransaction, type: 'PurgeStarted' | 'Redacted', data: object): void => {
  const said = { type, version: 1, payload: JSON.stringify(data), recordedAt: 1 } as const
  const event = { ...said, id: 'ab'.repeat(16), actor: { kind: 'person', id: 'ada' } } as const
  log.append({ streams: [{ stream, expected: 'exists', events: [event] }] })
}

describe('verify', () => {
  test('says how much it walked where all is whole', async () => {
    const { refold } = await told()
    expect(await refold(['verify'])).toEqual({ ok: true, streams: 4, events: 8, firstBreak: null })
    expect(await refold(['verify', 's'])).toEqual({ ok: true, streams: 1, events: 5, firstBreak: null })
    expect(await refold(['verify', 'b'])).toMatchObject({ ok: true, streams: 2, firstBreak: null })
  })

  test.each([
    ['changed', 2, "UPDATE events SET payload = replace(payload, 'two', 'six')"],
    ['changed', 1, 'UPDATE events SET recorded_at = recorded_at + 1 WHERE revision = 1'],
    ['changed', 3, "UPDATE events SET causation_id = 'x' WHERE revision = 3"],
    ['changed', 0, 'UPDATE events SET type_key = type_key + 1 WHERE revision = 0 AND position > 1'],
    ['gap', 2, 'DELETE FROM events WHERE revision = 2'],
    ['gap', 1, 'DELETE FROM events WHERE revision = 1'],
    ['erased', 3, 'UPDATE events SET payload = NULL, salt = NULL, digest = hash WHERE revision = 3'],
    ['blob-missing', 4, 'DELETE FROM blobs'],
    ['blob-changed', 4, 'UPDATE blobs SET bytes = substr(bytes, 2)'],
  ] as const)('names %s at revision %i after %s', async (problem, revision, sql) => {
    const { refold, damage } = await told()
    damage(sql)
    const found = problem === 'erased' ? 'changed' : problem
    const report = await refold(['verify'], { exit: 3 })
    expect(report).toMatchObject({ ok: false, firstBreak: { stream, session: 's', revision, problem: found } })
    expect(report.firstBreak.position).toEqual(expect.any(Number))
    expect(await refold(['verify', 's'], { exit: 3 })).toMatchObject({ firstBreak: { revision, problem: found } })
  })

  test('a payload that is gone is accepted only where a later event of its stream names it', async () => {
    const { db, refold } = await told()
    const opened = await openSqliteStore({ file: db, access: 'read' })
    const [event] = await opened.readRaw(stream, { from: 2, limit: 1 })
    await opened.close()
    await erase(db, (log) => log.erase({ stream, revision: 2 }, null))
    expect(await refold(['verify'], { exit: 3 })).toMatchObject({ firstBreak: { problem: 'erased', revision: 2 } })
    await erase(db, (log) => appended(log, 'PurgeStarted', { purgeId: 'p', eventIds: [event?.id], kept: [] }))
    expect(await refold(['verify'])).toMatchObject({ ok: true, firstBreak: null })
  })

  test('a masked payload is accepted only where its redaction gives the digest of what stands there', async () => {
    const { db, refold } = await told()
    const opened = await openSqliteStore({ file: db, access: 'read' })
    const [event] = await opened.readRaw(stream, { from: 2, limit: 1 })
    await opened.close()
    const masked = event?.payload?.replace('two', '***') ?? ''
    const salt = 'cd'.repeat(16)
    const target = { eventId: event?.id, revision: 2, parts: ['text'], digest: payloadDigest(sha256, salt, masked) }
    await erase(db, (log) => {
      log.erase({ stream, revision: 2 }, masked, salt)
      appended(log, 'Redacted', { targets: [target], reason: 'asked' })
    })
    expect(await refold(['verify'])).toMatchObject({ ok: true })
    await erase(db, (log) => log.erase({ stream, revision: 2 }, masked.replace('***', 'no!'), salt))
    expect(await refold(['verify'], { exit: 3 })).toMatchObject({ firstBreak: { problem: 'masked', revision: 2 } })
  })

  test('the first of several breaks is the first in the log', async () => {
    const { refold, damage } = await told()
    damage("UPDATE events SET recorded_at = 1 WHERE revision = 3; UPDATE blobs SET bytes = x'00'")
    expect(await refold(['verify'], { exit: 3 })).toMatchObject({ firstBreak: { revision: 3, problem: 'changed' } })
  })

  test('each flipped bit of a payload, hash, id or salt is named', async () => {
    const { db } = await told()
    const opened = await openSqliteStore({ file: db, access: 'read' })
    const events = await opened.readRaw(stream, { limit: 10 })
    await opened.close()
    const bytes = readFileSync(db)
    for (const [at, { payload, hash, id, salt }] of events.entries())
      for (const needle of [
        Buffer.from(payload ?? ''),
        ...[hash, id, salt ?? ''].map((text) => Buffer.from(text, 'hex')),
      ]) {
        const place = bytes.indexOf(needle)
        expect(place).toBeGreaterThan(0)
        const flipped = Buffer.from(bytes)
        const byte = place + ((at * 7) % needle.length)
        flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << at), byte)
        const copy = join(db, '..', 'flipped.db')
        writeFileSync(copy, flipped)
        const { exit, json } = await call(['--db', copy, '--json', 'verify'])
        expect([exit, json.ok ?? json.error.code]).toEqual([3, expect.toBeOneOf([false, 'store-damaged'])])
      }
  })

  test('there is nothing to verify in a store that is not there', async () => {
    const { refold } = store()
    expect(await refold(['verify'], { exit: 1 })).toMatchObject({ error: { code: 'store-missing' } })
  })

  test('a walk stops when it is told to, with the reason', async () => {
    const { db } = await told()
    const opened = await openSqliteStore({ file: db, access: 'read' })
    const reason = new Error('enough')
    await expect(verifyStore(opened, sha256, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await opened.close()
  })

  test('a copy of a store can be verified by its name', async () => {
    const { folder, db, refold } = await told()
    copyFileSync(db, join(folder, 'copy.db'))
    expect(await refold(['verify', 'copy.db'])).toMatchObject({ ok: true, events: 8 })
  })
})
