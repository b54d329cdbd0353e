import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { bindRoute, releaseRoute } from '../../../packages/engine/src/commands/routes.ts'
import { start } from '../../../packages/engine/src/commands/start.ts'
import { commandWorld, given, message, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'

const root = (session: string, extra: object = {}): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'root' }, ...extra },
})
const route = (bound: boolean, generation: number): SessionEvent => ({
  type: 'SettingChanged',
  data: { key: 'route', route: 'chat 1', bound, generation },
})

describe('start', () => {
  test('starts a session with its title and prompt', () =>
    given({})
      .when((desk) =>
        start(desk, { id: 's', title: ' Sensors ', workspace: '/a', systemPrompt: 'Be brief.', blobs: [] }),
      )
      .writes(
        [
          root('s', { workspace: '/a' }),
          { type: 'Renamed', data: { title: 'Sensors', by: 'person' } },
          { type: 'SettingChanged', data: { key: 'system-prompt', value: 'Be brief.' } },
        ],
        { session: 's', revision: 2 },
      ))

  test('refuses an id that another session has', () =>
    given([started])
      .when((desk) => start(desk, { id: 's', blobs: [] }))
      .refuses('id-taken', { id: 's', holder: 's' }))

  test('refuses an id that a segment has', () =>
    given([started, { type: 'Rotated', data: { from: 's', to: 's-2', reason: 'r' } }])
      .when((desk) => start(desk, { id: 's-2', blobs: [] }))
      .refuses('id-taken', { id: 's-2', holder: 's' }))

  test('refuses the id of a deleted session', () =>
    given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => start(desk, { id: 's', blobs: [] }))
      .refuses('id-taken'))

  test('refuses a taken title, and starts nothing', () =>
    given([started, { type: 'Renamed', data: { title: 'Sensors', by: 'person' } }])
      .when((desk) => start(desk, { id: 'other', title: 'Sensors', blobs: [] }))
      .refuses('title-taken', { holder: 's' }))

  test('tells its first outcome under the same key, with the id it made then', async () => {
    const world = commandWorld()
    const first = await outcomeOf(world, (desk) => start(desk, { title: 'Sensors', blobs: [] }), { key: 'k' })
    const before = await wholeLog(world)
    const again = await outcomeOf(world, (desk) => start(desk, { title: 'Sensors', blobs: [] }), { key: 'k' })
    expect(again).toEqual({ ...first, repeated: true })
    expect(await wholeLog(world)).toEqual(before)
  })

  test('makes different ids for different commands', async () => {
    const world = commandWorld()
    const ids = new Set<string>()
    for (let round = 0; round < 5; round += 1) {
      const outcome = await outcomeOf(world, (desk) => start(desk, { blobs: [] }))
      if (outcome.ok) ids.add(outcome.session)
    }
    expect(ids.size).toBe(5)
  })
})

describe('start anew (reset)', () => {
  test('ends the one left behind, with its delegates, and takes its routes along', () =>
    given({
      s: [started, route(true, 1), { type: 'DelegateSpawned', data: { session: 'a' } }],
      a: [{ type: 'SessionStarted', data: { session: 'a', origin: { kind: 'delegate', session: 's' } } }],
    })
      .when((desk) => start(desk, { id: 'new', resetOf: 's', blobs: [] }))
      .writes([
        ['new', { type: 'SessionStarted', data: { session: 'new', origin: { kind: 'reset', session: 's' } } }],
        ['new', route(true, 2)],
        route(false, 1),
        { type: 'Ended', data: { reason: 'reset', class: 'reset' } },
        ['a', { type: 'Ended', data: { reason: 'parent-ended', class: 'reset' } }],
      ]))

  test('leaves the reason of a session that was ended on purpose', () =>
    given([started, { type: 'Ended', data: { reason: 'done', class: 'deliberate' } }])
      .when((desk) => start(desk, { id: 'new', resetOf: 's', blobs: [] }))
      .writes([['new', { type: 'SessionStarted', data: { session: 'new', origin: { kind: 'reset', session: 's' } } }]]))

  test('refuses where there is nothing to begin anew', () =>
    given([started])
      .when((desk) => start(desk, { resetOf: 'x', blobs: [] }))
      .refuses('session-not-found'))
})

describe('seams 10: routes', () => {
  test('binding raises the generation, binding again to the same session does not', async () => {
    await given([started])
      .when((desk) => bindRoute(desk, 's', { route: 'chat 1' }))
      .writes([route(true, 1)], { route: 'chat 1', generation: 1 })
    await given([started, route(true, 1)])
      .when((desk) => bindRoute(desk, 's', { route: 'chat 1' }))
      .writesNothing({ generation: 1 })
  })

  test('a bound route is refused to others, with its holder and generation', () =>
    given({ s: [started], other: [root('other'), route(true, 1)] })
      .when((desk) => bindRoute(desk, 's', { route: 'chat 1' }))
      .refuses('route-taken', { holder: 'other', generation: 1 }))

  test('whoever names the generation takes it over', () =>
    given({ s: [started], other: [root('other'), route(true, 1)] })
      .when((desk) => bindRoute(desk, 's', { route: 'chat 1', takeOver: 1 }))
      .writes([['other', route(false, 1)], route(true, 2)], { generation: 2 }))

  test('an older generation takes nothing over', () =>
    given({ s: [started], other: [root('other'), route(true, 1), route(false, 1), route(true, 2)] })
      .when((desk) => bindRoute(desk, 's', { route: 'chat 1', takeOver: 1 }))
      .refuses('route-generation', { generation: 1, current: 2 }))

  test('the generation never falls, also when a route was free in between', async () => {
    const world = commandWorld()
    await write(world, { s: [started, message('m1')], other: [root('other')] })
    const generations: unknown[] = []
    for (const session of ['s', 'other', 's']) {
      const bound = await outcomeOf(world, (desk) => bindRoute(desk, session, { route: 'chat 1' }))
      generations.push(bound.ok && bound.generation)
      await outcomeOf(world, (desk) => releaseRoute(desk, session, { route: 'chat 1' }))
    }
    expect(generations).toEqual([1, 2, 3])
  })

  test('refuses to release a route that is not bound here', () =>
    given([started])
      .when((desk) => releaseRoute(desk, 's', { route: 'chat 1' }))
      .refuses('route-not-bound', { route: 'chat 1' }))
})
