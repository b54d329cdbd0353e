import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { report } from '../../../packages/engine/src/commands/report.ts'
import { spawn } from '../../../packages/engine/src/commands/spawn.ts'
import { commandWorld, given, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'

const child: SessionEvent = {
  type: 'SessionStarted',
  data: { session: 'a', origin: { kind: 'delegate', session: 's' } },
}
const spawned: SessionEvent = { type: 'DelegateSpawned', data: { session: 'a' } }
const startedFor = (session: string, parent: string): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'delegate', session: parent } },
})
const spawnedAs = (session: string): SessionEvent => ({ type: 'DelegateSpawned', data: { session } })

describe('spawn', () => {
  test("writes the parent's event first, then the child's start", () =>
    given([started])
      .when((desk) => spawn(desk, 's', { id: 'a', task: 'Look it up', toolCallId: 'call_1', blobs: [] }))
      .writes(
        [{ type: 'DelegateSpawned', data: { session: 'a', toolCallId: 'call_1', task: 'Look it up' } }, ['a', child]],
        { session: 'a', parent: 's', events: ['SessionStarted'] },
      ))

  test('hands on workspace and model', () =>
    given([
      { type: 'SessionStarted', data: { session: 's', origin: { kind: 'root' }, workspace: '/a', model: 'large' } },
    ])
      .when((desk) => spawn(desk, 's', { id: 'a', model: 'small', blobs: [] }))
      .writes([
        spawned,
        [
          'a',
          {
            type: 'SessionStarted',
            data: { session: 'a', origin: { kind: 'delegate', session: 's' }, workspace: '/a', model: 'small' },
          },
        ],
      ]))

  test('is done once under its key', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const first = await outcomeOf(world, (desk) => spawn(desk, 's', { blobs: [] }), { key: 'k' })
    const before = await wholeLog(world)
    const again = await outcomeOf(world, (desk) => spawn(desk, 's', { blobs: [] }), { key: 'k' })
    expect(again).toEqual({ ...first, repeated: true })
    expect(await wholeLog(world)).toEqual(before)
  })

  test('refuses a session that is over', async () => {
    await given([started, { type: 'Ended', data: { reason: 'done', class: 'deliberate' } }])
      .when((desk) => spawn(desk, 's', { blobs: [] }))
      .refuses('session-ended')
    await given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => spawn(desk, 's', { blobs: [] }))
      .refuses('session-deleted')
  })

  test('refuses an id that is taken, and leaves the parent as it was', () =>
    given({ s: [started, spawned], a: [child] })
      .when((desk) => spawn(desk, 's', { id: 'a', blobs: [] }))
      .refuses('id-taken'))
})

/** What a report ends, of a delegate that has one of its own. */
const endsIn = async (stays: boolean): Promise<readonly unknown[]> => {
  const world = commandWorld()
  await write(world, { s: [started, spawned], a: [child, spawnedAs('b')], b: [startedFor('b', 'a')] })
  await outcomeOf(world, (desk) => report(desk, 's', { delegate: 'a', outcome: 'done', stays, blobs: [] }))
  return (await wholeLog(world)).flatMap(({ stream, type, data }) => (type === 'Ended' ? [[stream, data]] : []))
}

describe('report', () => {
  test('reaches the model once', async () => {
    const world = commandWorld()
    await write(world, { s: [started, spawned], a: [child] })
    const said = { delegate: 'a', outcome: 'done', message: 'Found it.', blobs: [] } as const
    const first = await outcomeOf(world, (desk) => report(desk, 's', said))
    expect(first).toMatchObject({ events: ['DelegateReported', 'MessageAppended'] })
    const again = await outcomeOf(world, (desk) => report(desk, 's', said))
    expect(again).toEqual({ ...first, repeated: true })
    const messages = (await wholeLog(world)).filter(({ type }) => type === 'MessageAppended')
    expect(messages.map(({ data }) => data)).toMatchObject([
      { parts: [{ type: 'text', text: 'Found it.' }], provenance: 'engine', shownTo: 'model' },
    ])
  })

  test('tells several runs apart', async () => {
    const world = commandWorld()
    await write(world, { s: [started, spawned], a: [child] })
    for (const run of ['1', '2'])
      await outcomeOf(world, (desk) =>
        report(desk, 's', { delegate: 'a', run, outcome: 'done', message: run, blobs: [] }),
      )
    expect((await wholeLog(world)).filter(({ type }) => type === 'DelegateReported')).toHaveLength(2)
  })

  test.for(['deliberate', 'reset'] as const)('after a %s end it stays readable and is not injected', (cls) =>
    given({ s: [started, spawned, { type: 'Ended', data: { reason: 'x', class: cls } }], a: [child] })
      .when((desk) =>
        report(desk, 's', { delegate: 'a', outcome: 'done', message: 'Found it.', stays: true, blobs: [] }),
      )
      .writes([{ type: 'DelegateReported', data: { session: 'a', run: '1', outcome: 'done', message: 'Found it.' } }], {
        injectedAs: null,
      }),
  )

  test('undoes an accident, as any message does', async () => {
    const world = commandWorld()
    await write(world, {
      s: [started, spawned, { type: 'Ended', data: { reason: 'x', class: 'accident' } }],
      a: [child],
    })
    const outcome = await outcomeOf(world, (desk) =>
      report(desk, 's', { delegate: 'a', outcome: 'done', message: 'Found it.', blobs: [] }),
    )
    expect(outcome).toMatchObject({ events: ['DelegateReported', 'Reopened', 'MessageAppended'] })
  })

  test('may come from the delegate itself', () =>
    given({ s: [started, spawned], a: [child] })
      .when((desk) => report(desk, 's', { delegate: 'a', outcome: 'failed', stays: true, blobs: [] }), {
        actor: { kind: 'agent', id: 'worker', session: 'a' },
      })
      .writes([{ type: 'DelegateReported', data: { session: 'a', run: '1', outcome: 'failed' } }]))

  test('ends the delegate and those that work for it, unless it is said to stay', async () => {
    expect(await endsIn(true)).toEqual([])
    expect(await endsIn(false)).toEqual([
      ['session-default.a', { reason: 'reported', class: 'deliberate' }],
      ['session-default.b', { reason: 'parent-ended', class: 'deliberate' }],
    ])
  })

  test('never ends the session that it reports to, also where delegates work in a circle', async () => {
    const world = commandWorld()
    await write(world, { s: [startedFor('s', 'a'), spawned], a: [child, spawnedAs('s')] })
    await outcomeOf(world, (desk) => report(desk, 's', { delegate: 'a', outcome: 'done', blobs: [] }))
    const ended = (await wholeLog(world)).filter(({ type }) => type === 'Ended').map(({ stream }) => stream)
    expect(ended).toEqual(['session-default.a'])
  })

  test('refuses what was never spawned here, and a deleted session', async () => {
    await given([started])
      .when((desk) => report(desk, 's', { delegate: 'a', outcome: 'done', blobs: [] }))
      .refuses('not-a-delegate', { session: 'a', parent: 's' })
    await given([started, spawned, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => report(desk, 's', { delegate: 'a', outcome: 'done', blobs: [] }))
      .refuses('session-deleted')
  })
})
