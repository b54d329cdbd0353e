import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { prepareMessages } from '../../../packages/engine/src/commands/prepare-message.ts'
import { rotate, type Rotation } from '../../../packages/engine/src/commands/rotate.ts'
import type { Desk } from '../../../packages/engine/src/deciding/desk.ts'
import { Shelf } from '../../../packages/engine/src/content/shelf.ts'
import { commandWorld, given, message, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'
import { sha256 } from '../../support/sha256.ts'

const rotated = (from: string, to: string, reason = 'rotation'): SessionEvent => ({
  type: 'Rotated',
  data: { from, to, reason },
})

const rotating =
  (input: Partial<Rotation> = {}, pending: readonly string[] = []) =>
  (desk: Desk) =>
    rotate(desk, 's', {
      segment: 's-2',
      ...input,
      blobs: [],
      pending: prepareMessages(
        pending.map((id) => ({ id, role: 'user', text: `text of ${id}` })),
        { key: desk.key, shelf: new Shelf(sha256), sha256 },
      ),
    })

describe('rotate', () => {
  test('opens a new segment of the same session', () =>
    given([started])
      .when(rotating())
      .writes([rotated('s', 's-2')], { session: 's', segment: 's-2', compaction: null }))

  test('start case b: a live rotation carries its pending messages', () =>
    given([started, message('m1')])
      .when(rotating({}, ['m1', 'm2']))
      .writes([message('m2'), rotated('s', 's-2')], { appended: 1, alreadyThere: 1 }))

  test('start case b: a hygiene end does not block it', () =>
    given([started, { type: 'Ended', data: { reason: 'sweep', class: 'accident' } }])
      .when(rotating({}, ['m1']))
      .writes([{ type: 'Reopened', data: { why: 'append' } }, message('m1'), rotated('s', 's-2')]))

  test('start case b: a refused rotation, repeated, leaves the log exactly as it was', async () => {
    const world = commandWorld()
    await write(world, {
      s: [started, message('m1'), rotated('s', 's-2')],
      other: [{ type: 'SessionStarted', data: { session: 'other', origin: { kind: 'root' } } }],
    })
    const before = await wholeLog(world)
    for (let round = 0; round < 20; round += 1) {
      const stale = await outcomeOf(world, rotating({ from: 's', segment: `new ${round}` }, ['m2']))
      expect(stale).toMatchObject({ code: 'already-rotated', segment: 's', winner: 's-2', pendingWritten: false })
      const taken = await outcomeOf(world, rotating({ segment: 'other' }, ['m2']))
      expect(taken).toMatchObject({ code: 'id-taken', holder: 'other' })
    }
    expect(await wholeLog(world)).toEqual(before)
  })

  test('names the winner that followed the segment, not the newest', () =>
    given([started, rotated('s', 's-2'), rotated('s-2', 's-3')])
      .when(rotating({ from: 's', segment: 's-4' }))
      .refuses('already-rotated', { winner: 's-2' }))

  test('rotates the tip where no segment is named', () =>
    given([started, rotated('s', 's-2')])
      .when(rotating({ segment: 's-3' }))
      .writes([rotated('s-2', 's-3')]))

  test('refuses a segment that the session does not have', () =>
    given([started])
      .when(rotating({ from: 'x' }))
      .refuses('segment-not-found', { segment: 'x' }))

  test("refuses the session's own ids for the new segment", () =>
    given([started])
      .when(rotating({ segment: 's' }))
      .refuses('id-taken', { id: 's', holder: 's' }))

  test('refuses a session that was ended on purpose, pending messages and all', () =>
    given([started, { type: 'Ended', data: { reason: 'done', class: 'deliberate' } }])
      .when(rotating({}, ['m1']))
      .refuses('session-ended'))

  test('refuses all when a pending message conflicts', () =>
    given([started, message('m1', 'user', 'something else')])
      .when(rotating({}, ['m1']))
      .refuses('message-conflict'))

  test('is done once under its key', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const first = await outcomeOf(world, rotating({}, ['m1']), { key: 'k' })
    const before = await wholeLog(world)
    const again = await outcomeOf(world, rotating({}, ['m1']), { key: 'k' })
    expect(first).toMatchObject({ ok: true, segment: 's-2', appended: 1, events: ['MessageAppended', 'Rotated'] })
    expect(again).toEqual({ ...first, repeated: true })
    expect(await wholeLog(world)).toEqual(before)
  })
})
