import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUpStore, openEngine, type Engine } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'refold-backup-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

async function talked(file: string): Promise<Engine> {
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  const session = await startIn(engine, 's')
  for (let n = 0; n < 20; n += 1) sure(await session.append({ id: `m${n}`, role: 'user', text: `words ${n}` }))
  sure(await session.append({ id: 'large', role: 'user', text: 'x'.repeat(300_000) }))
  return engine
}

async function whatItSays(file: string): Promise<string> {
  const engine = await openEngine({ file, create: false })
  const { handle } = sure(await engine.session('s'))
  const said = JSON.stringify([await engine.list(), await handle.transcript({ limit: 100 }), await handle.context()])
  await engine.close()
  return said
}

describe('backUpStore', () => {
  test('copies what is there as of one moment, while the store is open, into one verified file', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copies.db')]
    const engine = await talked(file)
    const backed = await backUpStore(file, copy)
    expect(backed).toMatchObject({ file: copy, streams: 2, events: 23, blobs: 1 })
    const before = await whatItSays(file)
    const { handle } = sure(await engine.session('s'))
    sure(await handle.append({ id: 'later', role: 'user', text: 'after the copy' }))
    expect(await whatItSays(copy)).toBe(before)
    expect(statSync(copy).mode & 0o077, 'only its owner reads it').toBe(0)
  })

  test('keeps the name of the log and goes on from there', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copy.db')]
    const engine = await talked(file)
    await backUpStore(file, copy)
    const restored = await openEngine({ file: copy })
    expect((await restored.store.logHead()).logId).toBe((await engine.store.logHead()).logId)
    const { handle } = sure(await restored.session('s'))
    sure(await handle.append({ id: 'in the copy', role: 'user', text: 'goes on' }))
    await restored.close()
  })

  test('while others append, the copy holds a beginning of what they wrote', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copy.db')]
    const engine = await talked(file)
    const { handle } = sure(await engine.session('s'))
    const over = new AbortController()
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1)
        sure(await handle.append({ id: `w${n}`, role: 'user', text: 'w'.repeat(2_000) }))
    })()
    const backed = await backUpStore(file, copy)
    over.abort()
    await writing
    if (backed === 'exists') throw new Error('it was not there')
    const restored = await openEngine({ file: copy })
    const other = sure(await restored.session('s'))
    const copied = await other.handle.events({ limit: 10_000 })
    expect(copied).toEqual((await handle.events({ limit: 10_000 })).slice(0, copied.length))
    expect(copied.length).toBeGreaterThanOrEqual(22)
    await restored.close()
  })

  test('replaces nothing unless asked to', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copy.db')]
    await talked(file)
    writeFileSync(copy, 'something else')
    expect(await backUpStore(file, copy)).toBe('exists')
    expect(await backUpStore(file, copy, { overwrite: true })).toMatchObject({ file: copy })
  })

  test('a damaged store makes no backup and leaves nothing behind', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copy.db')]
    await (await talked(file)).close()
    const database = new Database(file)
    database.exec(`UPDATE events SET payload = replace(payload, 'words 3', 'words 4')`)
    database.close()
    await expect(backUpStore(file, copy)).rejects.toMatchObject({ code: 'store-damaged' })
    expect(readdirSync(place).filter((name) => name.startsWith('copy'))).toEqual([])
  })

  test('stopped, it leaves nothing behind', async () => {
    const place = folder()
    const [file, copy] = [join(place, 'agent.db'), join(place, 'copy.db')]
    await talked(file)
    const abort = new AbortController()
    const stopped = backUpStore(file, copy, {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(existsSync(copy)).toBe(false)
    expect(readdirSync(place).filter((name) => name.startsWith('copy'))).toEqual([])
  })

  test('a store that is not there is said to be missing', async () => {
    const place = folder()
    await expect(backUpStore(join(place, 'none.db'), join(place, 'copy.db'))).rejects.toMatchObject({
      code: 'store-missing',
    })
  })
})
