import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  followFeed,
  openEngine,
  openMemoryStore,
  type Engine,
  type Feed,
  type FeedMessage,
  type FeedState,
  type WatchQuery,
} from '@refold/engine'
import { startIn, sure } from '../../support/facade-world.ts'
import { testSource } from '../../support/test-source.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function memoryWorld(): Promise<{ readonly engine: Engine; readonly source: ReturnType<typeof testSource> }> {
  const source = testSource()
  const engine = await openEngine({ store: openMemoryStore(source), source })
  closing.push(() => engine.close())
  return { engine, source }
}

/** The messages of a feed one by one, and what they add up to. */
function reader(feed: Feed<FeedMessage>): {
  readonly next: () => Promise<FeedMessage | undefined>
  readonly state: () => FeedState | undefined
} {
  const messages = feed[Symbol.asyncIterator]()
  let state: FeedState | undefined
  return {
    async next() {
      const step = await messages.next()
      if (step.done === true) return undefined
      state = followFeed(state, step.value)
      return step.value
    },
    state: () => state,
  }
}

async function watching(engine: Engine, query: WatchQuery, after?: string): Promise<Feed<FeedMessage>> {
  const { feed } = sure(await engine.watch(query, after === undefined ? {} : { after }))
  closing.push(async () => feed.close())
  return feed
}

const keysOf = (state: FeedState | undefined): readonly string[] =>
  state?.kind === 'rows' ? [...state.value.rows.keys()] : []

