import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, callsOn, store } from './call.ts'

describe('the store', () => {
  test('is not made by reading, nor by a command on a session that cannot be there', async () => {
    const { folder, refold } = store()
    for (const words of [
      ['list'],
      ['show', 'x'],
      ['context', 'x'],
      ['lineage', 'x'],
      ['usage'],
      ['append', 'x'],
      ['pin', 'x'],
      ['delete', 'x', '--dry-run'],
    ]) {
      expect((await refold(words, { exit: 1 })).error.code, words.join(' ')).toBe('store-missing')
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('that is missing is told with what to do, and where the quickstart made one', async () => {
    const { folder } = store()
    const elsewhere = join(folder, 'data')
    const environment = { XDG_DATA_HOME: elsewhere }
    const wanted = join(elsewhere, 'refold', 'refold.db')
    const before = await call(['list'], { folder, environment })
    expect(before.errors).toBe(
      `refold: There is no store at ${wanted}. Name another with --db, or make one: refold start\n`,
    )
    await call(['quickstart'], { folder, environment })
    const { exit, json } = await call(['list', '--json'], { folder, environment })
    expect([exit, json]).toEqual([
      1,
      {
        error: {
          code: 'store-missing',
          message: `There is no store at ${wanted}. There is one at .refold/refold.db; name it with --db.`,
          file: wanted,
        },
      },
    ])
  })

  test('is made by start, with the folders above it', async () => {
    const { folder } = store()
    const db = join(folder, 'a', 'b', 'refold.db')
    await callsOn(db)(['start'])
    expect(existsSync(db)).toBe(true)
  })

  test('that is none is left alone and named', async () => {
    const { db, refold } = store()
    writeFileSync(db, 'no store '.repeat(600))
    const { error } = await refold(['list'], { exit: 3 })
    expect(['not-a-store', 'store-damaged']).toContain(error.code)
  })

  test('that cannot be made is named, whatever stands in its way', async () => {
    const { folder } = store()
    writeFileSync(join(folder, 'file'), '')
    const { error } = await callsOn(join(folder, 'file', 'refold.db'))(['start'], { exit: 3 })
    expect(error).toMatchObject({ code: 'store-failed', file: join(folder, 'file', 'refold.db') })
    expect((await callsOn(folder)(['list'], { exit: 3 })).error.code).toBe('not-a-store')
  })

  test("shows no namespace another's sessions", async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1', '--title', 'Mine'])
    const other = callsOn(db, { environment: { REFOLD_NAMESPACE: 'bob' } })
    expect((await other(['list', '--all', '--archived'])).total).toBe(0)
    expect((await other(['show', 's1'], { exit: 1 })).error.code).toBe('session-not-found')
    await other(['start', '--id', 's1', '--title', 'Mine'])
    expect((await refold(['--namespace', 'bob', 'list'])).total).toBe(1)
  })

  test('pages its list by cursor without dropping or repeating', async () => {
    const { refold } = store()
    for (let at = 0; at < 7; at += 1) await refold(['start', '--id', `s${at}`])
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: { sessions: { id: string }[]; cursor: string | null; total: number } = await refold([
        'list',
        '--limit',
        '3',
        ...(cursor === null ? [] : ['--cursor', cursor]),
      ])
      expect(page.total).toBe(7)
      ids.push(...page.sessions.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor !== null)
    expect(ids).toHaveLength(7)
    expect(new Set(ids)).toEqual(new Set(['s0', 's1', 's2', 's3', 's4', 's5', 's6']))
  })
})

test('schema prints JSON Schema for every event without a store', async () => {
  const { exit, json } = await call(['schema', '--json'])
  expect(exit).toBe(0)
  expect(json.events.MessageAppended).toMatchObject({ title: 'MessageAppended', type: 'object' })
  expect(Object.keys(json.events)).toContain('Compacted')
})
