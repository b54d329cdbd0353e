import { describe, expect, test } from 'vitest'
import {
  contextLinesOf,
  contextOf,
  facadeWorld,
  linesOf,
  startIn,
  sure,
  transcriptOf,
} from '../../support/facade-world.ts'

const long = 'a line of output that nobody needs\n'.repeat(30)

describe('start case c: compaction changes what the model reads and nothing that people read', () => {
  test('a kept answer that carries the summary is shown once, in transcript, preview and context', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'Why does the sensor fail?' },
      { id: 'm2', role: 'tool', text: long, toolCallId: 'unmade' },
      { id: 'm3', role: 'assistant', text: 'The driver gives up.' },
    ])
    const held = await contextOf(session)
    const compacted = await session.compact({
      base: held.revision,
      watermark: held.revision,
      held: held.digest,
      keep: ['m3'],
      summary: 'It fails when cold.',
      carrier: 'm3',
      wireForms: [{ message: 'm3', parts: [{ type: 'text', text: 'It fails when cold.\n\nThe driver gives up.' }] }],
    })
    expect(compacted).toMatchObject({ ok: true, kept: ['m1', 'm3'] })
    expect(await linesOf(session)).toEqual(['m1: Why does the sensor fail?', `m2: ${long}`, 'm3: The driver gives up.'])
    expect(await contextLinesOf(session)).toEqual([
      'm1: Why does the sensor fail?',
      'm3: It fails when cold.\n\nThe driver gives up.',
    ])
    const { sessions } = sure(await engine.list())
    expect(sessions.map(({ preview, messages }) => [preview, messages])).toEqual([['Why does the sensor fail?', 3]])
  })

  test('pruned tool output stays whole for people', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'Run it.' },
      { id: 'm2', role: 'assistant', toolCalls: [{ id: 'call_1', name: 'bash', arguments: {} }] },
      { id: 'm3', role: 'tool', toolCallId: 'call_1', text: long },
    ])
    const before = await contextOf(session)
    await session.prune('m3', { parts: [{ type: 'tool-result', toolCallId: 'call_1', text: '[pruned]' }], why: 'long' })
    expect((await linesOf(session)).at(-1)).toBe(`m3: ${long}`)
    expect((await contextLinesOf(session)).at(-1)).toBe('m3: [pruned]')
    expect((await contextOf(session)).bytes).toBeLessThan(before.bytes)
  })

  test('a user message next to a model-switch note is never swallowed', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append({ id: 'm1', role: 'user', text: 'First.' })
    await session.note({ kind: 'model-switch', text: 'Now large.', shownTo: 'both', note: 'n1' })
    await session.append({ id: 'm2', role: 'user', text: 'Second.' })
    await session.set({ key: 'model', value: 'large' })
    await session.append({ id: 'm3', role: 'user', text: 'Third.' })
    expect(await linesOf(session)).toEqual(['m1: First.', 'm2: Second.', 'm3: Third.'])
    expect(await contextLinesOf(session)).toEqual(['m1: First.', 'n1: Now large.', 'm2: Second.', 'm3: Third.'])
  })
})

async function talk() {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  await session.append([
    { id: 'm1', role: 'user', text: 'One. '.repeat(20) },
    { id: 'm2', role: 'assistant', text: 'Two. '.repeat(20) },
  ])
  const found = await engine.session('s')
  if (!found.ok) throw new Error(found.message)
  return { engine, one: session, other: found.handle }
}