describe('watch', () => {
  it('begins with what the caller itself wrote just before', async () => {
    const { engine } = await memoryWorld()
    await startIn(engine, 'one')
    const { next, state } = reader(await watching(engine, { query: 'list' }))
    expect(await next()).toMatchObject({ kind: 'snapshot', head: { total: 1 } })
    expect(keysOf(state())).toEqual(['one'])
  })

  it('tells a change by fields of a row, and a row that moves by the one that it now stands behind', async () => {
    const { engine, source } = await memoryWorld()
    const one = await startIn(engine, 'one')
    source.advance(1_000)
    await startIn(engine, 'two')
    const { next, state } = reader(await watching(engine, { query: 'list' }))
    await next()
    expect(keysOf(state())).toEqual(['two', 'one'])
    source.advance(1_000)
    await one.append({ id: 'm', role: 'user', text: 'hello' })
    const told = await next()
    expect(told).toMatchObject({ kind: 'change', removed: [], placed: [{ key: 'one', behind: null }], head: [] })
    const patches = told?.kind === 'change' ? told.changed : []
    expect(patches).toHaveLength(1)
    expect(patches[0]?.patches).toContainEqual({ op: 'replace', path: ['messages'], value: 1 })
    expect(patches[0]?.patches).toContainEqual({ op: 'replace', path: ['preview'], value: 'hello' })
    expect(keysOf(state())).toEqual(['one', 'two'])
  })

  it('sees what another engine on the same file commits', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refold-watch-'))
    closing.push(() => rm(folder, { recursive: true }))
    const file = join(folder, 'agent.db')
    const [mine, other] = [await openEngine({ file }), await openEngine({ file })]
    closing.push(
      () => mine.close(),
      () => other.close(),
    )
    const session = await startIn(mine, 's')
    const { next, state } = reader(await watching(mine, { query: 'show', session: 's' }))
    await next()
    const { handle } = sure(await other.session('s'))
    await handle.append({ id: 'm1', role: 'user', text: 'from elsewhere' })
    await next()
    expect(keysOf(state())).toEqual(['message m1'])
    expect(session.id).toBe('s')
  })

  it('goes on behind a cursor with what was missed, nothing twice', async () => {
    const { engine } = await memoryWorld()
    const session = await startIn(engine, 's')
    const first = await watching(engine, { query: 'show', session: 's' })
    const begun = await reader(first).next()
    first.close()
    await session.append({ id: 'm1', role: 'user', text: 'one' })
    const messages: FeedMessage[] = []
    const again = await watching(engine, { query: 'show', session: 's' }, begun?.cursor)
    for await (const message of again) {
      messages.push(message)
      break
    }
    expect(messages).toMatchObject([{ kind: 'change', removed: [], placed: [{ key: 'message m1', behind: null }] }])
  })

  it('answers an unknown cursor with a snapshot', async () => {
    const { engine } = await memoryWorld()
    await startIn(engine, 's')
    const { next } = reader(await watching(engine, { query: 'list' }, '7.0.nothing.nowhere'))
    expect(await next()).toMatchObject({ kind: 'snapshot', head: { total: 1 } })
  })

  it('gives a follower that stopped reading a snapshot instead of all that it missed', async () => {
    const { engine } = await memoryWorld()
    const session = await startIn(engine, 's')
    const slow = reader(await watching(engine, { query: 'show', session: 's', limit: 3 }))
    const quick = reader(await watching(engine, { query: 'show', session: 's', limit: 3 }))
    await slow.next()
    await quick.next()
    for (let n = 0; n < 90; n += 1) {
      await session.append({ id: `m${n}`, role: 'user', text: 'x'.repeat(60_000) })
      await quick.next()
    }
    expect(await slow.next()).toMatchObject({ kind: 'snapshot' })
    expect(keysOf(slow.state())).toEqual(['message m87', 'message m88', 'message m89'])
  })

  it('says that a session was deleted, and shows it again when it is restored', async () => {
    const { engine } = await memoryWorld()
    await startIn(engine, 's')
    const { next } = reader(await watching(engine, { query: 'show', session: 's' }))
    await next()
    await engine.delete(['s'])
    expect(await next()).toMatchObject({ kind: 'gone', code: 'session-deleted' })
    await engine.restore('s')
    expect(await next()).toMatchObject({ kind: 'snapshot', head: { session: 's' } })
  })

  it('refuses a session that is not there', async () => {
    const { engine } = await memoryWorld()
    expect(await engine.watch({ query: 'show', session: 'nobody' })).toMatchObject({
      ok: false,
      code: 'session-not-found',
    })
  })

  it('says when the clock ends a turn that nobody ended', async () => {
    const { engine, source } = await memoryWorld()
    const session = await startIn(engine, 's')
    await session.append({ id: 'm', role: 'user', text: 'go' })
    await session.startTurn({ leaseMs: 60 })
    const { next, state } = reader(await watching(engine, { query: 'list' }))
    await next()
    const statusOf = (): unknown => {
      const now = state()
      return now?.kind === 'rows' ? now.value.rows.get('s') : undefined
    }
    expect(statusOf()).toMatchObject({ status: 'running' })
    source.advance(61)
    await next()
    expect(statusOf()).toMatchObject({ status: 'interrupted', turn: null })
  })

  it('ends with its signal, by being closed, and with its engine', async () => {
    const { engine } = await memoryWorld()
    await startIn(engine, 's')
    const abort = new AbortController()
    const { feed } = sure(await engine.watch({ query: 'list' }, { signal: abort.signal }))
    const bySignal = reader(feed)
    const closed = await watching(engine, { query: 'usage' })
    const byClose = reader(closed)
    const byEngine = reader(await watching(engine, { query: 'lineage', session: 's' }))
    for (const { next } of [bySignal, byClose, byEngine]) expect(await next()).toMatchObject({ kind: 'snapshot' })
    const [first, second, third] = [bySignal.next(), byClose.next(), byEngine.next()]
    abort.abort()
    expect(await first).toBeUndefined()
    closed.close()
    closed.close()
    expect(await second).toBeUndefined()
    await engine.close()
    expect(await third).toBeUndefined()
  })

  it('answers equal queries from one place, whoever asks and however the words stand', async () => {
    const { engine } = await memoryWorld()
    const session = await startIn(engine, 's')
    const one = reader(await watching(engine, { query: 'show', session: 's', limit: 2 }))
    const other = reader(await watching(engine, { limit: 2, session: 's', query: 'show' }))
    await one.next()
    await other.next()
    await session.append({ id: 'm', role: 'user', text: 'hi' })
    const told = await one.next()
    expect(await other.next()).toBe(told)
  })
})
