import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { logHead } from './conversation.ts'
import { contextOf, facadeWorld, linesOf, startIn, sure, transcriptOf } from '../support/facade-world.ts'

const seed = 20_101
const check = { seed, numRuns: 60 }

/** Texts on both sides of the size from which on they are kept apart, with what decoders like to drop at their front. */
const text = fc
  .tuple(
    fc.constantFrom('', '\uFEFF', '\u0000', '\uFEFF\uFEFF', '\u2028'),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(0, 1, 20_000),
  )
  .map(([front, words, times]) => front + words + 'long '.repeat(times / 4))

test.prop([text], check)(`A2: what was appended is read back, any text of any length (seed ${seed})`, async (said) => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  // Beside words that are surely sent: a message that says nothing is not.
  const words = { type: 'text', text: 'Words.' } as const
  const parts = [{ type: 'text', text: said }, { type: 'reasoning', text: said }, words] as const
  sure(await session.append({ id: 'm1', role: 'assistant', parts }))
  sure(await session.set({ key: 'system-prompt', value: said }))
  const { messages, systemPrompt } = await contextOf(session)
  const { entries } = await transcriptOf(session)
  expect(messages.map((message) => message.parts)).toEqual([parts])
  expect(entries.map((entry) => (entry.kind === 'message' ? entry.parts : []))).toEqual([parts])
  expect(systemPrompt).toBe(said)
  await engine.close()
})

test('S1.2: a repeated append tells its whole first outcome, notes of platform ids and usage included', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const batch = [
    { id: 'm1', role: 'user', text: 'Hello', platformId: 'chat 7' },
    { id: 'm2', role: 'assistant', text: 'Hello.', usage: { tokens: { input: 3 } } },
  ]
  const first = sure(await session.append(batch, { key: 'k' }))
  expect(first.events).toEqual(['MessageAppended', 'Noted', 'MessageAppended', 'UsageRecorded'])
  expect(await session.append(batch, { key: 'k' })).toEqual({ ...first, repeated: true })
  const pending = [{ id: 'm3', role: 'user', text: 'More', platformId: 'chat 8' }]
  const rotation = { segment: 'next', pending, key: 'r' }
  const rotated = sure(await session.rotate(rotation))
  expect(rotated.events).toEqual(['MessageAppended', 'Noted', 'Rotated'])
  expect(await session.rotate(rotation)).toEqual({ ...rotated, repeated: true })
  await engine.close()
})

const grows = (text: string, partial?: number) => ({
  id: 'm1',
  role: 'assistant',
  text,
  ...(partial === undefined ? {} : { partial }),
})

test('S1.5: what a batch brings of a growing answer after its end, or after a higher number, is already there', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const first = sure(await session.append([grows('He said', 3), grows('He', 1)]))
  expect(first).toMatchObject({ appended: 1, alreadyThere: 1, events: ['MessageAppended'] })
  const second = sure(await session.append([grows('He said no.'), grows('He said no', 4)]))
  expect(second).toMatchObject({ appended: 1, alreadyThere: 1, events: ['MessageAppended'] })
  expect(await linesOf(session)).toEqual(['m1: He said no.'])
  await engine.close()
})

test('S1.4: a branch knows the platform id of the last message that it inherits, also where that has an id of its own', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append({ id: 'm1', role: 'user', text: 'Hello', platformId: 'chat 7' }))
  sure(await session.append({ id: 'm2', role: 'user', text: 'More', platformId: 'chat 8' }))
  const { handle: branch } = sure(await engine.session(sure(await session.branch({ from: 'm1' })).session))
  const again = [
    { role: 'user', text: 'Hello', platformId: 'chat 7' },
    { id: 'other', role: 'user', text: 'Hello', platformId: 'chat 7' },
  ]
  expect(sure(await branch.append(again))).toMatchObject({ appended: 0, alreadyThere: 2, events: [] })
  expect(sure(await branch.append({ role: 'user', text: 'More', platformId: 'chat 8' }))).toMatchObject({ appended: 1 })
  await engine.close()
})

test('A6: of a batch all messages are written or none, wherever in it the fault is', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append({ id: 'there', role: 'user', text: 'Hello' }))
  const before = { log: await logHead(engine), lines: await linesOf(session) }
  for (let place = 0; place <= 3; place += 1) {
    const batch = ['a', 'b', 'c'].map((id) => ({ id, role: 'user', text: id }))
    const conflicting = batch.toSpliced(place, 0, { id: 'there', role: 'user', text: 'Something else' })
    expect(await session.append(conflicting)).toMatchObject({ ok: false, code: 'message-conflict' })
    const malformed = batch.toSpliced(place, 0, { id: '', role: 'user', text: 'x' })
    await expect(session.append(malformed)).rejects.toThrow()
    expect({ log: await logHead(engine), lines: await linesOf(session) }).toEqual(before)
  }
  expect(sure(await session.append(['a', 'b', 'c'].map((id) => ({ id, role: 'user', text: id }))))).toMatchObject({
    appended: 3,
  })
  await engine.close()
})

test.prop([fc.string({ unit: 'binary', maxLength: 40 })], check)(
  `A8: arguments that are no JSON and settings with anything in them leave a session readable, and come back as they are (seed ${seed})`,
  async (broken) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const call = { type: 'tool-call', id: 'c', name: 'bash', argumentsText: `{"${broken}` } as const
    sure(await session.set({ key: 'host', name: 'state', value: `{"${broken}` }))
    sure(await session.append({ id: 'call', role: 'assistant', parts: [call] }))
    sure(await session.append({ id: 'result', role: 'tool', toolCallId: 'c', text: `{"${broken}` }))
    const { entries } = await transcriptOf(session)
    expect(entries.flatMap((entry) => (entry.kind === 'message' ? entry.parts : []))).toEqual([
      call,
      { type: 'tool-result', toolCallId: 'c', text: `{"${broken}` },
    ])
    expect((await contextOf(session)).messages.map(({ id }) => id)).toEqual(['call', 'result'])
    expect(sure(await engine.list()).sessions.map(({ id }) => id)).toEqual(['s'])
    expect(sure(await session.settings())).toEqual([{ key: 'host', name: 'state', value: `{"${broken}` }])
    await engine.close()
  },
)