describe('start case e: a compaction covers only what its author held', () => {
  test('what came after an older history stays live behind the summary, once', async () => {
    const { one, other } = await talk()
    const held = await contextOf(one)
    await other.append([
      { id: 'm3', role: 'user', text: 'Three.' },
      { id: 'm4', role: 'assistant', text: 'Four.' },
    ])
    const compacted = await one.compact({
      base: held.revision,
      watermark: held.revision,
      held: held.digest,
      summary: 'Short.',
    })
    expect(compacted).toMatchObject({ ok: true, covers: 2 })
    expect(await contextLinesOf(one)).toEqual(['summary: Short.', 'm3: Three.', 'm4: Four.'])
  })

  test('a watermark past what it read is refused, with the ids that it lacked', async () => {
    const { one, other } = await talk()
    const held = await contextOf(one)
    await other.append({ id: 'm3', role: 'user', text: 'Three.' })
    const own = sure(await one.append({ id: 'm4', role: 'assistant', text: 'Four.' }))
    expect(own.unread).toBe(1)
    const ids = [...held.messages.map(({ id }) => id), 'm4']
    const refused = await one.compact({ base: held.revision, watermark: own.revision, held: ids, summary: 'Short.' })
    expect(refused).toMatchObject({ code: 'not-held', lacking: ['m3'], foreign: [] })
    expect((await transcriptOf(one)).entries.every(({ kind }) => kind === 'message')).toBe(true)
  })

  test('a second compaction of the same history is stale', async () => {
    const { one, other } = await talk()
    const held = await contextOf(one)
    const same = { base: held.revision, watermark: held.revision, held: held.digest }
    await one.append([
      { id: 'm3', role: 'user', text: 'Three.' },
      { id: 'm4', role: 'assistant', text: 'Four.' },
    ])
    expect(await other.compact({ ...same, summary: 'First.' })).toMatchObject({ ok: true })
    const before = await one.events()
    for (let round = 0; round < 5; round += 1)
      expect(await one.compact({ ...same, summary: 'Second.' })).toMatchObject({ code: 'stale-compaction' })
    expect(await one.events()).toEqual(before)
  })

  test('one in a rotation is one append with it, and one that is refused takes the rotation along', async () => {
    const { one } = await talk()
    const held = await contextOf(one)
    const compaction = { base: held.revision, watermark: held.revision, held: held.digest, summary: 'Short.' }
    await one.append([
      { id: 'm3', role: 'user', text: 'Three.' },
      { id: 'm4', role: 'assistant', text: 'Four.' },
    ])
    const before = await one.events()
    const wrong = await one.rotate({
      segment: 's-2',
      compaction: { ...compaction, held: ['m1'] },
      pending: [{ role: 'user', text: 'x' }],
    })
    expect(wrong).toMatchObject({ code: 'not-held' })
    expect(await one.events()).toEqual(before)
    const right = await one.rotate({ segment: 's-2', compaction, pending: [{ id: 'm5', role: 'user', text: 'Five.' }] })
    expect(right).toMatchObject({ ok: true, events: ['MessageAppended', 'Compacted', 'Rotated'] })
    expect(await contextLinesOf(one)).toEqual(['summary: Short.', 'm3: Three.', 'm4: Four.', 'm5: Five.'])
  })

  test('a watermark before that of the standing summary is refused: it would bring messages back', async () => {
    const { one } = await talk()
    const early = await contextOf(one)
    await one.append([
      { id: 'm3', role: 'user', text: 'Three. '.repeat(20) },
      { id: 'm4', role: 'assistant', text: 'Four. '.repeat(20) },
    ])
    const held = await contextOf(one)
    const { revision } = sure(
      await one.compact({ base: held.revision, watermark: held.revision, held: held.digest, summary: 'Short.' }),
    )
    const back = await one.compact({
      base: revision,
      watermark: early.revision,
      held: early.digest,
      summary: '.',
    })
    expect(back).toMatchObject({ code: 'watermark-covered', watermark: early.revision, covered: held.revision })
  })

  test('an answer that was still growing at the watermark stays', async () => {
    const { one } = await talk()
    await one.append([
      { id: 'm3', role: 'user', text: 'Three.' },
      { id: 'm4', role: 'assistant', text: 'Fo', partial: 1 },
    ])
    const held = await contextOf(one)
    await one.append({ id: 'm4', role: 'assistant', text: 'Four.' })
    const compacted = await one.compact({
      base: held.revision,
      watermark: held.revision,
      held: held.digest,
      summary: 'Short.',
    })
    expect(compacted).toMatchObject({ ok: true })
    expect((await contextLinesOf(one)).at(-1)).toBe('m4: Four.')
  })
})
