import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnyRecorded } from '@refold/events'
import { openSqliteStore, type SqliteStore } from '@refold/engine'
import { saying, several, taken, to, wordsOf } from '../contract/made-events.ts'
import { runScript } from '../processes/child-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function open(file: string): Promise<SqliteStore> {
  const store = await openSqliteStore({ file })
  onTestFinished(() => store.close())
  return store
}

test('a commit of another process reaches listeners and subscribers', async () => {
  const file = join(temporaryFolder(), 'log.db')
  const store = await open(file)
  let heard = 0
  store.onCommit(() => {
    heard += 1
  })
  const next = (async () => {
    for await (const event of store.subscribe({ after: 0 })) return event.stream
    return 'nothing'
  })()
  const script = runScript('patient-appender.mjs', [file, 'abc', '5000'])
  expect(await next).toBe('session-patient.abc')
  await vi.waitFor(() => expect(heard).toBeGreaterThan(0))
  expect(await script.ended).toBe(0)
})

test('what was appended before it was listened to is no news', async () => {
  const file = join(temporaryFolder(), 'log.db')
  const [ours, theirs] = [await open(file), await open(file)]
  await theirs.append(to('a', 'any', saying('before')))
  let heard = 0
  const stop = ours.onCommit(() => {
    heard += 1
  })
  await sleep(150)
  expect(heard).toBe(0)
  await theirs.append(to('a', 'any', saying('after')))
  await vi.waitFor(() => expect(heard).toBe(1))
  stop()
})

test('two stores that append at once are followed without gaps or doubles from either', async () => {
  const file = join(temporaryFolder(), 'log.db')
  const stores = [await open(file), await open(file)]
  const total = 400
  const followed = stores.map(async (store) => {
    const events: AnyRecorded[] = []
    for await (const event of store.subscribe({ after: 0 })) {
      events.push(event)
      if (events.length === total) break
    }
    return events
  })
  await Promise.all(
    stores.map(async (store, index) => {
      for (const event of several(total / 2)) taken(await store.append(to(`own-${index}`, 'any', event)))
    }),
  )
  const [first, second] = await Promise.all(followed)
  expect(first).toEqual(second)
  expect(first?.map(({ position }) => position)).toEqual(
    first?.map(({ position }) => position).toSorted((a, b) => a - b),
  )
  expect(first).toEqual(await stores[0]?.readAll({ limit: total }))
})

test('each sees in a transaction what the other wrote before it, so no increment is lost', async () => {
  const file = join(temporaryFolder(), 'log.db')
  const stores = [await open(file), await open(file)]
  await stores[0]?.append(to('shared', 'no-stream', saying('start')))
  await Promise.all(
    stores.flatMap((store) =>
      Array.from({ length: 50 }, () =>
        store.transact((log) =>
          taken(log.append(to('shared', log.head('shared')?.revision ?? 'no-stream', saying('more')))),
        ),
      ),
    ),
  )
  expect(await stores[1]?.head('shared')).toMatchObject({ revision: 100 })
})

test('two stores that take turns in one stream each know what the other wrote last', async () => {
  const file = join(temporaryFolder(), 'log.db')
  const [ours, theirs] = [await open(file), await open(file)]
  for (let turn = 0; turn < 5; turn += 1) {
    expect(taken(await ours.append(to('a', 'any', saying('ours'))))).toMatchObject([{ revision: 2 * turn }])
    expect(taken(await theirs.append(to('a', 2 * turn, saying('theirs'))))).toMatchObject([{ revision: 2 * turn + 1 }])
    const stale = await ours.append(to('a', 2 * turn, saying('too late')))
    expect(stale).toMatchObject({ code: 'wrong-revision', actual: 2 * turn + 1 })
  }
})

test('keys that were rolled back are given to others without mixing anything up', async () => {
  const store = await open(join(temporaryFolder(), 'log.db'))
  const failing = store.transact((log) => {
    log.append(to('lost', 'no-stream', saying('lost', { actor: { kind: 'agent', id: 'lost' }, type: 'Lost' })))
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  await store.append(to('kept', 'no-stream', saying('kept', { actor: { kind: 'agent', id: 'kept' } })))
  expect(await store.head('lost')).toBeUndefined()
  expect(await store.readAll({ limit: 10 })).toMatchObject([{ stream: 'kept', type: 'Noted', actor: { id: 'kept' } }])
  await store.append(to('lost', 'no-stream', saying('found')))
  expect(wordsOf(await store.readStream('lost', { limit: 10 }))).toEqual(['found'])
})
