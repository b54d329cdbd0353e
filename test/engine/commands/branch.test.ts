import { describe, expect, test } from 'vitest'
import type { MessageRef, SessionEvent } from '@refold/events'
import { branch } from '../../../packages/engine/src/commands/branch.ts'
import {
  commandWorld,
  given,
  message,
  outcomeOf,
  started,
  streamIn,
  wholeLog,
  write,
} from '../../support/command-spec.ts'

const talk = [started, message('m1'), message('m2', 'assistant'), message('m3')]
const titled: SessionEvent = { type: 'Renamed', data: { title: 'Plan', by: 'person' } }
const twig = (
  asOf: number,
  through: MessageRef | null,
  session = 'twig',
  origin = 's',
): SessionEvent & { readonly type: 'SessionStarted' } => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'branch', session: origin, cut: { asOf, through } } },
})
const m2 = { message: 'm2', session: 's', revision: 2 }

describe('branch', () => {
  test("seams 6.2: begins with the origin's head, without what comes after the message", () =>
    given([...talk, { type: 'MessageEdited', data: { message: 'm1', parts: [] } }])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'm2' }))
      .writes([['twig', twig(4, m2)]], { session: 'twig', title: null }))

  test('seams 6.2: --as-of takes an older head', () =>
    given([...talk, message('m4')])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'm2', asOf: 3 }))
      .writes([['twig', twig(3, m2)]]))

  test('begins empty from the start', () =>
    given(talk)
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'start' }))
      .writes([['twig', twig(3, null)]]))

  test("works in its origin's folder with its origin's model, or in others", async () => {
    const settled: SessionEvent = {
      type: 'SessionStarted',
      data: { session: 's', origin: { kind: 'root' }, workspace: '/one', model: 'large' },
    }
    const { data } = twig(0, null)
    await given([settled])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'start' }))
      .writes([['twig', { type: 'SessionStarted', data: { ...data, workspace: '/one', model: 'large' } }]])
    await given([settled])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'start', workspace: '/two', model: 'small' }))
      .writes([['twig', { type: 'SessionStarted', data: { ...data, workspace: '/two', model: 'small' } }]])
  })

  test('begins inside a compacted range', () =>
    given([
      ...talk,
      {
        type: 'Compacted',
        data: {
          compactionId: 'c',
          base: 3,
          watermark: 3,
          held: 'd',
          kept: [],
          summary: 'short',
          summaryRole: 'user',
          wireForms: [],
          covers: 3,
          sizes: { bytesBefore: 9, bytesAfter: 1 },
        },
      },
    ])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'm2' }))
      .writes([['twig', twig(4, m2)]]))

  test('a branch of a branch names the message where it was written', () =>
    given({ s: talk, twig: [twig(3, m2), message('t1')] })
      .when((desk) => branch(desk, 'twig', { id: 'leaf', from: 'm1' }))
      .writes([['leaf', twig(1, { message: 'm1', session: 's', revision: 1 }, 'leaf', 'twig')]]))

  test("gets the origin's title with the next free number", () =>
    given([...talk, titled])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'm2' }))
      .writes(
        [
          ['twig', twig(4, m2)],
          ['twig', { type: 'Renamed', data: { title: 'Plan #2', by: 'branch' } }],
        ],
        { title: 'Plan #2' },
      ))

  test("a person's title for it must be free", () =>
    given([...talk, titled])
      .when((desk) => branch(desk, 's', { id: 'twig', from: 'm2', title: 'Plan' }))
      .refuses('title-taken', { holder: 's' }))

  test('never changes its origin', async () => {
    const world = commandWorld()
    await write(world, { s: [...talk, titled] })
    const before = await world.store.readStream(streamIn('s'), { limit: 100 })
    await outcomeOf(world, (desk) => branch(desk, 's', { from: 'm1' }))
    expect(await world.store.readStream(streamIn('s'), { limit: 100 })).toEqual(before)
  })

  test('is made once under its key, also when the origin has moved on', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    const first = await outcomeOf(world, (desk) => branch(desk, 's', { from: 'm1' }), { key: 'k' })
    await write(world, { s: [message('m5')] })
    const before = await wholeLog(world)
    const again = await outcomeOf(world, (desk) => branch(desk, 's', { from: 'm1' }), { key: 'k' })
    expect(again).toEqual({ ...first, repeated: true })
    expect(await wholeLog(world)).toEqual(before)
  })

  test('refuses a message that is not there, or not yet', async () => {
    await given(talk)
      .when((desk) => branch(desk, 's', { from: 'x' }))
      .refuses('message-not-found')
    await given(talk)
      .when((desk) => branch(desk, 's', { from: 'm3', asOf: 2 }))
      .refuses('message-not-found')
  })

  test('refuses a head that is not there yet', () =>
    given(talk)
      .when((desk) => branch(desk, 's', { from: 'm1', asOf: 9 }))
      .refuses('moved-on', { expected: 9, actual: 3 }))

  test('refuses a deleted origin', () =>
    given([...talk, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => branch(desk, 's', { from: 'm1' }))
      .refuses('session-deleted'))
})
