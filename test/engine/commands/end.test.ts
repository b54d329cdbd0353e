import { describe, expect, test } from 'vitest'
import type { EndClass, SessionEvent } from '@refold/events'
import { end } from '../../../packages/engine/src/commands/end.ts'
import { reopen } from '../../../packages/engine/src/commands/reopen.ts'
import { commandWorld, given, outcomeOf, started, write } from '../../support/command-spec.ts'

const ended = (reason: string, cls: EndClass): SessionEvent => ({ type: 'Ended', data: { reason, class: cls } })
const spawned = (session: string): SessionEvent => ({ type: 'DelegateSpawned', data: { session } })
const delegate = (session: string, parent: string): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'delegate', session: parent } },
})

describe('end', () => {
  test('ends a session on purpose', () =>
    given([started])
      .when((desk) => end(desk, 's', { reason: 'done' }))
      .writes([ended('done', 'deliberate')], { reason: 'done', class: 'deliberate', delegates: [] }))

  test.for(['deliberate', 'accident', 'reset'] as const)('the first deliberate reason wins over a later %s', (cls) =>
    given([started, ended('first', 'deliberate')])
      .when((desk) => end(desk, 's', { reason: 'second', class: cls }))
      .writesNothing({ reason: 'first', class: 'deliberate' }),
  )

  test.for(['deliberate', 'reset'] as const)('an accident does not block a %s end', (cls) =>
    given([started, ended('crash', 'accident')])
      .when((desk) => end(desk, 's', { reason: 'done', class: cls }))
      .writes([ended('done', cls)]),
  )

  test('a second accident changes nothing', () =>
    given([started, ended('crash', 'accident')])
      .when((desk) => end(desk, 's', { reason: 'again', class: 'accident' }))
      .writesNothing({ reason: 'crash' }))

  test('a reset stays a reset', () =>
    given([started, ended('new', 'reset')])
      .when((desk) => end(desk, 's', { reason: 'done' }))
      .writesNothing({ reason: 'new', class: 'reset' }))

  test('ends the open delegates, theirs too, and leaves those that reported', () =>
    given({
      s: [
        started,
        spawned('a'),
        spawned('b'),
        { type: 'DelegateReported', data: { session: 'b', run: '1', outcome: 'done' } },
      ],
      a: [delegate('a', 's'), spawned('aa')],
      aa: [delegate('aa', 'a')],
      b: [delegate('b', 's')],
    })
      .when((desk) => end(desk, 's', { reason: 'done' }))
      .writes(
        [
          ended('done', 'deliberate'),
          ['a', ended('parent-ended', 'deliberate')],
          ['aa', ended('parent-ended', 'deliberate')],
        ],
        { delegates: ['a', 'aa'] },
      ))

  test('tells under its key which delegates ended with it', async () => {
    const world = commandWorld()
    await write(world, {
      s: [started, spawned('a')],
      a: [delegate('a', 's'), spawned('aa')],
      aa: [delegate('aa', 'a')],
    })
    const first = await outcomeOf(world, (desk) => end(desk, 's', { reason: 'done' }), { key: 'k' })
    expect(first).toMatchObject({ delegates: ['a', 'aa'] })
    const again = await outcomeOf(world, (desk) => end(desk, 's', { reason: 'done' }), { key: 'k' })
    expect(again).toEqual({ ...first, repeated: true })
  })

  test('an accident leaves the delegates at work', () =>
    given({ s: [started, spawned('a')], a: [delegate('a', 's')] })
      .when((desk) => end(desk, 's', { reason: 'crash', class: 'accident' }))
      .writes([ended('crash', 'accident')]))

  test('delegates that work for each other in a circle end once', () =>
    given({ s: [delegate('s', 'a'), spawned('a')], a: [delegate('a', 's'), spawned('s')] })
      .when((desk) => end(desk, 's', { reason: 'done' }))
      .writes([ended('done', 'deliberate'), ['a', ended('parent-ended', 'deliberate')]]))

  test('refuses a deleted session', () =>
    given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => end(desk, 's', { reason: 'done' }))
      .refuses('session-deleted'))

  test('a delegate may not end the sessions it works for, near or far', async () => {
    for (const target of ['s', 'a'])
      await given({ s: [started, spawned('a')], a: [delegate('a', 's'), spawned('aa')], aa: [delegate('aa', 'a')] })
        .when((desk) => end(desk, target, { reason: 'done' }), {
          actor: { kind: 'agent', id: 'worker', session: 'aa' },
        })
        .refuses('not-allowed', { actor: 'aa', session: target })
  })

  test('a delegate may end itself', () =>
    given({ s: [started, spawned('a')], a: [delegate('a', 's')] })
      .when((desk) => end(desk, 'a', { reason: 'done' }), { actor: { kind: 'agent', id: 'worker', session: 'a' } })
      .writes([['a', ended('done', 'deliberate')]]))
})

describe('reopen', () => {
  test.for(['deliberate', 'accident', 'reset'] as const)('takes a %s end back', (cls) =>
    given([started, ended('x', cls)])
      .when((desk) => reopen(desk, 's'))
      .writes([{ type: 'Reopened', data: { why: 'person' } }]),
  )

  test('writes nothing for a live session', () =>
    given([started])
      .when((desk) => reopen(desk, 's'))
      .writesNothing())

  test('refuses a deleted session', () =>
    given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => reopen(desk, 's'))
      .refuses('session-deleted'))
})
