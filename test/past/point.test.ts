import { beforeEach, describe, expect, test } from 'vitest'
import type { Engine, Point, SessionHandle } from '@refold/engine'
import { contextOf, facadeWorld, startIn, sure, transcriptOf, type FacadeWorld } from '../support/facade-world.ts'

let world: FacadeWorld
let engine: Engine
let s: SessionHandle

beforeEach(async () => {
  world = await facadeWorld()
  ;({ engine } = world)
  s = await startIn(engine)
})

const START = 1_800_000_000_000
const revisionAt = async (point: Point): Promise<number> => sure(await s.transcript({ at: point })).revision

async function tenMinutes(): Promise<void> {
  for (let n = 1; n <= 10; n++) {
    world.source.advance(60_000)
    sure(await s.append({ id: `m${n}`, role: 'user', text: `${n}` }))
  }
}

const imported = (id: string, at: number) => ({
  id: id.padStart(32, '0'),
  event: {
    type: 'MessageAppended',
    data: {
      id,
      role: 'user',
      parts: [{ type: 'text', text: id }],
      provenance: 'person',
      shownTo: 'both',
      at,
    },
  } as const,
})

describe('a time', () => {
  test('means the longest beginning that was recorded no later', async () => {
    await tenMinutes()
    expect(await revisionAt({ time: START })).toBe(0)
    expect(await revisionAt({ time: START + 60_000 })).toBe(1)
    expect(await revisionAt({ time: START + 119_999 })).toBe(1)
    expect(await revisionAt({ time: START + 300_000 })).toBe(5)
    expect(await revisionAt({ time: Infinity })).toBe(10)
  })

  test('before the start is the empty session', async () => {
    await tenMinutes()
    const point = { time: START - 1 }
    expect(sure(await s.transcript({ at: point }))).toEqual({ session: 's', revision: -1, entries: [], cursor: null })
    expect(sure(await s.context({ at: point }))).toMatchObject({ revision: -1, messages: [], bytes: 0, segment: 's' })
    expect(sure(await s.settings({ at: point }))).toEqual([])
  })

  test('after a clock that went back counts the beginning only', async () => {
    sure(await s.append({ id: 'm1', role: 'user', text: '1' }))
    world.source.advance(60_000)
    sure(await s.append({ id: 'm2', role: 'user', text: '2' }))
    world.source.advance(-60_000)
    sure(await s.append({ id: 'm3', role: 'user', text: '3' }))
    expect(await revisionAt({ time: START })).toBe(1)
    expect(await revisionAt({ time: START + 60_000 })).toBe(3)
  })

  test('of an imported session may be that of its messages', async () => {
    const begun = {
      id: '1'.padStart(32, 'f'),
      event: { type: 'SessionStarted', data: { session: 'old', origin: { kind: 'root' }, at: 1e12 } } as const,
    }
    const report = await engine.importFacts({
      tool: 'other',
      sessions: [{ session: 'old', facts: [begun, imported('1', 1e12 + 10), imported('2', 1e12 + 20)] }],
    })
    expect(report).toBeDefined()
    const { handle } = sure(await engine.session('old'))
    expect(sure(await handle.transcript({ at: { time: 1e12 + 15 } })).revision).toBe(-1)
    const page = sure(await handle.transcript({ at: { time: 1e12 + 15, by: 'messages' } }))
    expect(page.entries.map(({ id }) => id)).toEqual(['1'])
    expect(sure(await handle.context({ at: { time: 1e12 + 20, by: 'messages' } })).messages).toHaveLength(2)
    expect(sure(await handle.context({ at: { time: 1e12 - 1, by: 'messages' } })).revision).toBe(-1)
  })

  test('is found far into a long session', async () => {
    for (let n = 0; n < 6; n++) {
      world.source.advance(1_000)
      sure(
        await s.append(Array.from({ length: 100 }, (_, m) => ({ id: `m${n}-${m}`, role: 'user', text: 'x' }) as const)),
      )
    }
    for (let n = 0; n <= 6; n++) expect(await revisionAt({ time: START + n * 1_000 })).toBe(n * 100)
  })
})

describe('a revision', () => {
  test('shows transcript and context as they were, with the digest that was given then', async () => {
    sure(await s.append([{ id: 'm1', role: 'user', text: 'one' }] as const))
    const [page, context] = [await transcriptOf(s), await contextOf(s)]
    sure(await s.append({ id: 'm2', role: 'assistant', text: 'two' }))
    sure(await s.edit('m1', { text: 'changed' }))
    sure(await s.rewind({ to: 'start' }))
    expect(sure(await s.transcript({ at: 1 }))).toEqual(page)
    expect(await contextOf(s, 1)).toEqual(context)
    expect(sure(await s.transcript({ at: 4 }))).toEqual(await transcriptOf(s))
  })

  test('that is the newest shows what is at work now, an older one does not', async () => {
    const { turn } = sure(await s.startTurn({ leaseMs: 60_000 }))
    sure(await s.append({ id: 'm1', role: 'assistant', text: 'He', partial: 1 }, { turn }))
    const { session: delegate } = sure(await s.spawn({ id: 'd' }))
    const page = await transcriptOf(s)
    expect(page.entries).toMatchObject([{ state: 'complete' }, { kind: 'delegate', details: { status: 'empty' } }])
    expect(sure(await s.transcript({ at: page.revision }))).toEqual(page)
    sure(await s.report({ delegate, outcome: 'done' }))
    expect(sure(await s.transcript({ at: page.revision })).entries).toMatchObject([
      { state: 'partial' },
      { kind: 'delegate', details: { status: 'running' } },
    ])
  })

  test('beyond the newest is refused, and so is what is none', async () => {
    for (const at of [1, 0.5, -2])
      for (const asked of [
        s.transcript({ at }),
        s.context({ at }),
        s.settings({ at }),
        s.usage({ at }),
        s.title({ at }),
      ])
        expect(await asked).toMatchObject({ ok: false, code: 'bad-revision', at, revision: 0 })
  })

  test('of a deleted session shows nothing', async () => {
    sure(await engine.delete(['s']))
    expect(await s.transcript({ at: 0 })).toMatchObject({ ok: false, code: 'session-deleted' })
  })
})
