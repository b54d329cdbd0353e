import { describe, expect, test } from 'vitest'
import type { Origin, SessionEvent } from '@refold/events'
import { deleteSessions } from '../../../packages/engine/src/commands/delete.ts'
import { rename } from '../../../packages/engine/src/commands/rename.ts'
import { restore } from '../../../packages/engine/src/commands/restore.ts'
import { bindRoute } from '../../../packages/engine/src/commands/routes.ts'
import { start } from '../../../packages/engine/src/commands/start.ts'
import { startTurn } from '../../../packages/engine/src/commands/turns.ts'
import {
  commandWorld,
  given,
  outcomeOf,
  started,
  wholeLog,
  write,
  type CommandWorld,
} from '../../support/command-spec.ts'

const start1 = (session: string, origin: Origin = { kind: 'root' }): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin },
})
const worksFor = (parent: string): Origin => ({ kind: 'delegate', session: parent })
const spawned = (session: string): SessionEvent => ({ type: 'DelegateSpawned', data: { session } })
const titled = (title: string): SessionEvent => ({ type: 'Renamed', data: { title, by: 'person' } })
const none: ReadonlyMap<string, readonly string[]> = new Map()

const deleting =
  (...seeds: string[]) =>
  (desk: Parameters<typeof deleteSessions>[0]) =>
    deleteSessions(desk, { seeds, children: none })

/** `s` spawned `a`, which spawned `aa`; and has children of every other kind. */
const family = {
  s: [started, spawned('a')],
  a: [start1('a', worksFor('s')), spawned('aa')],
  aa: [start1('aa', worksFor('a'))],
  twig: [start1('twig', { kind: 'branch', session: 's', cut: { asOf: 1, through: null } })],
  anew: [start1('anew', { kind: 'reset', session: 's' })],
  child: [start1('child', { kind: 'untyped', session: 's' })],
  stray: [start1('stray', { kind: 'stray', session: 's', cut: { asOf: 1, through: null } })],
}

async function worldOf(history: Parameters<typeof write>[1]): Promise<CommandWorld> {
  const world = commandWorld()
  await write(world, history)
  return world
}

describe('delete', () => {
  test('takes the session and its delegates, theirs too, and nothing else', async () => {
    const world = await worldOf(family)
    const outcome = await outcomeOf(world, deleting('s'))
    expect(outcome).toMatchObject({ ok: true, deletes: ['s', 'a', 'aa'] })
    const deleted = (await wholeLog(world)).filter(({ type }) => type === 'Deleted').map(({ data }) => data)
    const deletionId = outcome.ok ? outcome.deletionId : null
    expect(deleted).toEqual([
      { deletionId, seed: 's', along: ['a', 'aa'] },
      { deletionId, seed: 's', along: [] },
      { deletionId, seed: 's', along: [] },
    ])
  })

  test('an empty selection deletes nothing', () => given(family).when(deleting()).writesNothing({ deletionId: null }))

  test('refuses an id that is not there, and deletes nothing of the others', () =>
    given(family).when(deleting('s', 'nobody')).refuses('session-not-found', { name: 'nobody' }))

  test('is refused while a turn is held, also by a delegate', async () => {
    const world = await worldOf(family)
    await outcomeOf(world, (desk) => startTurn(desk, 'aa', { turn: 't', leaseMs: 1_000 }))
    const before = await wholeLog(world)
    expect(await outcomeOf(world, deleting('s'))).toMatchObject({ code: 'has-live-turn', session: 'aa', turn: 't' })
    expect(await wholeLog(world)).toEqual(before)
    world.source.advance(1_000)
    expect(await outcomeOf(world, deleting('s'))).toMatchObject({ ok: true, deletes: ['s', 'a', 'aa'] })
  })

  test('deleting again changes nothing', async () => {
    const world = await worldOf(family)
    await outcomeOf(world, deleting('s'))
    const before = await wholeLog(world)
    expect(await outcomeOf(world, deleting('s'))).toMatchObject({ ok: true, deletionId: null, deletes: [] })
    expect(await wholeLog(world)).toEqual(before)
  })

  test('is done once under its key', async () => {
    const world = await worldOf(family)
    const first = await outcomeOf(world, deleting('s'), { key: 'k' })
    expect(await outcomeOf(world, deleting('s'), { key: 'k' })).toMatchObject({
      repeated: true,
      deletionId: first.ok && first.deletionId,
      deletes: ['s', 'a', 'aa'],
    })
  })

  test('a delegate may not delete the sessions that it works for', () =>
    given(family)
      .when(deleting('s'), { actor: { kind: 'agent', id: 'worker', session: 'aa' } })
      .refuses('not-allowed'))

  test('start case d: a circle of delegates ends, each deleted once', async () => {
    const world = await worldOf({
      a: [start1('a', worksFor('c')), spawned('b')],
      b: [start1('b', worksFor('a')), spawned('c')],
      c: [start1('c', worksFor('b')), spawned('a')],
    })
    expect(await outcomeOf(world, deleting('b'))).toMatchObject({ deletes: ['b', 'c', 'a'] })
  })

  test('start case d: no seed ever counts as a descendant of another', async () => {
    const world = await worldOf(family)
    const outcome = await outcomeOf(world, deleting('a', 's', 'a'))
    expect(outcome).toMatchObject({ ok: true })
    const along = (await wholeLog(world))
      .filter(({ type }) => type === 'Deleted')
      .map(({ data }) => [Object(data).seed, Object(data).along])
    expect(along).toEqual([
      ['a', ['aa']],
      ['s', []],
      ['a', []],
    ])
  })

  test('start case d: a session that is both spawned and a branch survives', async () => {
    const world = await worldOf({
      s: [started, spawned('twig')],
      twig: [start1('twig', { kind: 'branch', session: 's', cut: { asOf: 0, through: null } })],
    })
    expect(await outcomeOf(world, deleting('s'))).toMatchObject({ deletes: ['s'] })
  })

  test('delegates that only their own start knows of go along when the views name them', async () => {
    const world = await worldOf({ s: [started], a: [start1('a', worksFor('s'))] })
    const children = new Map([['s', ['a']]])
    const outcome = await outcomeOf(world, (desk) => deleteSessions(desk, { seeds: ['s'], children }))
    expect(outcome).toMatchObject({ deletes: ['s', 'a'] })
  })

  test('365 delegates, 79 levels deep, go in one append', async () => {
    const history: Record<string, SessionEvent[]> = { s: [started] }
    for (let n = 1; n <= 365; n += 1) {
      const parent = n <= 79 ? (n === 1 ? 's' : `d${n - 1}`) : `d${(n * 7) % 79 || 1}`
      history[parent]?.push(spawned(`d${n}`))
      history[`d${n}`] = [start1(`d${n}`, worksFor(parent))]
    }
    const world = await worldOf(history)
    const outcome = await outcomeOf(world, deleting('s'))
    expect(outcome.ok && outcome.deletes.length).toBe(366)
  })

  test('seams 4.3: title and route are free again, the ids never', async () => {
    const world = await worldOf({ s: [started, titled('Plan')], other: [start1('other')] })
    await outcomeOf(world, (desk) => bindRoute(desk, 's', { route: 'chat 1' }))
    await outcomeOf(world, deleting('s'))
    expect(await outcomeOf(world, (desk) => rename(desk, 'other', { title: 'Plan' }))).toMatchObject({ title: 'Plan' })
    expect(await outcomeOf(world, (desk) => bindRoute(desk, 'other', { route: 'chat 1' }))).toMatchObject({
      generation: 2,
    })
    expect(await outcomeOf(world, (desk) => start(desk, { id: 's', blobs: [] }))).toMatchObject({ code: 'id-taken' })
  })
})

