import type { Json } from '@refold/events'
import { describe, expect, test } from 'vitest'
import { facadeWorld, startIn, transcriptOf } from '../support/facade-world.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what untyped callers give
const untyped = (value: unknown): Json => value as Json

/** A value in so many lists. */
const nested = (levels: number): Json => (levels === 0 ? 'core' : [nested(levels - 1)])

async function argumentsKept(given: Json): Promise<Json | undefined> {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const toolCalls = [{ id: 'c1', name: 'write', arguments: given }]
  await session.append({ id: 'm1', role: 'assistant', toolCalls })
  const [entry] = (await transcriptOf(session)).entries
  const [part] = entry?.kind === 'message' ? entry.parts : []
  return part?.type === 'tool-call' ? part.arguments : undefined
}

describe('arguments of a call', () => {
  test('come back whole, a key called __proto__ too', async () => {
    const given: Json = JSON.parse('{"__proto__":{"a":1},"constructor":2,"b":[{"__proto__":3}]}')
    expect(JSON.stringify(await argumentsKept(given))).toBe(
      '{"__proto__":{"a":1},"constructor":2,"b":[{"__proto__":3}]}',
    )
  })

  test('may be nested 500 levels deep', async () => {
    expect(await argumentsKept(nested(500))).toEqual(nested(500))
  })

  const circle: Json[] = []
  circle.push(circle)
  test.each([
    ['nested deeper', nested(501)],
    ['nested 20,000 levels deep', Array.from({ length: 20_000 }).reduce<Json>((inner) => [inner], 'core')],
    ['a circle', circle],
    ['a date', untyped({ at: new Date(0) })],
    ['a hole in a list', untyped(Array.from({ length: 2, 1: 'b' }))],
    ['undefined', untyped({ a: undefined })],
    ['a big integer', untyped([10n])],
    ['a function', untyped(() => 1)],
    ['a number that is none', [Number.NaN]],
  ])('that are no JSON (%s) are refused by name, and nothing is written', async (_, given) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const toolCalls = [{ id: 'c1', name: 'write', arguments: given }]
    await expect(session.append({ role: 'assistant', toolCalls })).rejects.toMatchObject({
      code: 'event-malformed',
      message:
        'The data of MessageAppended does not fit its schema (messages.0.parts.0.arguments: no JSON value, or one nested deeper than 500 levels). Nothing was written.',
    })
    expect((await transcriptOf(session)).entries).toEqual([])
  })
})
