import { describe, expect, test } from 'vitest'
import { RefoldError } from '@refold/events'
import {
  contextLinesOf,
  contextOf,
  facadeWorld,
  linesOf,
  startIn,
  sure,
  transcriptOf,
} from '../../support/facade-world.ts'
import { sha256 } from '../../support/sha256.ts'

describe('a session handle', () => {
  test('seams 3.2: counts as unread what others appended, and its own appends only behind no gap', async () => {
    const { engine } = await facadeWorld()
    const one = await startIn(engine)
    const found = await engine.session('s')
    if (!found.ok) throw new Error(found.message)
    const other = found.handle
    await one.append({ role: 'user', text: '1' })
    expect([one.readUpTo, other.readUpTo]).toEqual([1, 0])
    expect(await other.append({ role: 'user', text: '2' })).toMatchObject({ unread: 1, revision: 2 })
    expect(await other.append({ role: 'user', text: '3' })).toMatchObject({ unread: 1, revision: 3 })
    expect(other.readUpTo).toBe(0)
    await other.context()
    expect(other.readUpTo).toBe(3)
    expect(await other.append({ role: 'user', text: '4' })).toMatchObject({ unread: 0 })
    expect(await one.append({ role: 'user', text: '5' })).toMatchObject({ unread: 3 })
  })

  test('reads its own appends at once', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    for (let n = 0; n < 5; n += 1) {
      await session.append({ id: `m${n}`, role: 'user', text: `${n}` })
      expect((await linesOf(session)).at(-1)).toBe(`m${n}: ${n}`)
    }
  })

  test('pages through a transcript of any length without a gap', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append(Array.from({ length: 57 }, (_, n) => ({ id: `m${n}`, role: 'user', text: 'x' })))
    const ids: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = sure(await session.transcript({ limit: 10, ...(cursor === undefined ? {} : { cursor }) }))
      ids.unshift(...page.entries.map(({ id }) => id))
      cursor = page.cursor
    }
    expect(ids).toEqual(Array.from({ length: 57 }, (_, n) => `m${n}`))
    expect(await session.transcript({ cursor: 'nonsense' })).toMatchObject({ code: 'bad-cursor', cursor: 'nonsense' })
  })

  test('shows the past as it was', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const { revision } = sure(await session.append({ id: 'm1', role: 'user', text: 'first' }))
    await session.edit('m1', { text: 'second' })
    expect(await linesOf(session)).toEqual(['m1: second'])
    const past = sure(await session.transcript({ at: revision }))
    expect(past).toMatchObject({ revision, entries: [{ id: 'm1', parts: [{ text: 'first' }] }] })
    expect((await contextOf(session, revision)).messages).toMatchObject([{ parts: [{ text: 'first' }] }])
  })

  test('rewinds, undoes and switches back and forth without losing anything', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'a' },
      { id: 'm2', role: 'assistant', text: 'b' },
      { id: 'm3', role: 'user', text: 'c' },
    ])
    const rewound = sure(await session.rewind({ to: 'm1' }))
    await session.append({ id: 'm4', role: 'assistant', text: 'd' })
    expect(await linesOf(session)).toEqual(['m1: a', 'm4: d'])
    const undone = sure(await session.undo(rewound.undoId))
    expect(await linesOf(session)).toEqual(['m1: a', 'm2: b', 'm3: c'])
    const back = sure(await session.undo(undone.undoId))
    expect(await contextLinesOf(session)).toEqual(['m1: a', 'm4: d'])
    await session.undo(back.undoId)
    expect(await contextLinesOf(session)).toEqual(['m1: a', 'm2: b', 'm3: c'])
  })

  test('edit and resend is a rewind and an append; the branch not taken stays', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'a' },
      { id: 'm2', role: 'user', text: 'wrong' },
      { id: 'm3', role: 'assistant', text: 'answer to wrong' },
    ])
    await session.rewind({ to: 'm1' })
    await session.append({ id: 'm4', role: 'user', text: 'right' })
    expect(await linesOf(session)).toEqual(['m1: a', 'm4: right'])
    const { entries } = await transcriptOf(session)
    expect(entries.filter(({ kind }) => kind === 'alternative')).toHaveLength(1)
  })

  test('branches from an answer, and neither side changes the other', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'a' },
      { id: 'm2', role: 'assistant', text: 'b' },
      { id: 'm3', role: 'user', text: 'c' },
    ])
    const branched = sure(await session.branch({ from: 'm2', id: 'twig' }))
    const found = await engine.session(branched.session)
    if (!found.ok) throw new Error(found.message)
    await found.handle.append({ id: 'm1', role: 'user', text: 'a' })
    await found.handle.append({ id: 't1', role: 'user', text: 'd' })
    await found.handle.edit('m1', { text: 'A' })
    await session.append({ id: 'm4', role: 'assistant', text: 'e' })
    expect(await linesOf(found.handle)).toEqual(['m1: A', 'm2: b', 't1: d'])
    expect(await linesOf(session)).toEqual(['m1: a', 'm2: b', 'm3: c', 'm4: e'])
    expect(await session.lineage()).toMatchObject({ children: [{ kind: 'branch', session: 'twig' }] })
    expect(await found.handle.lineage()).toMatchObject({ parents: [{ kind: 'branch', session: 's' }] })
  })

  test('branches from a grown answer where it first appeared', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'a' },
      { id: 'm2', role: 'assistant', text: 'b', partial: 1 },
    ])
    await session.append([
      { id: 'm3', role: 'user', text: 'c' },
      { id: 'm2', role: 'assistant', text: 'b whole' },
    ])
    await session.branch({ from: 'm2', id: 'twig' })
    const found = await engine.session('twig')
    if (!found.ok) throw new Error(found.message)
    expect(await linesOf(found.handle)).toEqual(['m1: a', 'm2: b whole'])
    expect(await found.handle.append({ id: 'm2', role: 'assistant', text: 'b whole' })).toMatchObject({
      alreadyThere: 1,
    })
  })

  test('spawns delegates whose reports reach the model once', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append({ id: 'm1', role: 'user', text: 'Find out.' })
    const spawned = sure(await session.spawn({ id: 'worker', task: 'Look it up' }))
    expect(spawned).toMatchObject({ session: 'worker', parent: 's' })
    await session.report({ delegate: 'worker', outcome: 'done', message: 'Found it.' })
    await session.report({ delegate: 'worker', outcome: 'done', message: 'Found it.' })
    expect((await contextLinesOf(session)).filter((line) => line.endsWith('Found it.'))).toHaveLength(1)
    const delegate = (await transcriptOf(session)).entries.find(({ kind }) => kind === 'delegate')
    expect(delegate).toMatchObject({ details: { session: 'worker', task: 'Look it up', status: 'done' } })
  })

  test('tells usage, settings and status', async () => {
    const { engine, source } = await facadeWorld()
    const session = await startIn(engine)
    await session.append({ id: 'm1', role: 'user', text: 'a', usage: { model: 'large', tokens: { input: 7 } } })
    await session.recordUsage({ key: 'request 1', model: 'large', tokens: { input: 3, output: 2 } })
    await session.recordUsage({ key: 'request 1', model: 'large', tokens: { input: 3, output: 2 } })
    expect(sure(await session.usage()).total).toMatchObject({ input: 10, output: 2 })
    await session.set({ key: 'goal', value: 'Ship it. '.repeat(4_000) })
    await session.pin()
    expect(await session.settings()).toEqual([
      { key: 'goal', value: 'Ship it. '.repeat(4_000) },
      { key: 'pinned', value: true },
    ])
    await session.startTurn({ turn: 't1', leaseMs: 1_000 })
    const status = async () => sure(await engine.list()).sessions.map((row) => row.status)
    expect(await status()).toEqual(['running'])
    source.advance(1_000)
    expect(await status()).toEqual(['interrupted'])
  })

  test('part 7: large texts are stored once, by content, and read whole', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const large = 'é'.repeat(9_000)
    await session.append([
      { id: 'm1', role: 'tool', toolCallId: 'c0', text: large },
      { id: 'm2', role: 'assistant', toolCalls: [{ id: 'c1', name: 'write', arguments: { file: large } }] },
      { id: 'm3', role: 'user', parts: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }] },
    ])
    await session.append({ id: 'm4', role: 'user', text: large })
    const events = await session.events()
    const parts = events.slice(1).map(({ data }) => Object(data).parts[0])
    const reference = { blob: sha256(large), bytes: 18_000, head: 'é'.repeat(200) }
    expect(parts[0].text).toEqual(reference)
    expect(parts[3].text).toEqual(reference)
    expect(parts[1]).toEqual({
      type: 'tool-call',
      id: 'c1',
      name: 'write',
      argumentsText: {
        blob: sha256(JSON.stringify({ file: large })),
        bytes: 18_011,
        head: expect.stringMatching(/^\{"file":"é+$/u),
      },
    })
    const image = sha256(new Uint8Array([1, 2, 3]))
    expect(parts[2]).toEqual({ type: 'image', mediaType: 'image/png', blob: image, bytes: 3 })
    expect(await engine.store.blob(image)).toEqual(new Uint8Array([1, 2, 3]))
    expect((await linesOf(session)).at(-1)).toBe(`m4: ${large}`)
    expect(await session.append({ id: 'm4', role: 'user', text: large })).toMatchObject({ alreadyThere: 1 })
  })

  test('a text just small enough stays in its event', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append([
      { id: 'm1', role: 'user', text: 'x'.repeat(16_384) },
      { id: 'm2', role: 'user', text: 'x'.repeat(16_385) },
    ])
    const texts = (await session.events()).slice(1).map(({ data }) => typeof Object(data).parts[0].text)
    expect(texts).toEqual(['string', 'object'])
  })

  test('names the field of a malformed message, and writes nothing of the batch', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const bad = session.append([
      { id: 'm1', role: 'user', text: 'fine' },
      { id: '', role: 'user', text: 'no id' },
    ])
    await expect(bad).rejects.toBeInstanceOf(RefoldError)
    await expect(bad).rejects.toMatchObject({
      code: 'event-malformed',
      fields: { type: 'MessageAppended', problem: expect.stringMatching(/^messages\.1\.id: /u) },
    })
    expect(await session.events()).toHaveLength(1)
  })

  test('an empty batch is nothing', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    expect(await session.append([])).toMatchObject({ ok: true, appended: 0, events: [] })
  })
})
