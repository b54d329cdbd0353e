import { setTimeout as sleep } from 'node:timers/promises'
import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import {
  followFeed,
  openEngine,
  openMemoryStore,
  type Engine,
  type FeedState,
  type FeedValue,
  type Refusal,
  type WatchQuery,
} from '@refold/engine'
import { testSource } from '../../support/test-source.ts'
import { lead, worlds } from '../../worlds/worlds.ts'
import { replayedLog, type ReplayedLog } from './replayed-log.ts'

/** A follower that is cut off now and then and goes on where it was; every state that it was in, by position. */
class Follower {
  readonly query: WatchQuery
  readonly states: { readonly position: number; readonly state: FeedState }[] = []
  #after: string | undefined
  #stopped = false
  #feed: { close(): void } | undefined

  constructor(query: WatchQuery) {
    this.query = query
  }

  get last(): FeedState | undefined {
    return this.states.at(-1)?.state
  }

  async follow(engine: Engine, cuts: readonly number[]): Promise<void> {
    for (let round = 0; !this.#stopped; round += 1) {
      const watching = await engine.watch(this.query, this.#after === undefined ? {} : { after: this.#after })
      if (!watching.ok) {
        await sleep(1)
        continue
      }
      this.#feed = watching.feed
      let left = cuts[round % cuts.length] ?? 1
      for await (const message of watching.feed) {
        const state = followFeed(this.last, message)
        const position = Number(message.cursor.split('.')[0])
        expect(position, 'no cursor goes back').toBeGreaterThanOrEqual(this.states.at(-1)?.position ?? 0)
        expect(message.cursor === this.#after, 'nothing is told twice').toBe(false)
        this.states.push({ position, state })
        this.#after = message.cursor
        left -= 1
        if (left <= 0 || this.#stopped) break
      }
    }
  }

  stop(): void {
    this.#stopped = true
    this.#feed?.close()
  }
}

const clock = testSource()
const still = { ...clock, now: () => 1_800_000_000_000 }

test.prop(
  [
    worlds(60),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
    fc.infiniteStream(fc.integer({ min: 1, max: 20 })),
  ],
  { seed: 20261201, numRuns: 8 },
)(
  'what a follower knows equals a fresh query at the same position, however the log grows and wherever it is cut off (seed 20261201)',
  async (commands, cuts, chunks) => {
    const { stage } = await lead('memory', commands)
    stage.store.crashNext('never')
    const log = await replayedLog(stage.store)
    await stage.close()
    const followers = queriesOf(log).map((query) => new Follower(query))
    const store = openMemoryStore(still)
    const engine = await openEngine({ store, source: still })
    const following = followers.map((follower) => follower.follow(engine, cuts))
    for (let done = 0; done < log.length;) {
      const size = chunks.next().value ?? 1
      await log.append(store, done, done + size)
      done = Math.min(log.length, done + size)
      await sleep(done % 4 === 0 ? 0 : 25)
    }
    for (const follower of followers) await settled(follower, engine)
    for (const follower of followers) follower.stop()
    await engine.close()
    await Promise.all(following)
    await store.close()
    await agreesWithFreshQueries(log, followers)
  },
)

function queriesOf(log: ReplayedLog): readonly WatchQuery[] {
  const sessions = log.sessions.slice(0, 5)
  return [
    { query: 'list' },
    { query: 'list', all: true, limit: 3, sort: 'title' },
    { query: 'list', archived: true, search: 's' },
    { query: 'usage', by: 'session' },
    ...sessions.flatMap((session): readonly WatchQuery[] => [
      { query: 'show', session, limit: 6 },
      { query: 'context', session },
      { query: 'lineage', session },
    ]),
  ]
}

/** Waits until the follower knows what a query says now. */
async function settled(follower: Follower, engine: Engine): Promise<void> {
  for (;;) {
    const fresh = await ask(engine, follower.query)
    if (fresh.kind === 'none' || JSON.stringify(known(follower.last)) === JSON.stringify(fresh)) return
    await sleep(5)
  }
}

async function agreesWithFreshQueries(log: ReplayedLog, followers: readonly Follower[]): Promise<void> {
  const store = openMemoryStore(still)
  const engine = await openEngine({ store, source: still })
  const positions = new Set(followers.flatMap(({ states }) => states.map(({ position }) => position)))
  let done = 0
  for (const position of [...positions].toSorted((one, other) => one - other)) {
    for (; (await store.logHead()).position < position; done += 1) await log.append(store, done, done + 1)
    for (const { query, states } of followers)
      for (const { state } of states.filter((one) => one.position === position))
        expect(known(state), `${JSON.stringify(query)} at ${position}`).toEqual(await ask(engine, query))
  }
  await engine.close()
  await store.close()
}

type Known =
  | { readonly kind: 'rows'; readonly head: object; readonly rows: readonly object[] }
  | { readonly kind: 'gone'; readonly code: string }
  | { readonly kind: 'none' }

function known(state: FeedState | undefined): Known {
  if (!state) return { kind: 'none' }
  if (state.kind === 'gone') return { kind: 'gone', code: state.code }
  const { head, rows }: FeedValue = state.value
  return { kind: 'rows', head, rows: [...rows.values()] }
}

async function ask(engine: Engine, query: WatchQuery): Promise<Known> {
  if (query.query === 'list') {
    const { query: _, ...filter } = query
    const page = await engine.list(filter)
    return 'ok' in page ? gone(page) : { kind: 'rows', head: { total: page.total }, rows: page.sessions }
  }
  if (query.query === 'usage') {
    const { query: _, ...filter } = query
    const report = await engine.usage(filter)
    return 'ok' in report ? gone(report) : { kind: 'rows', head: { total: report.total }, rows: report.lines }
  }
  const found = await engine.session(query.session)
  if (!found.ok) return found.code === 'session-not-found' ? { kind: 'none' } : gone(found)
  const { handle } = found
  if (query.query === 'show') {
    const page = await handle.transcript(query.limit === undefined ? {} : { limit: query.limit })
    if ('ok' in page) return gone(page)
    const { entries, ...head } = page
    return { kind: 'rows', head, rows: entries }
  }
  if (query.query === 'context') {
    const view = await handle.context()
    if ('ok' in view) return gone(view)
    const { messages, ...head } = view
    return { kind: 'rows', head, rows: messages }
  }
  const view = await handle.lineage()
  if ('ok' in view) return gone(view)
  const { session, segments, parents, children } = view
  return {
    kind: 'rows',
    head: { session },
    rows: [
      ...segments.map((segment) => ({ place: 'segment', kind: null, session: segment })),
      ...parents.map((edge) => ({ place: 'parent', ...edge })),
      ...children.map((edge) => ({ place: 'child', ...edge })),
    ],
  }
}

function gone({ code }: Refusal): Known {
  return { kind: 'gone', code }
}
