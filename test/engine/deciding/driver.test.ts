import { describe, expect, test } from 'vitest'
import type { Append } from '@refold/events'
import { openMemoryStore } from '../../../packages/engine/src/stores/memory-store.ts'
import { rename } from '../../../packages/engine/src/commands/rename.ts'
import { start } from '../../../packages/engine/src/commands/start.ts'
import { appending } from '../../support/appending.ts'
import { commandWorld, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'
import { testSource } from '../../support/test-source.ts'
import { withoutTransactions } from '../../support/without-transactions.ts'

describe.each([
  ['inside a transaction', (store: ReturnType<typeof openMemoryStore>) => store],
  ['over a store without transactions', (store: ReturnType<typeof openMemoryStore>) => withoutTransactions(store)],
])('commands %s', (_name, wrap) => {
  const world = () => {
    const source = testSource()
    return commandWorld({ source, store: wrap(openMemoryStore(source)) })
  }

  test('many callers append to one session: every message once', async () => {
    const place = world()
    await write(place, { s: [started] })
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, caller) =>
        outcomeOf(
          place,
          appending('s', [
            { id: 'shared', role: 'user', text: 'all say this' },
            { id: `own ${caller}`, role: 'user', text: 'x' },
          ]),
        ),
      ),
    )
    expect(outcomes.map((outcome) => outcome.ok && outcome.appended).filter((appended) => appended === 2)).toHaveLength(
      1,
    )
    const messages = (await wholeLog(place)).filter(({ type }) => type === 'MessageAppended')
    expect(new Set(messages.map(({ data }) => Object(data).id)).size).toBe(9)
    expect(messages).toHaveLength(9)
  })

  test('many want one title: one gets it, the others learn who', async () => {
    const place = world()
    const names = Array.from({ length: 6 }, (_, index) => `s${index}`)
    for (const id of names) await outcomeOf(place, (desk) => start(desk, { id, blobs: [] }))
    const outcomes = await Promise.all(
      names.map((name) => outcomeOf(place, (desk) => rename(desk, name, { title: 'Plan' }))),
    )
    const winners = outcomes.filter((outcome) => outcome.ok)
    expect(winners).toHaveLength(1)
    const holder = winners[0]?.ok && winners[0].session
    expect(
      outcomes.filter((outcome) => !outcome.ok && outcome.code === 'title-taken' && outcome.holder === holder),
    ).toHaveLength(5)
  })

  test('a person’s title wins in every interleaving', async () => {
    const place = world()
    await write(place, { s: [started] })
    await Promise.all(
      (['model', 'person', 'derived', 'model'] as const).map((by, index) =>
        outcomeOf(place, (desk) => rename(desk, 's', { title: `by ${by} ${index}`, by })),
      ),
    )
    const titles = (await wholeLog(place)).filter(({ type }) => type === 'Renamed')
    expect(titles.at(-1)?.data).toMatchObject({ by: 'person' })
  })

  test('a command that throws writes nothing', async () => {
    const place = world()
    await write(place, { s: [started] })
    const before = await wholeLog(place)
    await expect(
      outcomeOf(place, function* () {
        yield* []
        throw new Error('a mistake in a rule')
      }),
    ).rejects.toThrow('a mistake in a rule')
    expect(await wholeLog(place)).toEqual(before)
  })
})

describe('a store without transactions', () => {
  test('decides anew when something came between', async () => {
    const source = testSource()
    const store = openMemoryStore(source)
    const direct = commandWorld({ source, store })
    await write(direct, { s: [started] })
    let interruptions = 3
    const interrupted = withoutTransactions(store, async (append: Append) => {
      if (interruptions === 0 || append.streams.some(({ stream }) => stream.startsWith('claim'))) return
      interruptions -= 1
      await outcomeOf(direct, appending('s', [{ id: `between ${interruptions}`, role: 'user', text: 'x' }]))
    })
    const outcome = await outcomeOf(
      commandWorld({ source, store: interrupted }),
      appending('s', [{ id: 'm1', role: 'user', text: 'x' }], { readUpTo: 0 }),
    )
    expect(outcome).toMatchObject({ ok: true, appended: 1, unread: 3, revision: 4 })
  })

  test('gives up with a typed error when it never comes to rest, and has written nothing', async () => {
    const source = testSource()
    const store = openMemoryStore(source)
    const direct = commandWorld({ source, store })
    await write(direct, { s: [started] })
    let round = 0
    const restless = withoutTransactions(store, async () => {
      round += 1
      await outcomeOf(direct, appending('s', [{ id: `between ${round}`, role: 'user', text: 'x' }]))
    })
    const place = commandWorld({ source, store: restless })
    await expect(outcomeOf(place, appending('s', [{ id: 'm1', role: 'user', text: 'x' }]))).rejects.toMatchObject({
      code: 'contended',
      fields: { stream: 'session-default.s', tries: 12 },
    })
    expect(round).toBe(12)
    expect((await wholeLog(direct)).some(({ data }) => Object(data).id === 'm1')).toBe(false)
  })
})
