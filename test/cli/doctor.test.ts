import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { call, store } from './call.ts'
import { tamper, tamperViews } from '../doctor/doctored.ts'

test('doctor says that a healthy store is, and leaves with 0', async () => {
  const { db, refold } = store()
  await refold(['start', '--id', 's', '--title', 'plan'])
  await refold(['list'])
  expect(await refold(['doctor'])).toEqual({
    ok: true,
    position: 4,
    streams: 3,
    events: 4,
    blobs: 0,
    views: 4,
    counts: {},
    findings: [],
    mended: [],
  })
  const { output } = await call(['--db', db, 'doctor'])
  expect(output).toBe('Healthy: 4 events in 3 streams, views compared up to position 4.\n')
})

test('doctor names a row that differs, leaves with 3, and mends it with --repair', async () => {
  const { db, refold } = store()
  await refold(['start', '--id', 's'])
  await refold(['append', 's'], { input: '{"id":"m","role":"user","text":"hi"}' })
  await refold(['list'])
  tamperViews(db, 'UPDATE tips SET messages = 77')
  expect(await refold(['doctor'], { exit: 3 })).toMatchObject({
    ok: false,
    counts: { 'row-different': 1 },
    findings: [
      {
        code: 'row-different',
        severity: 'damage',
        session: 's',
        table: 'tips',
        columns: [{ name: 'messages', stored: 77, folded: 1 }],
      },
    ],
  })
  const { exit, output } = await call(['--db', db, 'doctor'])
  expect(exit).toBe(3)
  expect(output).toContain('  messages: stored 77, by the log 1\n')
  expect(output).toContain('  made by revision 0 of session-default.s, revision 1 of session-default.s\n')
  const repaired = await call(['--db', db, 'doctor', '--repair'])
  expect(repaired).toMatchObject({ exit: 0 })
  expect(repaired.output).toMatch(/^Made the views anew from the log\.\nHealthy: /)
  expect(await refold(['doctor'])).toMatchObject({ ok: true, counts: {} })
})

test('doctor --repair leaves with 3 where something remains', async () => {
  const { db, refold } = store()
  await refold(['start', '--id', 's', '--title', 'plan'])
  await refold(['list'])
  tamper(db, `UPDATE events SET payload = replace(payload, 'plan', 'clan') WHERE payload LIKE '%plan%'`)
  expect(await refold(['doctor', '--repair'], { exit: 3 })).toMatchObject({
    ok: false,
    counts: { 'chain-broken': 1, 'views-unchecked': 1 },
    mended: [],
  })
})

test('doctor makes no store, and says so of what is none', async () => {
  const { folder, refold } = store()
  expect(await refold(['doctor'], { exit: 1 })).toMatchObject({ error: { code: 'store-missing' } })
  writeFileSync(`${folder}/refold.db`, 'no store')
  expect(await refold(['doctor'], { exit: 3 })).toMatchObject({ error: { code: 'not-a-store' } })
})
