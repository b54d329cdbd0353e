import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { NotHermes, openHermes } from '@refold/interop'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { makeStore, now, start, textsOf, user } from './hermes/made-store.ts'

const say = `INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', ?, ${start})`

function inWalMode(): string {
  return makeStore({
    sessions: [{ id: 's', source: 'cli', started_at: start }],
    messages: [{ session_id: 's', ...user('first', start) }],
    more: (database) => database.pragma('journal_mode = WAL'),
  })
}

function everythingIn(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((file) => !file.endsWith('-shm'))
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  )
}

function wordsIn(path: string): readonly string[] {
  const reader = openHermes(path, { now })
  try {
    return [...reader.conversations()].flatMap((found) => textsOf(found))
  } finally {
    reader.close()
  }
}

const copies = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('refold-hermes-'))

describe('a store that its owner has open', () => {
  test('is read with what stands only in its log, in one snapshot, and left as it is', () => {
    const path = inWalMode()
    const owner = new Database(path)
    owner.prepare(say).run('second')
    const before = everythingIn(dirname(path))
    const reader = openHermes(path, { now })
    expect(reader.openedAs).toBe('in place')
    expect(everythingIn(dirname(path))).toEqual(before)
    owner.prepare(say).run('third')
    expect([...reader.conversations()].flatMap((found) => textsOf(found))).toEqual(['first', 'second'])
    owner.prepare(say).run('fourth')
    reader.close()
    expect(wordsIn(path)).toEqual(['first', 'second', 'third', 'fourth'])
    owner.close()
  })

  test('does not hold up a writer', () => {
    const path = inWalMode()
    const owner = new Database(path, { timeout: 0 })
    owner.prepare(say).run('second')
    const reader = openHermes(path, { now })
    expect(() => owner.prepare(say).run('third')).not.toThrow()
    reader.close()
    owner.close()
  })
})

describe('a store at rest', () => {
  test('in WAL mode without a log is read, and nothing is created beside it', () => {
    const path = inWalMode()
    expect(readdirSync(dirname(path))).toEqual(['state.db'])
    const before = everythingIn(dirname(path))
    expect(wordsIn(path)).toEqual(['first'])
    expect(everythingIn(dirname(path))).toEqual(before)
    expect(readdirSync(dirname(path))).toEqual(['state.db'])
  })

  test('that a crash left with a log is read with it', () => {
    const path = inWalMode()
    const owner = new Database(path)
    owner.prepare(say).run('second')
    const folder = mkdtempSync(join(tmpdir(), 'crashed-hermes-'))
    for (const end of ['', '-wal']) copyFileSync(path + end, join(folder, `state.db${end}`))
    owner.close()
    const before = everythingIn(folder)
    expect(wordsIn(join(folder, 'state.db'))).toEqual(['first', 'second'])
    expect(everythingIn(folder)).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['state.db', 'state.db-wal'])
  })

  test('in a folder that cannot be written is read', () => {
    const path = inWalMode()
    chmodSync(path, 0o400)
    chmodSync(dirname(path), 0o500)
    try {
      expect(wordsIn(path)).toEqual(['first'])
    } finally {
      chmodSync(dirname(path), 0o700)
    }
  })

  test('leaves no copy behind', () => {
    const before = copies()
    wordsIn(inWalMode())
    expect(copies()).toEqual(before)
  })
})

describe('what is no store', () => {
  test('is refused: no file, no database, another database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-hermes-'))
    expect(() => openHermes(join(folder, 'absent.db'), { now })).toThrow('no file')
    writeFileSync(
      join(folder, 'text.db'),
      'This is only a text, long enough to be looked at as a database header.'.repeat(20),
    )
    expect(() => openHermes(join(folder, 'text.db'), { now })).toThrow()
    const other = new Database(join(folder, 'other.db'))
    other.exec('CREATE TABLE sessions (id TEXT)')
    other.close()
    expect(() => openHermes(join(folder, 'other.db'), { now })).toThrow(NotHermes)
    rmSync(folder, { recursive: true })
  })
})
