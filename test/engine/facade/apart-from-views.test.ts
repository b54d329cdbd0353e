import { describe, expect, test } from 'vitest'
import { RefoldError } from '@refold/events'
import type { Tables } from '@refold/projections'
import { openEngine, type Views } from '@refold/engine'
import { openMemoryStore } from '../../../packages/engine/src/stores/memory-store.ts'
import { startIn } from '../../support/facade-world.ts'
import { testSource } from '../../support/test-source.ts'

/** Views that another process holds and that never come back. */
const broken: Views<Tables> = {
  read: () => Promise.reject(new RefoldError('views-behind', { missing: 9 })),
  catchUp: () => Promise.reject(new RefoldError('views-behind', { missing: 9 })),
  rebuild: () => Promise.reject(new RefoldError('views-behind', { missing: 9 })),
  scrub: () => Promise.resolve(false),
  snapshots: {
    load: () => undefined,
    save: () => {
      throw new RefoldError('views-behind', { missing: 9 })
    },
  },
  close: () => Promise.resolve(),
}

describe('seams 9.1: views never stand in the way of a command', () => {
  test('everything that needs no reading works while the views are broken', async () => {
    const source = testSource()
    const engine = await openEngine({ store: openMemoryStore(source), views: broken, source })
    const session = await startIn(engine)
    const messages = Array.from({ length: 700 }, (_, n) => ({ id: `m${n}`, role: 'user', text: 'x' }))
    for (const outcome of [
      await session.append(messages),
      await session.append({ id: 'last', role: 'assistant', text: 'y' }),
      await session.rename('Plan'),
      await session.rewind({ to: 'm1' }),
      await session.undo(),
      await session.branch({ from: 'm1' }),
      await session.rotate(),
      await session.spawn(),
      await session.startTurn(),
      await session.pin(),
      await session.end({ reason: 'done' }),
    ])
      expect(outcome).toMatchObject({ ok: true })
    expect(await engine.session('s')).toMatchObject({ ok: true })
    await expect(session.transcript()).rejects.toMatchObject({ code: 'views-behind' })
  })
})

describe('seams 4.2: what stands in claims', () => {
  test('tells nothing of the names that are claimed', async () => {
    const source = testSource()
    const store = openMemoryStore(source)
    const engine = await openEngine({ store, source })
    const session = await startIn(engine, 'secret-id')
    await session.rename('secret title')
    await session.bindRoute({ route: 'secret route' })
    await session.rotate({ segment: 'secret-segment' })
    const claims = (await store.readAll({ limit: 100 })).filter(({ stream }) => stream.startsWith('claim-'))
    expect(claims.map(({ stream }) => stream.split('-')[1])).toEqual(['id', 'title', 'route', 'id'])
    for (const { stream, data } of claims) {
      expect(data).toEqual({ kind: stream.split('-')[1], namespace: 'default', holder: 'secret-id' })
      expect(stream).not.toContain('secret')
    }
  })
})
