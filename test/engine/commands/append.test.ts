import { describe, expect, test } from 'vitest'
import { platformMessageId, type SessionEvent } from '@refold/events'
import { appending } from '../../support/appending.ts'
import { commandWorld, given, message, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'
import { sha256 } from '../../support/sha256.ts'

const hello = { id: 'm1', role: 'user', text: 'text of m1' }
const ended = (cls: 'deliberate' | 'accident' | 'reset'): SessionEvent => ({
  type: 'Ended',
  data: { reason: 'closed', class: cls },
})

const growing = (partial: number | undefined, text: string) => ({
  id: 'a1',
  role: 'assistant',
  text,
  platformId: 'p8',
  ...(partial === undefined ? {} : { partial }),
})

const twig = (through: { message: string; session: string; revision: number } | null, asOf = 9): SessionEvent => ({
  type: 'SessionStarted',
  data: { session: 'twig', origin: { kind: 'branch', session: 's', cut: { asOf, through } } },
})

describe('append', () => {
  test('writes a batch in its order', () =>
    given([started])
      .when(appending('s', [hello, { id: 'm2', role: 'assistant', text: 'text of m2' }]))
      .writes([message('m1'), message('m2', 'assistant')], {
        appended: 2,
        alreadyThere: 0,
        messages: ['m1', 'm2'],
        landedIn: 's',
      }))

  test('refuses a session that is not there', () =>
    given([started])
      .when(appending('nobody', [hello]))
      .refuses('session-not-found'))

  test('refuses a deleted session, also for what is there already', () =>
    given([started, message('m1'), { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when(appending('s', [hello]))
      .refuses('session-deleted', { session: 's' }))

  test('reopens a session that ended by accident', () =>
    given([started, ended('accident')])
      .when(appending('s', [hello]))
      .writes([{ type: 'Reopened', data: { why: 'append' } }, message('m1')], { appended: 1 }))

  test.for(['deliberate', 'reset'] as const)('refuses a session that ended by %s', (cls) =>
    given([started, ended(cls)])
      .when(appending('s', [hello]))
      .refuses('session-ended', { reason: 'closed' }),
  )

  test('reopens a session that ended on purpose when told to', () =>
    given([started, ended('deliberate')])
      .when(appending('s', [hello], { reopen: true }))
      .writes([{ type: 'Reopened', data: { why: 'person' } }, message('m1')]))

  test('answers a list that is all there with nothing, also once the session has ended', () =>
    given([started, message('m1'), ended('deliberate')])
      .when(appending('s', [hello]))
      .writesNothing({ appended: 0, alreadyThere: 1 }))

  test('brings back a session that only idled away', () =>
    given([started, { type: 'Archived', data: { by: 'idle' } }])
      .when(appending('s', [hello]))
      .writes([{ type: 'Unarchived', data: { by: 'activity' } }, message('m1')]))

  test('leaves archived what a person archived', () =>
    given([started, { type: 'Archived', data: { by: 'person' } }])
      .when(appending('s', [hello]))
      .writes([message('m1')]))

  test('lands at the live end and says so, whatever id it was called by', () =>
    given([started, { type: 'Rotated', data: { from: 's', to: 's-2', reason: 'compaction' } }])
      .when(appending('s', [hello]))
      .writes([message('m1')], { session: 's', landedIn: 's-2' }))

  test('counts the events of others since the caller last read', () =>
    given([started, message('a'), message('b'), message('c')])
      .when(appending('s', [hello], { readUpTo: 1, ownSince: 1 }))
      .writes([message('m1')], { unread: 1 }))

  test('refuses all when one message conflicts', () =>
    given([started, message('m1')])
      .when(
        appending('s', [
          { id: 'm0', role: 'user', text: 'new' },
          { ...hello, text: 'other' },
        ]),
      )
      .refuses('message-conflict', { messageId: 'm1' }))

  test('never waits for a compaction that is under way', () =>
    given([started, message('m1'), { type: 'CompactionFailed', data: { reason: 'too slow' } }])
      .when(appending('s', [{ id: 'm2', role: 'user', text: 'text of m2' }]))
      .writes([message('m2')]))

  test('records usage once for a message, however often it comes', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const used = { ...hello, usage: { tokens: { input: 3 } } }
    await outcomeOf(world, appending('s', [used]))
    await outcomeOf(world, appending('s', [used]))
    const usage = (await wholeLog(world)).filter(({ type }) => type === 'UsageRecorded')
    expect(usage.map(({ data }) => data)).toEqual([{ key: 'm1', tokens: { input: 3 } }])
  })

  test('refuses work of an older generation of its route', () =>
    given([
      started,
      { type: 'SettingChanged', data: { key: 'route', route: 'chat 1', bound: true, generation: 1 } },
      { type: 'SettingChanged', data: { key: 'route', route: 'chat 1', bound: false, generation: 1 } },
      { type: 'SettingChanged', data: { key: 'route', route: 'chat 1', bound: true, generation: 2 } },
    ])
      .when(appending('s', [hello], { route: { route: 'chat 1', generation: 1 } }))
      .refuses('route-generation', { generation: 1, current: 2 }))
})

describe('seams 1: what a message id means', () => {
  test('1.2: the same content again is left out and counted, with other times, actor and turn', () =>
    given([started, message('m1')])
      .when(
        appending(
          's',
          [
            { ...hello, at: 12 },
            { id: 'm2', role: 'user', text: 'text of m2' },
          ],
          { turn: 't' },
        ),
      )
      .writes([{ type: 'MessageAppended', data: { ...asData(message('m2')), turn: 't' } }], {
        appended: 1,
        alreadyThere: 1,
      }))

  test('1.2: a whole list saved again writes nothing', () =>
    given([started, message('m1'), message('m2', 'assistant')])
      .when(appending('s', [hello, { id: 'm2', role: 'assistant', text: 'text of m2' }]))
      .writesNothing({ appended: 0, alreadyThere: 2 }))

  test('1.2: content counts as first appended, whatever was edited since', () =>
    given([
      started,
      message('m1'),
      { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'new' }] } },
    ])
      .when(appending('s', [hello]))
      .writesNothing({ alreadyThere: 1 }))

  test('1.2: what was rewound counts as there', () =>
    given([started, message('m1'), { type: 'Rewound', data: { undoId: 'u', lastThatStays: null, reason: 'rewind' } }])
      .when(appending('s', [hello]))
      .writesNothing({ alreadyThere: 1 }))

  test('1.2: what was purged counts as there, whatever comes under its id', async () => {
    const world = commandWorld()
    await write(world, { s: [started, message('m1')] })
    await world.store.transact?.((log) => log.erase({ stream: 'session-default.s', revision: 1 }, null))
    const outcome = await outcomeOf(world, appending('s', [{ ...hello, text: 'something else' }]))
    expect(outcome).toMatchObject({ ok: true, appended: 0, alreadyThere: 1 })
  })

  test('1.2: what was redacted counts as there', async () => {
    const world = commandWorld()
    await write(world, { s: [started, message('m1')] })
    const [, first] = await wholeLog(world).then((all) => all.filter(({ stream }) => stream === 'session-default.s'))
    const targets = [{ eventId: first?.id ?? '', revision: 1, parts: ['0.text'], digest: 'd' }]
    await write(world, { s: [{ type: 'Redacted', data: { targets, reason: 'a key' } }] })
    const masked = JSON.stringify({ ...Object(first?.data), parts: [{ type: 'text', text: '█' }] })
    await world.store.transact?.((log) => log.erase({ stream: 'session-default.s', revision: 1 }, masked))
    expect(await outcomeOf(world, appending('s', [hello]))).toMatchObject({ ok: true, alreadyThere: 1 })
  })

  test('1.2: one id twice in a batch is written once', () =>
    given([started])
      .when(appending('s', [hello, hello]))
      .writes([message('m1')], { appended: 1, alreadyThere: 1 }))

  test('1.2: one id with two contents in a batch is refused', () =>
    given([started])
      .when(appending('s', [hello, { ...hello, text: 'other' }]))
      .refuses('message-conflict'))

  test('1.3: what a branch inherits is there already, what its origin says later is not', () =>
    given({
      s: [started, message('m1'), message('m2')],
      twig: [twig({ message: 'm1', session: 's', revision: 1 })],
    })
      .when(appending('twig', [hello, { id: 'm2', role: 'user', text: 'text of m2' }]))
      .writes([['twig', message('m2')]], { appended: 1, alreadyThere: 1 }))

  test('1.3: inherited ids are known through all ancestors', () =>
    given({
      s: [started, message('m1'), message('m2')],
      twig: [twig({ message: 'm2', session: 's', revision: 2 }), message('t1')],
      leaf: [
        {
          type: 'SessionStarted',
          data: {
            session: 'leaf',
            origin: {
              kind: 'branch',
              session: 'twig',
              cut: { asOf: 1, through: { message: 'm1', session: 's', revision: 1 } },
            },
          },
        },
      ],
    })
      .when(appending('leaf', [hello, { id: 't1', role: 'user', text: 'text of t1' }]))
      .writes([['leaf', message('t1')]], { appended: 1, alreadyThere: 1 }))

  test('1.3: an inherited id with other content is refused', () =>
    given({ s: [started, message('m1')], twig: [twig({ message: 'm1', session: 's', revision: 1 })] })
      .when(appending('twig', [{ ...hello, text: 'other' }]))
      .refuses('message-conflict', { messageId: 'm1' }))

  test('1.3: circles of origins end', () =>
    given({
      s: [
        {
          type: 'SessionStarted',
          data: {
            session: 's',
            origin: {
              kind: 'stray',
              session: 'twig',
              cut: { asOf: 9, through: { message: 'x', session: 'twig', revision: 9 } },
            },
          },
        },
      ],
      twig: [twig({ message: 'x', session: 's', revision: 9 })],
    })
      .when(appending('s', [hello]))
      .writes([message('m1')]))

  const platform = platformMessageId(sha256, 'p7')

  test('1.4: a message with a platform id and none of its own gets one derived from it', () =>
    given([started])
      .when(appending('s', [{ role: 'user', text: 'hi', platformId: 'p7' }]))
      .writes([
        {
          type: 'MessageAppended',
          data: {
            id: platform,
            role: 'user',
            parts: [{ type: 'text', text: 'hi' }],
            provenance: 'person',
            shownTo: 'both',
            platformId: 'p7',
          },
        },
      ]))

  test.for([
    ['without an id of its own', { role: 'user', text: 'hi again', platformId: 'p7' }],
    ['under another id', { id: 'other', role: 'user', text: 'hi', platformId: 'p7' }],
  ] as const)('1.4: a second message with the platform id is there already, %s', async ([, second]) => {
    for (const first of [
      { role: 'user', text: 'hi', platformId: 'p7' },
      { id: 'own', role: 'user', text: 'hi', platformId: 'p7' },
    ]) {
      const world = commandWorld()
      await write(world, { s: [started] })
      await outcomeOf(world, appending('s', [first]))
      const before = await wholeLog(world)
      expect(await outcomeOf(world, appending('s', [second]))).toMatchObject({ ok: true, appended: 0, alreadyThere: 1 })
      expect(await wholeLog(world)).toEqual(before)
    }
  })

  test('1.4: platform ids that a branch inherits are there already', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    await outcomeOf(world, appending('s', [{ role: 'user', text: 'hi', platformId: 'p7' }]))
    await write(world, { twig: [twig({ message: platform, session: 's', revision: 1 })] })
    const again = await outcomeOf(world, appending('twig', [{ id: 'own', role: 'user', text: 'hi', platformId: 'p7' }]))
    expect(again).toMatchObject({ appended: 0, alreadyThere: 1 })
  })

  test('1.4: a platform id twice in a batch is written once', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const both = [
      { id: 'a', role: 'user', text: 'hi', platformId: 'p7' },
      { id: 'b', role: 'user', text: 'hi', platformId: 'p7' },
    ]
    expect(await outcomeOf(world, appending('s', both))).toMatchObject({ appended: 1, alreadyThere: 1 })
  })

  test('1.5: a growing answer is stored under rising numbers and completed once', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const sent = [
      growing(1, 'The'),
      growing(1, 'The'),
      growing(2, 'The sen'),
      growing(1, 'The'),
      growing(undefined, 'The sensor.'),
    ]
    const counts: unknown[] = []
    for (const one of [...sent, growing(undefined, 'The sensor.'), growing(3, 'late')]) {
      const outcome = await outcomeOf(world, appending('s', [one]))
      counts.push(outcome.ok ? outcome.appended : outcome.code)
    }
    expect(counts).toEqual([1, 0, 1, 0, 1, 0, 0])
    const events = (await wholeLog(world)).filter(({ type }) => type === 'MessageAppended')
    expect(events.map(({ data }) => Object(data).partial)).toEqual([1, 2, undefined])
  })

  test('1.5: one number with two texts is refused, and so is a second completion', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    await outcomeOf(world, appending('s', [growing(1, 'The')]))
    expect(await outcomeOf(world, appending('s', [growing(1, 'A')]))).toMatchObject({ code: 'message-conflict' })
    await outcomeOf(world, appending('s', [growing(undefined, 'The end')]))
    expect(await outcomeOf(world, appending('s', [growing(undefined, 'An end')]))).toMatchObject({
      code: 'message-conflict',
    })
  })

  test('1.6: a command repeated under its key tells its first outcome and writes nothing', async () => {
    const world = commandWorld()
    await write(world, { s: [started, ended('accident')] })
    const two = [{ role: 'user', text: 'one' }, hello]
    const first = await outcomeOf(world, appending('s', two), { key: 'k' })
    await outcomeOf(world, appending('s', [{ role: 'user', text: 'later' }]))
    const before = await wholeLog(world)
    const second = await outcomeOf(world, appending('s', two), { key: 'k' })
    expect(second).toEqual({ ...first, repeated: true })
    expect(first).toMatchObject({ appended: 2, events: ['Reopened', 'MessageAppended', 'MessageAppended'] })
    expect(await wholeLog(world)).toEqual(before)
  })
})

const asData = (event: SessionEvent) => {
  if (event.type !== 'MessageAppended') throw new TypeError('not a message')
  return event.data
}
