import { beforeEach, expect, test } from 'vitest'
import { explainMessage, whyLines, type Engine, type SessionHandle, type WhyView } from '@refold/engine'
import { facadeWorld, startIn, sure, type FacadeWorld } from '../support/facade-world.ts'

let world: FacadeWorld
let engine: Engine
let s: SessionHandle

beforeEach(async () => {
  world = await facadeWorld()
  ;({ engine } = world)
  s = await startIn(engine)
})

const ask = (id: string, text = id) => ({ id, role: 'user', text }) as const
const answer = (id: string, text = id) => ({ id, role: 'assistant', text }) as const

const why = async (message: string, handle = s): Promise<WhyView> => sure(await handle.why(message))
const touches = async (message: string, handle = s) =>
  (await why(message, handle)).events.map(({ session, revision, how }) => `${session}${revision} ${how}`)

async function compact(handle: SessionHandle, keep: readonly string[] = []) {
  const { revision, digest } = sure(await handle.context())
  return sure(await handle.compact({ base: revision, watermark: revision, held: digest, keep, summary: 'short' }))
}

test('an answer that grew: every text of it, when, by whom and in words', async () => {
  sure(await s.append({ ...answer('m1', 'He'), partial: 1 }))
  world.source.advance(1_000)
  sure(await s.append({ ...answer('m1', 'Hell'), partial: 2 }))
  sure(await s.append(answer('m1', 'Hello')))
  const actor = { kind: 'person', id: 'ada', surface: 'cli' } as const
  sure(await s.edit('m1', { text: 'Hello.', actor }))
  const view = await why('m1')
  expect(view.events.map(({ revision, how }) => [revision, how])).toEqual([
    [1, 'appended'],
    [2, 'grown'],
    [3, 'completed'],
    [4, 'edited'],
  ])
  expect(view.events[3]).toEqual({
    session: 's',
    revision: 4,
    position: view.events[3]?.position,
    at: 1_800_000_001_000,
    actor,
    type: 'MessageEdited',
    how: 'edited',
    what: 'Edited message m1: “Hello.”',
  })
  expect(view).toMatchObject({ session: 's', revision: 4, message: 'm1', kind: 'message', role: 'assistant' })
  expect(view.transcript).toEqual({ shown: true, number: 1, of: 1, state: 'complete' })
  expect(view.context).toEqual({ sent: true, place: 1, of: 1, as: 'message' })
})

test('an unfinished answer at the end is shown as such, and not sent', async () => {
  sure(await s.append(ask('m1')))
  sure(await s.append({ ...answer('m2', 'He'), partial: 1 }))
  const view = await why('m2')
  expect(view.transcript).toEqual({ shown: true, number: 2, of: 2, state: 'partial' })
  expect(view.context).toEqual({ sent: false, because: 'unfinished' })
})

test('a covered message says which summary stands for it, and a kept one that it stays', async () => {
  sure(await s.append([ask('m1', 'one '.repeat(50)), answer('m2', 'two '.repeat(50)), ask('m3'), answer('m4')]))
  const { compaction } = await compact(s, ['m3', 'm4'])
  const m1 = await why('m1')
  expect(m1.events.map(({ how, compaction: by }) => [how, by])).toEqual([
    ['appended', undefined],
    ['covered', compaction],
  ])
  expect(m1.transcript).toEqual({ shown: true, number: 1, of: 4, state: 'complete' })
  expect(m1.context).toEqual({ sent: false, because: 'covered', compaction, by: { session: 's', revision: 5 } })
  const m3 = await why('m3')
  expect(m3.events.map(({ how }) => how)).toEqual(['appended', 'kept'])
  expect(m3.context).toEqual({ sent: true, place: 2, of: 3, as: 'message' })

  sure(await s.undoCompaction())
  expect(await touches('m1')).toEqual(['s1 appended', 's5 covered', 's6 uncovered'])
  expect((await why('m1')).context).toEqual({ sent: true, place: 1, of: 4, as: 'message' })
})

