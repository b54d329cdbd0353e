import { expect, test } from 'vitest'
import { openEngine, openMemoryStore, type Engine } from '@refold/engine'
import { sure, startIn } from '../support/facade-world.ts'
import { testSource } from '../support/test-source.ts'

async function exported(engine: Engine): Promise<string> {
  let text = ''
  for await (const piece of sure(await engine.exportBundle('all')).pieces) text += piece
  return text
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  // In pieces that end anywhere, also inside of a character.
  for (let from = 0; from < bytes.length; from += 997) yield bytes.subarray(from, from + 997)
}

const engineOf = (): Promise<Engine> => {
  const source = testSource()
  return openEngine({ store: openMemoryStore(source), source })
}

test('an import that was stopped anywhere goes on when it is run again, and ends as an undisturbed one', async () => {
  const engine = await engineOf()
  for (const id of ['a', 'b', 'c']) {
    const session = await startIn(engine, id)
    sure(await session.rename(`title of ${id}`))
    sure(
      await session.append(Array.from({ length: 500 }, (_, n) => ({ id: `m${n}`, role: 'user', text: `wörd ${n}` }))),
    )
  }
  const text = await exported(engine)
  for (const batches of [1, 2, 3]) {
    const copy = await engineOf()
    const stop = new AbortController()
    const reason = new Error('stopped')
    let seen = 0
    const stopped = copy.importBundle(() => bytesOf(text), {
      signal: stop.signal,
      onProgress: () => {
        seen += 1
        if (seen === batches) stop.abort(reason)
      },
    })
    await expect(stopped).rejects.toBe(reason)
    const written = (await copy.store.readAll({ limit: 10_000 })).filter(
      ({ actor }) => actor.kind !== 'importer',
    ).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(1_506)
    expect(await copy.importBundle(() => bytesOf(text))).toMatchObject({
      events: 1_506 - written,
      alreadyThere: written,
    })
    expect(await exported(copy)).toBe(text)
    expect(await copy.start({ title: 'title of a' })).toMatchObject({ ok: false, code: 'title-taken', holder: 'a' })
    await copy.close()
  }
  await engine.close()
})
