import { randomUUID } from 'node:crypto'
import {
  EventStoreDBClient,
  jsonEvent,
  START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
} from '@eventstore/db-client'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeNode, type FakeNodeOptions } from './fake/fake-node.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function place(
  options: FakeNodeOptions = {},
): Promise<{ readonly node: FakeNode; readonly client: EventStoreDBClient }> {
  const node = await FakeNode.start(options)
  const client = EventStoreDBClient.connectionString(node.connectionString)
  closing.push(
    () => node.stop(),
    () => client.dispose(),
  )
  return { node, client }
}

const event = (n: number, id: string = randomUUID()) => jsonEvent({ id, type: 'Tried', data: { n } })

async function numbersIn(client: EventStoreDBClient, stream: string): Promise<readonly unknown[]> {
  const numbers: unknown[] = []
  for await (const { event } of client.readStream<{ type: string; data: { n: number } }>(stream))
    numbers.push(event?.data.n)
  return numbers
}

describe.each([
  ['batch append', true],
  ['one call an append', false],
] as const)('the unmodified client over %s', (_, batchAppend) => {
  it('appends and reads back', async () => {
    const { client } = await place({ batchAppend })
    const appended = await client.appendToStream('s', [event(1), event(2)], { expectedRevision: 'no_stream' })
    expect(appended).toMatchObject({ success: true, nextExpectedRevision: 1n })
    await client.appendToStream('s', event(3), { expectedRevision: 1n })
    expect(await numbersIn(client, 's')).toEqual([1, 2, 3])
  })

  it('hears of a wrong version', async () => {
    const { client } = await place({ batchAppend })
    await client.appendToStream('s', event(1))
    await expect(client.appendToStream('s', event(2), { expectedRevision: 5n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      streamName: 's',
      expectedVersion: 5n,
      actualVersion: 0n,
    })
    await expect(client.appendToStream('new', event(2), { expectedRevision: 5n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 'no_stream',
    })
  })

  it('is answered a repeat as the first time', async () => {
    const { client } = await place({ batchAppend })
    const [one, two] = [event(1), event(2)]
    await client.appendToStream('s', [one, two], { expectedRevision: 'no_stream' })
    await client.appendToStream('s', event(3), { expectedRevision: 1n })
    for (const expectedRevision of ['no_stream', 'any'] as const)
      expect(await client.appendToStream('s', [one, two], { expectedRevision })).toMatchObject({
        nextExpectedRevision: 1n,
      })
    await expect(client.appendToStream('s', [two, event(4)], { expectedRevision: 'any' })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    })
    expect(await numbersIn(client, 's')).toEqual([1, 2, 3])
  })

  it('hears that an append is too large, all its events together', async () => {
    const { client } = await place({ batchAppend, appendLimit: 1_000 })
    const large = jsonEvent({ type: 'Tried', data: { text: 'x'.repeat(600) } })
    await client.appendToStream('s', large)
    const two = [
      { ...large, id: randomUUID() },
      { ...large, id: randomUUID() },
    ]
    await expect(client.appendToStream('s', two)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_000,
    })
  })

  it('hears nothing when the connection is cut after the commit, and a repeat finds it there', async () => {
    const { node, client } = await place({ batchAppend })
    await client.appendToStream('s', event(0))
    node.faults.dropAfterCommit = 1
    const lost = event(1)
    await expect(client.appendToStream('s', lost, { expectedRevision: 0n })).rejects.toBeDefined()
    expect(await client.appendToStream('s', lost, { expectedRevision: 0n })).toMatchObject({ nextExpectedRevision: 1n })
    expect(await numbersIn(client, 's')).toEqual([0, 1])
  })

  it('hears of tombstones and deletes', async () => {
    const { client } = await place({ batchAppend })
    await client.appendToStream('s', event(1))
    await client.deleteStream('s', { expectedRevision: 'any' })
    await expect(numbersIn(client, 's')).rejects.toMatchObject({ type: 'stream-not-found' })
    expect(await client.appendToStream('s', event(2), { expectedRevision: 'no_stream' })).toMatchObject({
      nextExpectedRevision: 1n,
    })
    await client.tombstoneStream('s')
    await expect(numbersIn(client, 's')).rejects.toMatchObject({ type: 'stream-deleted' })
    await expect(client.appendToStream('s', event(3))).rejects.toMatchObject({ type: 'stream-deleted' })
  })
})