describe('seams 7.5: restore', () => {
  test('brings the session back with the delegates that the same deletion took', async () => {
    const world = await worldOf({ ...family, s: [...family.s, titled('Plan')] })
    await outcomeOf(world, deleting('s'))
    expect(await outcomeOf(world, (desk) => restore(desk, 's'))).toMatchObject({
      restored: ['s', 'a', 'aa'],
      retitled: [],
      routesLost: [],
    })
    expect(await outcomeOf(world, (desk) => rename(desk, 'twig', { title: 'Plan' }))).toMatchObject({
      code: 'title-taken',
      holder: 's',
    })
  })

  test('leaves what was deleted before, or as a seed of its own', async () => {
    const before = await worldOf(family)
    await outcomeOf(before, deleting('aa'))
    await outcomeOf(before, deleting('s'))
    expect(await outcomeOf(before, (desk) => restore(desk, 's'))).toMatchObject({ restored: ['s', 'a'] })
    const seeds = await worldOf(family)
    await outcomeOf(seeds, deleting('s', 'aa'))
    expect(await outcomeOf(seeds, (desk) => restore(desk, 's'))).toMatchObject({ restored: ['s', 'a'] })
  })

  test('a delegate waits for the session that it works for', async () => {
    const world = await worldOf(family)
    await outcomeOf(world, deleting('s'))
    expect(await outcomeOf(world, (desk) => restore(desk, 'aa'))).toMatchObject({ code: 'parent-deleted', parent: 'a' })
  })

  test('seams 4.3: a title taken meanwhile comes back with the next free number, a route does not', async () => {
    const world = await worldOf({ s: [started, titled('Plan')], other: [start1('other')] })
    await outcomeOf(world, (desk) => bindRoute(desk, 's', { route: 'chat 1' }))
    await outcomeOf(world, deleting('s'))
    await outcomeOf(world, (desk) => rename(desk, 'other', { title: 'Plan' }))
    await outcomeOf(world, (desk) => bindRoute(desk, 'other', { route: 'chat 1' }))
    const first = await outcomeOf(world, (desk) => restore(desk, 's'), { key: 'k' })
    expect(first).toMatchObject({
      retitled: [{ session: 's', was: 'Plan', title: 'Plan #2' }],
      routesLost: ['chat 1'],
    })
    expect(await outcomeOf(world, (desk) => restore(desk, 's'), { key: 'k' })).toEqual({ ...first, repeated: true })
    expect(await outcomeOf(world, (desk) => bindRoute(desk, 'other', { route: 'chat 1' }))).toMatchObject({
      events: [],
      generation: 2,
    })
  })

  test('a route that stayed free comes back under a new generation', async () => {
    const world = await worldOf({ s: [started] })
    await outcomeOf(world, (desk) => bindRoute(desk, 's', { route: 'chat 1' }))
    await outcomeOf(world, deleting('s'))
    await outcomeOf(world, (desk) => restore(desk, 's'))
    expect((await wholeLog(world)).at(-1)?.data).toEqual({ key: 'route', route: 'chat 1', bound: true, generation: 2 })
  })

  test('refuses what is not deleted, not there, or gone for good', async () => {
    const deleted: SessionEvent = { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }
    await given([started])
      .when((desk) => restore(desk, 's'))
      .refuses('not-deleted')
    await given([started])
      .when((desk) => restore(desk, 'x'))
      .refuses('session-not-found')
    await given([started, deleted, { type: 'PurgeStarted', data: { purgeId: 'p', eventIds: [], kept: [] } }])
      .when((desk) => restore(desk, 's'))
      .refuses('session-purged')
  })
})
