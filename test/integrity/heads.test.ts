import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { checkSignature, headsFile, parseHeads, signHeads, sortedHeads } from '@refold/engine'
import { call, store } from '../cli/call.ts'

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

async function signed() {
  const { folder, db, refold } = store()
  const keys = pair()
  writeFileSync(join(folder, 'private.pem'), keys.private)
  writeFileSync(join(folder, 'public.pem'), keys.public)
  writeFileSync(join(folder, 'another.pem'), pair().public)
  for (const id of ['a', 'b']) {
    await refold(['start', '--id', id])
    await refold(['append', id], {
      input: '{"id":"m1","role":"user","text":"one"}\n{"id":"m2","role":"user","text":"two"}\n',
    })
  }
  const { output } = await call(['--db', db, 'heads', '--sign', 'private.pem'], { folder })
  writeFileSync(join(folder, 'heads.txt'), output)
  return { folder, db, refold, heads: output, check: ['verify', '--heads', 'heads.txt', '--key', 'public.pem'] }
}

test('a list of heads holds for the store it was made from, also when that has grown', async () => {
  const { refold, check, heads } = await signed()
  expect(heads).toMatch(
    /^refold-heads 1\nlog [0-9a-f]{32}\ntime \S+Z\nstreams 2\n[0-9a-f]{64} 2 session-default\.a\n[0-9a-f]{64} 2 session-default\.b\nsignature ed25519 \S{88}\n$/,
  )
  const log = heads.slice(19, 51)
  expect(await refold(check)).toMatchObject({ ok: true, heads: { log, streams: 2, signature: 'good' } })
  await refold(['append', 'a'], { input: '{"id":"m3","role":"user","text":"more"}\n' })
  expect(await refold(check)).toMatchObject({ ok: true })
  expect(await refold(['verify', 'a', ...check.slice(1)])).toMatchObject({ ok: true })
  expect(await refold(['verify', '--heads', 'heads.txt'])).toMatchObject({ heads: { signature: 'not-checked' } })
})

test('a stream that was cut off is named, though its chain is whole', async () => {
  const { refold, check, db } = await signed()
  const file = new Database(db)
  file.exec('DELETE FROM events WHERE position = (SELECT max(position) FROM events)')
  file.close()
  expect(await refold(['verify'])).toMatchObject({ ok: true })
  expect(await refold(check, { exit: 3 })).toMatchObject({
    ok: false,
    firstBreak: { session: 'b', revision: 2, position: null, problem: 'truncated' },
  })
})

test('a session that was written anew is named', async () => {
  const { folder, check } = await signed()
  const other = ['--db', join(folder, 'other.db'), '--json']
  for (const id of ['a', 'b']) {
    await call([...other, 'start', '--id', id])
    await call([...other, 'append', id], {
      input: '{"id":"m1","role":"user","text":"1"}\n{"id":"m2","role":"user","text":"2"}\n',
    })
  }
  const { exit, json } = await call([...other, ...check], { folder })
  expect([exit, json.firstBreak]).toEqual([
    3,
    expect.objectContaining({ session: 'a', revision: 2, problem: 'other-head' }),
  ])
})

test('a list that was changed, or signed by somebody else, proves nothing', async () => {
  const { folder, refold, heads, check } = await signed()
  writeFileSync(join(folder, 'heads.txt'), heads.replace(' 2 session-default.a', ' 1 session-default.a'))
  expect(await refold(check, { exit: 1 })).toMatchObject({ error: { code: 'bad-signature', file: 'heads.txt' } })
  writeFileSync(join(folder, 'heads.txt'), heads)
  expect(await refold([...check.slice(0, -1), 'another.pem'], { exit: 1 })).toMatchObject({
    error: { code: 'bad-signature' },
  })
  writeFileSync(join(folder, 'heads.txt'), heads.slice(0, -90))
  expect(await refold(check, { exit: 1 })).toMatchObject({ error: { code: 'bad-heads' } })
  expect(await refold(['heads', '--sign', 'public.pem'], { exit: 1 })).toMatchObject({ error: { code: 'bad-key' } })
  expect(await refold(['verify', '--key', 'public.pem'], { exit: 2 })).toMatchObject({ error: { code: 'usage' } })
})

test('a store that is broken is not signed for', async () => {
  const { refold, db } = await signed()
  const file = new Database(db)
  file.exec("UPDATE events SET payload = replace(payload, 'two', 'six')")
  file.close()
  expect(await refold(['heads', '--sign', 'private.pem'], { exit: 3 })).toMatchObject({
    error: { code: 'store-damaged', firstBreak: { session: 'a', revision: 2 } },
  })
})

test('an exported file is held against a list without its store', async () => {
  const { folder, db, refold, check } = await signed()
  await refold(['export', '--all', '--out', 'all.jsonl'])
  copyFileSync(db, join(folder, 'gone.db'))
  expect(await refold(['verify', 'all.jsonl', ...check.slice(1)])).toMatchObject({ ok: true, streams: 2, events: 6 })
})

const keys = pair()
const list = fc.record({
  logId: fc.stringMatching(/^[0-9a-f]{32}$/),
  at: fc.integer({ min: 0, max: 4e12 }),
  heads: fc
    .uniqueArray(
      fc.record({
        stream: fc.stringMatching(/^session-[a-z%0-9]{1,5}\.[a-zA-Z%0-9]{1,9}$/),
        revision: fc.nat(),
        hash: fc.stringMatching(/^[0-9a-f]{64}$/),
      }),
      { selector: ({ stream }) => stream, maxLength: 5 },
    )
    .map(sortedHeads),
})

property.prop([list, fc.nat(), fc.integer({ min: 0, max: 7 })], { seed: 20261201, numRuns: 200 })(
  'a signed list reads as it was written, and no flipped bit passes (seed 20261201)',
  (unsigned, place, bit) => {
    const written = signHeads(unsigned, keys.private)
    const text = headsFile(written)
    expect(parseHeads(text)).toEqual(written)
    checkSignature(parseHeads(text), keys.public)
    const bytes = Buffer.from(text)
    const at = place % bytes.length
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
    expect(() => checkSignature(parseHeads(bytes.toString('latin1')), keys.public)).toThrow()
  },
)