it('reads $all by pages both ways, positions uneven, and filters by name', async () => {
  const { client } = await place()
  for (let n = 0; n < 6; n += 1) await client.appendToStream(n % 2 === 0 ? 'even-s' : 'odd-s', event(n))
  const forwards: AllStreamResolvedEvent[] = []
  for await (const read of client.readAll({ maxCount: 4 })) forwards.push(read)
  expect(forwards).toHaveLength(4)
  const last = forwards.at(-1)?.event?.position
  if (!last) throw new Error('no position')
  const onwards: unknown[] = []
  for await (const { event } of client.readAll({ fromPosition: last })) onwards.push(event?.data)
  expect(onwards, 'forwards from a position begins with its event').toEqual([{ n: 3 }, { n: 4 }, { n: 5 }])
  const back: unknown[] = []
  for await (const { event } of client.readAll({ fromPosition: last, direction: 'backwards' })) back.push(event?.data)
  expect(back, 'backwards from a position leaves its event out').toEqual([{ n: 2 }, { n: 1 }, { n: 0 }])
  const positions = forwards.map(({ event }) => event?.position.commit ?? 0n)
  const steps = new Set(positions.slice(1).map((position, index) => position - (positions[index] ?? 0n)))
  expect(steps.size).toBeGreaterThan(1)
})

it('subscribes to $all behind a start, by prefix, with checkpoints, and hears live events', async () => {
  const { client } = await place()
  for (let n = 0; n < 5; n += 1) await client.appendToStream('mine-s', event(n))
  const checkpoints: bigint[] = []
  const subscription: AllStreamSubscription = client.subscribeToAll({
    fromPosition: START,
    filter: streamNameFilter({
      prefixes: ['mine-'],
      checkpointInterval: 1,
      maxSearchWindow: 2,
      checkpointReached: async (_, position) => void checkpoints.push(position.commit),
    }),
  })
  const heard: unknown[] = []
  const whole = new Promise<void>((resolve) => {
    subscription.on('data', ({ event }) => {
      heard.push(event?.data)
      if (heard.length === 7) resolve()
    })
  })
  await client.appendToStream('other-s', event(99))
  for (let n = 5; n < 7; n += 1) await client.appendToStream('mine-s', event(n))
  await whole
  expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => ({ n })))
  expect(checkpoints.length).toBeGreaterThan(1)
  await subscription.unsubscribe()
})

it('is told of another leader, of missing rights, and of a node that is gone', async () => {
  const { node, client } = await place({ batchAppend: false })
  await client.appendToStream('s', event(1))
  node.faults.denied = true
  await expect(client.appendToStream('s', event(2))).rejects.toMatchObject({ type: 'access-denied' })
  node.faults.denied = false
  node.faults.leader = { host: '127.0.0.1', port: node.port }
  await expect(client.appendToStream('s', event(2))).rejects.toMatchObject({ type: 'not-leader' })
  node.faults.leader = null
  expect(await client.appendToStream('s', event(2))).toMatchObject({ success: true })
  await node.goAway()
  await expect(numbersIn(client, 's')).rejects.toBeDefined()
  await node.listen()
  expect(await numbersIn(client, 's')).toEqual([1, 2])
})

it('discovers the node by gossip', async () => {
  const { node } = await place()
  const client = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${node.port}?tls=false`)
  closing.push(() => client.dispose())
  expect(await client.appendToStream('s', event(1))).toMatchObject({ success: true })
})
