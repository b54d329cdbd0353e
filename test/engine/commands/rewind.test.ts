import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { edit } from '../../../packages/engine/src/commands/edit.ts'
import { prune } from '../../../packages/engine/src/commands/prune.ts'
import { rewind } from '../../../packages/engine/src/commands/rewind.ts'
import { undo } from '../../../packages/engine/src/commands/undo.ts'
import { undoCompaction } from '../../../packages/engine/src/commands/undo-compaction.ts'
import { compactionFailed } from '../../../packages/engine/src/commands/compaction-failed.ts'
import { commandWorld, given, message, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'

const talk = [started, message('m1'), message('m2', 'assistant'), message('m3')]
const compacted = (compactionId: string): SessionEvent => ({
  type: 'Compacted',
  data: {
    compactionId,
    base: 3,
    watermark: 3,
    held: 'digest',
    kept: [],
    summary: 'short',
    summaryRole: 'user',
    wireForms: [],
    covers: 3,
    sizes: { bytesBefore: 90, bytesAfter: 9 },
  },
})
const twig: SessionEvent = {
  type: 'SessionStarted',
  data: {
    session: 'twig',
    origin: { kind: 'branch', session: 's', cut: { asOf: 3, through: { message: 'm2', session: 's', revision: 2 } } },
  },
}

/** The undo id of the last rewind or undo in the log. */
const undoIdIn = (data: unknown): string => Object(data).newUndoId ?? Object(data).undoId

const undone = (compactionId: string): SessionEvent => ({ type: 'CompactionUndone', data: { compactionId } })

describe('seams 6: rewind', () => {
  test('6.1: names the last entry that stays and an id that takes it back', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    const outcome = await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'm1' }))
    const [last] = (await wholeLog(world)).slice(-1)
    expect(last?.data).toEqual({ undoId: last?.id, lastThatStays: 'm1', reason: 'rewind' })
    expect(outcome).toMatchObject({ ok: true, undoId: last?.id, events: ['Rewound'] })
  })

  test('6.1: goes back to the start', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'start' }))
    expect((await wholeLog(world)).at(-1)?.data).toMatchObject({ lastThatStays: null })
  })

  test('goes back to a message in a compacted range', async () => {
    const world = commandWorld()
    await write(world, { s: [...talk, compacted('c1')] })
    expect(await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'm1' }))).toMatchObject({ ok: true })
  })

  test('goes back to an inherited message, and not to one that is not inherited', async () => {
    const world = commandWorld()
    await write(world, { s: talk, twig: [twig, message('t1')] })
    expect(await outcomeOf(world, (desk) => rewind(desk, 'twig', { to: 'm1' }))).toMatchObject({ ok: true })
    expect(await outcomeOf(world, (desk) => rewind(desk, 'twig', { to: 'm3' }))).toMatchObject({
      code: 'message-not-found',
    })
  })

  test('refuses a message that is not there', () =>
    given(talk)
      .when((desk) => rewind(desk, 's', { to: 'm9' }))
      .refuses('message-not-found', { messageId: 'm9' }))

  test('refuses a base that is not the newest', () =>
    given(talk)
      .when((desk) => rewind(desk, 's', { to: 'm1', base: 2 }))
      .refuses('moved-on', { expected: 2, actual: 3 }))
})