test('a carrier says that it holds the summary, and a pruned message that it has a form of its own', async () => {
  sure(await s.append([ask('m1', 'one '.repeat(50)), answer('m2', 'two '.repeat(50)), ask('m3')]))
  const { revision, digest } = sure(await s.context())
  const wireForms = [{ message: 'm3', parts: [{ type: 'text', text: 'In short; m3' }] }] as const
  sure(
    await s.compact({
      base: revision,
      watermark: revision,
      held: digest,
      keep: ['m3'],
      summary: 'In short',
      carrier: 'm3',
      wireForms,
    }),
  )
  expect(await touches('m3')).toEqual(['s3 appended', 's4 carried'])
  expect((await why('m3')).context).toEqual({ sent: true, place: 1, of: 1, as: 'carrier' })
  sure(await s.append({ id: 'm4', role: 'user', text: 'long '.repeat(50) }))
  sure(await s.prune('m4', { parts: [{ type: 'text', text: 'long …' }], why: 'too long' }))
  expect(await touches('m4')).toEqual(['s5 appended', 's6 wire-form'])
  expect((await why('m4')).context).toEqual({ sent: true, place: 2, of: 2, as: 'wire-form' })
  sure(await s.prune('m4', { parts: null, why: 'asked for' }))
  expect(await touches('m4')).toEqual(['s5 appended', 's6 wire-form', 's7 wire-form-removed'])
})

test('a rewound message names the rewind; undone, redone and set aside', async () => {
  sure(await s.append([ask('m1'), answer('m2')]))
  const { undoId } = sure(await s.rewind({ to: 'm1' }))
  const hidden = { because: 'rewound', by: [{ session: 's', revision: 3, undoId }] }
  expect(await why('m2')).toMatchObject({
    transcript: { shown: false, ...hidden },
    context: { sent: false, ...hidden },
  })
  sure(await s.append(answer('m3')))
  const { undoId: back } = sure(await s.undo(undoId))
  expect(await touches('m2')).toEqual(['s2 appended', 's3 rewound', 's5 brought-back'])
  expect(await touches('m3')).toEqual(['s4 appended', 's5 set-aside'])
  expect((await why('m2')).transcript).toEqual({ shown: true, number: 2, of: 2, state: 'complete' })
  sure(await s.undo(back))
  expect(await touches('m2')).toEqual(['s2 appended', 's3 rewound', 's5 brought-back', 's6 set-aside'])
})

test('the message of a failed turn is shown as such and not sent; one for people only, or for the model only', async () => {
  const { turn } = sure(await s.startTurn({ holder: 'cli' }))
  sure(await s.append(ask('m1'), { turn }))
  sure(await s.endTurn(turn, { outcome: 'failed' }))
  const failed = await why('m1')
  expect(failed.events.map(({ how, type }) => [how, type])).toEqual([
    ['appended', 'MessageAppended'],
    ['failed', 'TurnEnded'],
  ])
  expect(failed.transcript).toMatchObject({ shown: true, state: 'failed' })
  expect(failed.context).toEqual({ sent: false, because: 'failed' })
  sure(
    await s.append([
      { ...answer('m2'), shownTo: 'person' },
      { ...ask('m3'), shownTo: 'model' },
    ]),
  )
  expect((await why('m2')).context).toEqual({ sent: false, because: 'person-only' })
  expect((await why('m3')).transcript).toEqual({ shown: false, because: 'model-only' })
  expect((await why('m3')).context).toMatchObject({ sent: true })
})

test('a branch tells what happened before the cut and to itself, and the origin who began with it', async () => {
  sure(await s.append([ask('m1'), answer('m2')]))
  sure(await s.edit('m1', { text: 'one' }))
  const { handle: b } = sure(await s.branch({ from: 'm2', id: 'b' }))
  const { handle: c } = sure(await b.branch({ from: 'm1', id: 'c' }))
  sure(await s.rewind({ to: 'start' }))
  sure(await b.edit('m1', { text: 'first' }))
  sure(await c.rewind({ to: 'start' }))
  expect(await touches('m1')).toEqual(['s1 appended', 's3 edited', 's4 rewound'])
  expect(await touches('m1', b)).toEqual(['s1 appended', 's3 edited', 'b0 inherited', 'b1 edited'])
  const view = await why('m1')
  expect(view.heirs).toEqual([
    { session: 'b', kind: 'branch', shown: true },
    { session: 'c', kind: 'branch', shown: false },
  ])
  expect(view.inheritedFrom).toBeNull()
  expect((await why('m1', b)).inheritedFrom).toBe('s')
  expect((await why('m2')).heirs.map(({ session }) => session)).toEqual(['b'])
  sure(await engine.delete(['b']))
  expect((await why('m1')).heirs.map(({ session }) => session)).toEqual(['c'])
})

