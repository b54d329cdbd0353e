import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { store } from './call.ts'
import { finding, lines, question } from './example-messages.ts'

async function talked() {
  const made = store()
  await made.refold(['start', '--id', 's1', '--title', 'Scanner'])
  await made.refold(['append', 's1'], { input: lines(question, finding) })
  return made
}

describe('backup', () => {
  test('copies the log into a file that is a store', async () => {
    const { refold, folder } = await talked()
    const backed = await refold(['backup', 'copy.db'])
    expect(backed).toMatchObject({ file: join(folder, 'copy.db'), blobs: 0 })
    expect(Object.keys(backed)).toEqual(['file', 'bytes', 'streams', 'events', 'blobs'])
    expect(await refold(['--db', 'copy.db', 'show', 's1'])).toEqual(await refold(['show', 's1']))
  })

  test('replaces nothing unless told to, and never the store itself', async () => {
    const { refold } = await talked()
    await refold(['backup', 'copy.db'])
    const taken = { error: { code: 'file-exists' } }
    expect(await refold(['backup', 'copy.db'], { exit: 1 })).toMatchObject(taken)
    expect(await refold(['backup', 'refold.db', '--force'], { exit: 1 })).toMatchObject(taken)
    expect(await refold(['backup', 'copy.db', '--force'])).toMatchObject({ blobs: 0 })
  })
})

describe('rebuild', () => {
  test('says which views it made anew', async () => {
    const { refold, folder } = await talked()
    const rebuilt = await refold(['rebuild'])
    expect(rebuilt).toMatchObject({ views: [{ view: 'rows' }, { view: 'search' }] })
    expect(await refold(['rebuild', 'search'])).toMatchObject({ views: [{ view: 'search' }] })
    expect(existsSync(join(folder, 'refold.views.db-rebuild'))).toBe(false)
  })
})