describe('undo', () => {
  test('6.1: undoing gives an id that undoes the undo, so switching back and forth loses nothing', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'm1' }))
    const ids: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const last = undoIdIn((await wholeLog(world)).at(-1)?.data)
      const outcome = await outcomeOf(world, (desk) => undo(desk, 's', { undoId: last }))
      expect(outcome).toMatchObject({ ok: true, events: ['RewindUndone'] })
      ids.push(last)
    }
    expect(new Set(ids).size).toBe(4)
  })

  test('6.1: rewinds are undone in any order', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    const ids: string[] = []
    for (const to of ['m2', 'm1']) {
      await outcomeOf(world, (desk) => rewind(desk, 's', { to }))
      ids.push(undoIdIn((await wholeLog(world)).at(-1)?.data))
    }
    for (const undoId of ids) {
      expect(await outcomeOf(world, (desk) => undo(desk, 's', { undoId }))).toMatchObject({ ok: true })
      expect(await outcomeOf(world, (desk) => undo(desk, 's', { undoId }))).toMatchObject({ code: 'undo-not-found' })
    }
  })

  test('without an id takes back the last rewind, then the one before, never an alternative', async () => {
    const world = commandWorld()
    await write(world, { s: talk })
    await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'm2' }))
    await outcomeOf(world, (desk) => rewind(desk, 's', { to: 'm1' }))
    await outcomeOf(world, (desk) => undo(desk, 's', {}))
    await outcomeOf(world, (desk) => undo(desk, 's', {}))
    expect(await outcomeOf(world, (desk) => undo(desk, 's', {}))).toMatchObject({
      code: 'undo-not-found',
      undoId: null,
    })
    const log = await wholeLog(world)
    const made = log.filter(({ type }) => type === 'Rewound').map(({ data }) => Object(data).undoId)
    const undone = log.filter(({ type }) => type === 'RewindUndone').map(({ data }) => Object(data).undoId)
    expect(undone).toEqual(made.toReversed())
  })

  test('refuses an id that was never given', () =>
    given(talk)
      .when((desk) => undo(desk, 's', { undoId: 'u' }))
      .refuses('undo-not-found', { undoId: 'u' }))
})

const parts = [{ type: 'text', text: 'better' }] as const

describe('edit', () => {
  test('6.4: changes a message in place', () =>
    given(talk)
      .when((desk) => edit(desk, 's', { message: 'm1', parts, blobs: [] }))
      .writes([{ type: 'MessageEdited', data: { message: 'm1', parts } }]))

  test('6.3: gives an inherited message a version of the branch’s own', () =>
    given({ s: talk, twig: [twig] })
      .when((desk) => edit(desk, 'twig', { message: 'm1', parts, blobs: [] }))
      .writes([['twig', { type: 'MessageEdited', data: { message: 'm1', parts } }]]))

  test('refuses a message that is not there', () =>
    given(talk)
      .when((desk) => edit(desk, 's', { message: 'x', parts, blobs: [] }))
      .refuses('message-not-found'))

  test('refuses a base that is not the newest', () =>
    given(talk)
      .when((desk) => edit(desk, 's', { message: 'm1', parts, blobs: [], base: 1 }))
      .refuses('moved-on'))
})

describe('prune', () => {
  test('gives the model another form', () =>
    given(talk)
      .when((desk) => prune(desk, 's', { message: 'm2', parts, why: 'long output', blobs: [] }))
      .writes([{ type: 'WireFormSet', data: { message: 'm2', parts, why: 'long output' } }]))

  test('takes it away again', () =>
    given(talk)
      .when((desk) => prune(desk, 's', { message: 'm2', parts: null, why: 'asked for', blobs: [] }))
      .writes([{ type: 'WireFormSet', data: { message: 'm2', parts: null, why: 'asked for' } }]))

  test('refuses a message that is not there', () =>
    given(talk)
      .when((desk) => prune(desk, 's', { message: 'x', parts, why: '', blobs: [] }))
      .refuses('message-not-found'))
})

describe('undo a compaction', () => {
  test('takes back the last one', () =>
    given([...talk, compacted('c1'), compacted('c2')])
      .when((desk) => undoCompaction(desk, 's', {}))
      .writes([undone('c2')], { compaction: 'c2' }))

  test('then the one before', () =>
    given([...talk, compacted('c1'), compacted('c2'), undone('c2')])
      .when((desk) => undoCompaction(desk, 's', {}))
      .writes([undone('c1')]))

  test('takes back a named one once', async () => {
    await given([...talk, compacted('c1')])
      .when((desk) => undoCompaction(desk, 's', { compaction: 'c1' }))
      .writes([undone('c1')])
    await given([...talk, compacted('c1'), undone('c1')])
      .when((desk) => undoCompaction(desk, 's', { compaction: 'c1' }))
      .refuses('compaction-not-found', { compaction: 'c1' })
  })

  test('refuses where there is none', () =>
    given(talk)
      .when((desk) => undoCompaction(desk, 's', {}))
      .refuses('compaction-not-found'))
})

describe('a failed compaction', () => {
  test('is noted with the time until which nobody should try again', () =>
    given(talk)
      .when((desk) => compactionFailed(desk, 's', { reason: 'timeout', cooldownUntil: 12 }))
      .writes([{ type: 'CompactionFailed', data: { reason: 'timeout', cooldownUntil: 12 } }]))
})
