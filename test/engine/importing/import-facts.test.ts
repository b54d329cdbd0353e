import { describe, expect, test } from 'vitest'
import { importedEventId, messageEventId, type SessionEvent } from '@refold/events'
import { openEngine, type Engine, type ImportedSession } from '@refold/engine'
import { openMemoryStore } from '../../../packages/engine/src/stores/memory-store.ts'
import { message, streamIn } from '../../support/command-spec.ts'
import { sha256 } from '../../support/sha256.ts'
import { testSource } from '../../support/test-source.ts'

async function engineInMemory(): Promise<Engine> {
  const source = testSource()
  return openEngine({ store: openMemoryStore(source), source })
}

const startOf = (session: string): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'root' }, importedFrom: { tool: 'hermes', session } },
})

/** Facts with ids as an importer derives them. */
function imported(session: string, ...events: SessionEvent[]): ImportedSession {
  const stream = streamIn(session)
  return {
    session,
    facts: events.map((event) => ({
      event,
      id:
        event.type === 'MessageAppended'
          ? messageEventId(sha256, stream, event.data.id)
          : importedEventId(sha256, stream, {
              tool: 'hermes',
              source: session,
              record: event.type,
              aspect: 'whole',
              value: JSON.stringify(event.data),
            }),
    })),
  }
}
const take = (engine: Engine, ...sessions: ImportedSession[]) => engine.importFacts({ tool: 'hermes', sessions })
const titled = (title: string): SessionEvent => ({ type: 'Renamed', data: { title, by: 'person' } })

const rotated = (from: string): SessionEvent => ({
  type: 'Rotated',
  data: { from, to: 'shared', reason: 'compression' },
})