test('reactions to a message touched it', async () => {
  sure(await s.append([ask('m1'), ask('m10')]))
  const reaction = { key: 'reaction', message: 'm1', author: 'ada', emoji: '👍' } as const
  sure(await s.set({ ...reaction, present: true }))
  sure(await s.set({ ...reaction, present: false }))
  expect(await touches('m1')).toEqual(['s1 appended', 's3 reacted', 's4 reaction-removed'])
  expect(await touches('m10')).toEqual(['s2 appended'])
})

test('what says nothing is not sent, nor a second result of one call', async () => {
  const call = { id: 'c1', name: 'bash', arguments: {} }
  const result = { role: 'tool', toolCallId: 'c1', text: 'out' } as const
  sure(await s.append([ask('m1'), { id: 'm2', role: 'assistant', text: ' ' }, answer('m3')]))
  sure(
    await s.append([
      { ...answer('m4'), toolCalls: [call] },
      { ...result, id: 'm5' },
      { ...result, id: 'm6' },
    ]),
  )
  expect((await why('m5')).context).toEqual({ sent: true, place: 4, of: 4, as: 'message' })
  expect((await why('m6')).context).toEqual({ sent: false, because: 'unmatched' })
  expect((await why('m2')).context).toEqual({ sent: false, because: 'says-nothing' })
})

test('a note can be asked about, too', async () => {
  sure(await s.note({ note: 'n1', kind: 'todo', text: 'Look again', shownTo: 'both' }))
  const view = await why('n1')
  expect(view).toMatchObject({ kind: 'note', role: null, transcript: { shown: true, number: null, of: 0 } })
  expect(view.events.map(({ how, type }) => [how, type])).toEqual([['appended', 'Noted']])
})

test('a message that is not there is refused with those that were perhaps meant', async () => {
  sure(await s.append([ask('msg-11'), ask('msg-12')]))
  const other = await startIn(engine, 'other')
  sure(await other.append(ask('x9')))
  expect(await s.why('MSG-1')).toMatchObject({
    ok: false,
    code: 'message-not-found',
    session: 's',
    messageId: 'MSG-1',
    candidates: [
      { session: 's', message: 'msg-11' },
      { session: 's', message: 'msg-12' },
    ],
    message: 'Session s has no message MSG-1. Did you mean msg-11, msg-12?',
  })
  expect(await s.why('x9')).toMatchObject({
    candidates: [{ session: 'other', message: 'x9' }],
    message: 'Session s has no message x9. There is one in other.',
  })
  expect(await s.why('nothing')).toMatchObject({
    candidates: [],
    message: 'Session s has no message nothing. Check the id.',
  })
  sure(await engine.delete(['s']))
  expect(await s.why('msg-11')).toMatchObject({ ok: false, code: 'session-deleted' })
})

test('a failing test prints it as plain lines', async () => {
  sure(await s.append([ask('m1', 'one '.repeat(50)), answer('m2'), ask('m3')]))
  const { compaction } = await compact(s)
  const { undoId } = sure(await s.rewind({ to: 'm2' }))
  const by = '[refold (agent)]'
  const at = '2027-01-15T08:00:00.000Z'
  expect(await explainMessage(s, 'm3')).toEqual([
    'Message m3 of the user in session s at revision 5',
    `  transcript: not shown, taken out by rewind ${undoId} (revision 5 of s)`,
    `  context: not sent, taken out by rewind ${undoId} (revision 5 of s)`,
    'Events that touched it:',
    `  3  ${at}  appended  Message m3 of the user (by person): “m3”  ${by}`,
    `  4  ${at}  kept by ${compaction}  Summarised 2 messages up to revision 3, kept 1, from 362 to 109 bytes (compaction ${compaction}): “short”  ${by}`,
    `  5  ${at}  rewound by ${undoId}  Rewound to message m2 (rewind; undo ${undoId})  ${by}`,
  ])
  expect(whyLines(await why('m1'))[2]).toBe(
    `  context: not sent, summary ${compaction} (revision 4 of s) stands for it`,
  )
  expect(await explainMessage(s, 'm9')).toEqual(['Session s has no message m9. Check the id.'])
})
