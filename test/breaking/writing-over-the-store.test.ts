import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUpStore, openEngine } from '@refold/engine'
import { store } from '../cli/call.ts'
import { startIn } from '../support/facade-world.ts'

/** Other names of the store `refold.db` in a folder, made there. */
function otherNames(folder: string): readonly string[] {
  symlinkSync('refold.db', join(folder, 'link.db'))
  linkSync(join(folder, 'refold.db'), join(folder, 'hard.db'))
  mkdirSync(join(folder, 'deep'))
  symlinkSync('..', join(folder, 'deep', 'up'))
  return [
    'refold.db',
    './deep/../refold.db',
    'deep/up/refold.db',
    'link.db',
    'hard.db',
    'refold.db-wal',
    'refold.db-shm',
  ]
}

describe('no --force writes over the store itself', () => {
  test.for([
    ['export', '--all', '--force', '--out'],
    ['backup', '--force'],
  ])('%s', async (words) => {
    const { refold, folder } = store()
    await refold(['start', '--id', 's1'])
    const names = otherNames(folder)
    for (const name of names)
      expect(await refold([...words, name], { exit: 1 }), name).toMatchObject({ error: { code: 'file-exists' } })
    expect(await refold(['list'])).toMatchObject({ total: 1 })
  })

  test('nor over what --db leads to by a link', async () => {
    const { refold, folder } = store()
    await refold(['start', '--id', 's1'])
    otherNames(folder)
    for (const name of ['refold.db', 'refold.db-wal', 'link.db-wal'])
      expect(await refold(['--db', 'link.db', 'backup', '--force', name], { exit: 1 }), name).toMatchObject({
        error: { code: 'file-exists' },
      })
  })

  test('a folder in the place of the file is told as such', async () => {
    const { refold, folder } = store()
    await refold(['start', '--id', 's1'])
    mkdirSync(join(folder, 'taken.jsonl'))
    const refused = await refold(['export', 's1', '--force', '--out', 'taken.jsonl'], { exit: 1 })
    expect(refused).toMatchObject({ error: { code: 'file-not-writable', file: join(folder, 'taken.jsonl') } })
  })

  test('the library says so, too, and says which file cannot be made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'refold-over-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'refold.db')
    const engine = await openEngine({ file })
    onTestFinished(() => engine.close())
    await startIn(engine)
    const names = otherNames(folder)
    const before = readFileSync(file)
    for (const name of names)
      await expect(backUpStore(file, join(folder, name), { overwrite: true }), name).rejects.toMatchObject({
        code: 'store-failed',
        fields: { file: join(folder, name) },
      })
    expect(readFileSync(file)).toEqual(before)
    const below = join(file, 'copy.db')
    await expect(backUpStore(file, below)).rejects.toMatchObject({ code: 'store-failed' })
  })
})