describe('seams 8: importing', () => {
  test('8.1: facts go in past the deciders, as actor importer', async () => {
    const engine = await engineInMemory()
    const long = 'x'.repeat(120)
    const report = await take(engine, imported('a', startOf('a'), message('m1'), titled(long)))
    expect(report).toMatchObject({ appended: 3, alreadyThere: 0, messages: 1, warnings: [], revisions: { a: 2 } })
    const facts = await engine.factsOf('a')
    expect(facts.map(({ type, actor }) => [type, actor])).toEqual([
      ['SessionStarted', { kind: 'importer', id: 'hermes' }],
      ['MessageAppended', { kind: 'importer', id: 'hermes' }],
      ['Renamed', { kind: 'importer', id: 'hermes' }],
    ])
    expect(facts.at(-1)?.data).toMatchObject({ title: long })
  })

  test('8.2: running it again adds nothing; what is new is added', async () => {
    const engine = await engineInMemory()
    const first = imported('a', startOf('a'), message('m1'))
    await take(engine, first)
    const before = await engine.store.readAll({ limit: 100 })
    expect(await take(engine, first)).toMatchObject({ appended: 0, alreadyThere: 2 })
    expect(await engine.store.readAll({ limit: 100 })).toEqual(before)
    const more = imported('a', startOf('a'), message('m1'), message('m2'))
    expect(await take(engine, more)).toMatchObject({ appended: 1, alreadyThere: 2, revisions: { a: 2 } })
  })

  test('8.1: message ids stay unique, whatever ids the facts carry', async () => {
    const engine = await engineInMemory()
    const facts = [startOf('a'), message('m1')].map((event, index) => ({ id: `${index}`.repeat(32), event }))
    await take(engine, { session: 'a', facts })
    const again = { id: 'e'.repeat(32), event: message('m1', 'user', 'another reading') }
    expect(await take(engine, { session: 'a', facts: [again] })).toMatchObject({
      appended: 0,
      alreadyThere: 1,
      warnings: [{ code: 'message-conflict', session: 'a', about: 'm1', instead: null }],
    })
    const session = await engine.session('a')
    if (!session.ok) throw new Error(session.message)
    const live = await session.handle.append({ id: 'm1', role: 'user', text: 'text of m1' })
    expect(live).toMatchObject({ appended: 0, alreadyThere: 1 })
  })

  test('1.4: platform ids of imported messages are keys, too', async () => {
    const engine = await engineInMemory()
    const said = message('m1')
    const from: SessionEvent =
      said.type === 'MessageAppended' ? { type: said.type, data: { ...said.data, platformId: 'p7' } } : said
    await take(engine, imported('a', startOf('a'), from))
    const session = await engine.session('a')
    if (!session.ok) throw new Error(session.message)
    const again = await session.handle.append({ id: 'other', role: 'user', text: 'hi', platformId: 'p7' })
    expect(again).toMatchObject({ appended: 0, alreadyThere: 1 })
  })

  test('8.4: a taken title gets the next free number, with a warning', async () => {
    const engine = await engineInMemory()
    await engine.start({ id: 'own', title: 'Plan' })
    const report = await take(
      engine,
      imported('a', startOf('a'), titled('Plan')),
      imported('b', startOf('b'), titled('Plan')),
    )
    expect(report.warnings).toEqual([
      { code: 'title-numbered', session: 'a', about: 'Plan', instead: 'Plan #2' },
      { code: 'title-numbered', session: 'b', about: 'Plan', instead: 'Plan #3' },
    ])
  })

  test('a title that one session of a batch gives up is free for the next', async () => {
    const engine = await engineInMemory()
    const report = await take(
      engine,
      imported('a', startOf('a'), titled('Plan'), titled('Old plan')),
      imported('b', startOf('b'), titled('Plan')),
    )
    expect(report.warnings).toEqual([])
    expect(await engine.session('Plan')).toMatchObject({ ok: true, session: 'b' })
  })

  test('8.4: deleted sessions are skipped and reported', async () => {
    const engine = await engineInMemory()
    await take(engine, imported('a', startOf('a'), message('m1')))
    await engine.delete(['a'])
    const report = await take(engine, imported('a', startOf('a'), message('m1'), message('m2')))
    expect(report).toMatchObject({ appended: 0, warnings: [{ code: 'skipped-deleted', session: 'a' }] })
  })

  test('a session of that id which came from elsewhere is left alone', async () => {
    const engine = await engineInMemory()
    await engine.start({ id: 'a' })
    const report = await take(engine, imported('a', startOf('a'), message('m1')), imported('b', startOf('b')))
    expect(report).toMatchObject({ appended: 1, warnings: [{ code: 'id-taken', session: 'a' }] })
    expect(await engine.factsOf('a')).toHaveLength(1)
  })

  test('a segment’s id belongs to one session', async () => {
    const engine = await engineInMemory()
    const report = await take(
      engine,
      imported('a', startOf('a'), rotated('a')),
      imported('b', startOf('b'), rotated('b')),
    )
    expect(report.warnings).toEqual([{ code: 'id-taken', session: 'b', about: 'shared', instead: null }])
    expect(await engine.session('shared')).toMatchObject({ ok: true, session: 'a' })
  })

  test('facts without a beginning are reported, not written', async () => {
    const engine = await engineInMemory()
    expect(await take(engine, imported('a', message('m1')))).toMatchObject({
      appended: 0,
      warnings: [{ code: 'not-started', session: 'a' }],
    })
  })

  test('large texts go to the blob store on the way in', async () => {
    const engine = await engineInMemory()
    const text = 'a long output\n'.repeat(2_000)
    await take(engine, imported('a', startOf('a'), message('m1', 'tool', text)))
    const [, first] = await engine.factsOf('a')
    const [part] = Object(first?.data).parts
    expect(part.text).toEqual({ blob: sha256(text), bytes: 28_000, head: text.slice(0, 200) })
    expect(new TextDecoder().decode(await engine.store.blob(sha256(text)))).toBe(text)
  })

  test('a beginning that names another session is refused before anything is written', async () => {
    const engine = await engineInMemory()
    const crossed = { ...imported('a', startOf('b')), session: 'a' }
    await expect(take(engine, imported('c', startOf('c')), crossed)).rejects.toMatchObject({
      code: 'append-malformed',
      fields: { stream: streamIn('a'), problem: expect.stringContaining('"b"') },
    })
    expect(await engine.store.readAll({ limit: 9 })).toEqual([])
  })

  test('a malformed fact is refused before anything is written', async () => {
    const engine = await engineInMemory()
    const broken: SessionEvent = { type: 'Renamed', data: { title: '', by: 'person' } }
    await expect(take(engine, imported('a', startOf('a'), broken))).rejects.toMatchObject({ code: 'event-malformed' })
    expect(await engine.store.readAll({ limit: 10 })).toEqual([])
  })
})
