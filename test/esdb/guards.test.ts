import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import type { EventStore } from '@refold/events'
import { eventStoreDB } from '@refold/eventstoredb'
import { freshStream, saying, several, taken, to, wordsOf } from '../engine/contract/made-events.ts'
import { recomputedHash } from '../engine/contract/chain-is-right.ts'
import { FakeNode, type FakeNodeOptions } from './fake/fake-node.ts'

/* One test for each hazard of the client and the network that the store guards its callers against. */

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function place(
  options: FakeNodeOptions = {},
  deadlineMs = 5_000,
): Promise<{ readonly node: FakeNode; readonly store: EventStore }> {
  const node = await FakeNode.start(options)
  const store = await eventStoreDB(node.connectionString, { deadlineMs })
  closing.push(
    () => node.stop(),
    () => store.close(),
  )
  return { node, store }
}

describe.each([
  ['batch append', true],
  ['one call an append', false],
] as const)('over %s', (_, batchAppend) => {
  it('an append whose answer was lost is sent again, and written once', async () => {
    const { node, store } = await place({ batchAppend })
    const stream = freshStream()
    await store.append(to(stream, 'no-stream', saying('a')))
    node.faults.dropAfterCommit = 2
    const appended = taken(await store.append(to(stream, 0, saying('b'), saying('c'))))
    expect(wordsOf(appended)).toEqual(['b', 'c'])
    expect(wordsOf(await store.readStream(stream, { limit: 10 }))).toEqual(['a', 'b', 'c'])
  })

  it('an append that never arrived is sent again', async () => {
    const { node, store } = await place({ batchAppend })
    const stream = freshStream()
    await store.append(to(stream, 'no-stream', saying('a')))
    node.faults.dropBeforeCommit = 1
    expect(wordsOf(taken(await store.append(to(stream, 0, saying('b')))))).toEqual(['b'])
  })

  it('where the server stays away the outcome is said to be unknown, and the same append later is a repeat', async () => {
    const { node, store } = await place({ batchAppend }, 400)
    const stream = freshStream()
    await store.append(to(stream, 'no-stream', saying('a')))
    const request = to(stream, 0, saying('b'))
    node.faults.dropAfterCommit = 1
    const answer = store.append(request)
    await node.goAway()
    await expect(answer).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:outcome-unknown|store-unreachable)$/u),
    })
    await node.listen()
    await store.append(request)
    expect(wordsOf(await store.readStream(stream, { limit: 10 }))).toEqual(['a', 'b'])
  })

  it('what is too large for the server comes back byte for byte, its chain whole', async () => {
    const { node, store } = await place({ batchAppend, appendLimit: 100_000 })
    const stream = freshStream()
    const large = saying('large '.repeat(40_000))
    await store.append(to(stream, 'no-stream', saying('small'), large))
    const [small, read] = await store.readRaw(stream, { limit: 2 })
    expect(read?.payload).toBe(large.payload)
    expect(read && recomputedHash(small?.hash ?? '', read)).toBe(read?.hash)
    expect(node.log.events.some(({ stream: name }) => name.startsWith('blob-'))).toBe(true)
  })

  it('what does not fit at all is refused before anything is written', async () => {
    const { node, store } = await place({ batchAppend, appendLimit: 20_000 })
    await store.append(to(freshStream(), 'no-stream', saying('x'.repeat(30_000))))
    const before = node.log.events.length
    await expect(store.append(to(freshStream(), 'no-stream', ...several(200)))).rejects.toMatchObject({
      code: 'batch-too-large',
    })
    expect(node.log.events.length).toBe(before)
  })

  it('refused credentials are said to be that', async () => {
    const { node, store } = await place({ batchAppend })
    node.faults.denied = true
    await expect(store.append(to(freshStream(), 'no-stream', saying('a')))).rejects.toMatchObject({
      code: 'store-denied',
    })
    await expect(store.logHead()).rejects.toMatchObject({ code: 'store-denied' })
  })
})

it('a subscription that is cut again and again misses nothing and tells nothing twice', async () => {
  const { node, store } = await place()
  const stream = freshStream()
  const subscription = store.subscribe({ after: (await store.logHead()).position })
  const told: unknown[] = []
  const reading = (async () => {
    for await (const event of subscription) {
      told.push(...wordsOf([event]))
      if (told.length === 12) break
    }
  })()
  for (let n = 0; n < 12; n += 1) {
    await store.append(to(stream, n === 0 ? 'no-stream' : n - 1, saying(`${n}`)))
    if (n % 3 === 0) node.cut()
  }
  await reading
  expect(told).toEqual(Array.from({ length: 12 }, (_, n) => `${n}`))
})

it('a blob whose writer was stopped in the midst is finished by the next', async () => {
  const { node, store } = await place({}, 300)
  const bytes = new Uint8Array(1_500_000).fill(7)
  const blob = { hash: createHash('sha256').update(bytes).digest('hex'), bytes }
  await store.append(to(freshStream(), 'no-stream', saying('warm')))
  node.faults.dropBeforeCommit = 1_000
  await expect(store.append({ ...to(freshStream(), 'no-stream', saying('a')), blobs: [blob] })).rejects.toBeDefined()
  node.faults.dropBeforeCommit = 0
  expect(await store.blob(blob.hash)).toBeUndefined()
  await store.append({ ...to(freshStream(), 'no-stream', saying('b')), blobs: [blob] })
  expect(Buffer.from((await store.blob(blob.hash)) ?? []).equals(Buffer.from(bytes))).toBe(true)
})

it('nothing listening is said to be unreachable, by its name and without its password', async () => {
  const node = await FakeNode.start()
  const { port } = node
  await node.stop()
  for (const scheme of ['esdb', 'kurrentdb+discover']) {
    const opening = eventStoreDB(`${scheme}://user:secret@127.0.0.1:${port}?tls=false&maxDiscoverAttempts=1`, {
      deadlineMs: 200,
    })
    await expect(opening).rejects.toMatchObject({ code: 'store-unreachable' })
    await expect(opening).rejects.not.toThrow(/secret/u)
  }
  await expect(eventStoreDB('mysql://nowhere')).rejects.toMatchObject({ code: 'store-unreachable' })
})

it('two stores on one server share its log and its secret', async () => {
  const { node, store } = await place()
  const other = await eventStoreDB(`kurrentdb${node.connectionString.slice(4)}`)
  expect(other.secret).toBe(store.secret)
  expect((await other.logHead()).logId).toBe((await store.logHead()).logId)
  const stream = freshStream()
  await store.append(to(stream, 'no-stream', saying('a')))
  expect(await other.append(to(stream, 'no-stream', saying('b')))).toMatchObject({ ok: false, code: 'wrong-revision' })
  await other.append(to(stream, 'any', saying('c')))
  await store.append(to(stream, 'any', saying('d')))
  expect(wordsOf(await other.readStream(stream, { limit: 9 }))).toEqual(['a', 'c', 'd'])
  await other.close()
})

it('a process that closed its store ends by itself', async () => {
  const { node } = await place()
  const program = `import { eventStoreDB } from '@refold/eventstoredb'
    const store = await eventStoreDB(${JSON.stringify(node.connectionString)})
    store.onCommit(() => {})
    await store.logHead()
    await store.close()
    console.log('closed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    timeout: 60_000,
  })
  expect(stdout).toBe('closed\n')
})
