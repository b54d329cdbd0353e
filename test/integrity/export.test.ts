import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore, sessionStream } from '@refold/engine'
import { call, callsOn, store } from '../cli/call.ts'

const said = (...ids: readonly string[]): { readonly input: string } => ({
  input: ids.map((id) => `${JSON.stringify({ id, role: 'user', text: `words of ${id}` })}\n`).join(''),
})

/** Two stores in one folder; the first with session `s` and its branch `b`. */
async function two() {
  const { folder, db, refold } = store()
  await refold(['start', '--id', 's', '--title', 'plan'])
  await refold(['append', 's'], said('m1', 'm2'))
  await refold(['branch', 's', '--from', 'm1', '--id', 'b'])
  await refold(['append', 'b'], said('m3'))
  await refold(['append', 's'], said('m4'))
  return { folder, db, refold, other: callsOn(join(folder, 'other.db'), { folder }) }
}

describe('export', () => {
  test('an import gives the same answers and the same file again', async () => {
    const { folder, refold, other } = await two()
    await refold(['export', '--all', '--out', 'a.jsonl'])
    expect(await other(['import', 'a.jsonl'])).toEqual({
      sources: [
        { path: 'a.jsonl', format: 'refold', sessions: 2, events: 8, messages: 4, alreadyThere: 0, warnings: [] },
      ],
    })
    for (const words of [
      ['list', '--all'],
      ['show', 's'],
      ['show', 'b'],
      ['context', 'b'],
      ['lineage', 's'],
      ['usage'],
    ])
      expect(await other(words)).toEqual(await refold(words))
    await other(['export', '--all', '--out', 'b.jsonl'])
    expect(readFileSync(join(folder, 'b.jsonl'), 'utf8')).toBe(readFileSync(join(folder, 'a.jsonl'), 'utf8'))
    expect(await other(['verify'])).toMatchObject({ ok: true })
  })

  test('a branch brings what it is shown from, through where it began, and nothing of other sessions', async () => {
    const { refold, other, folder } = await two()
    await refold(['start', '--id', 'stranger'])
    await refold(['export', 'b', '--out', 'b.jsonl'])
    const text = readFileSync(join(folder, 'b.jsonl'), 'utf8')
    expect(text).not.toMatch(/stranger|words of m4/)
    await other(['import', 'b.jsonl'])
    expect(await other(['show', 'b'])).toEqual(await refold(['show', 'b']))
    await other(['export', 'b', '--out', 'again.jsonl'])
    expect(readFileSync(join(folder, 'again.jsonl'), 'utf8')).toBe(text)
    // What came as a beginning goes on when its session comes whole.
    await refold(['export', 's', '--out', 's.jsonl'])
    expect((await other(['import', 's.jsonl'])).sources[0]).toMatchObject({ events: 1, alreadyThere: 4 })
    expect(await other(['show', 's'])).toEqual(await refold(['show', 's']))
  })

  test('any id that a session ever had exports it whole', async () => {
    const { db, refold } = await two()
    await refold(['rotate', 's', '--segment', 's2'])
    const { output } = await call(['--db', db, 'export', 's'])
    for (const name of ['s2', 'plan']) expect((await call(['--db', db, 'export', name])).output).toBe(output)
  })

  test('importing again adds nothing, an older file takes nothing back, a newer one goes on', async () => {
    const { refold, other } = await two()
    await refold(['export', 's', '--out', 'old.jsonl'])
    await refold(['append', 's'], said('m5'))
    await refold(['export', 's', '--out', 'new.jsonl'])
    expect((await refold(['import', 'old.jsonl'])).sources[0]).toMatchObject({ events: 0, alreadyThere: 5 })
    await other(['import', 'old.jsonl'])
    expect((await other(['import', 'new.jsonl'])).sources[0]).toMatchObject({ events: 1, alreadyThere: 5 })
    expect((await other(['import', 'old.jsonl'])).sources[0]).toMatchObject({ events: 0, alreadyThere: 5 })
    expect(await other(['show', 's'])).toEqual(await refold(['show', 's']))
  })

  test('an imported session goes on: known messages are known, its names are held', async () => {
    const { refold, other } = await two()
    await refold(['export', '--all', '--out', 'a.jsonl'])
    await other(['import', 'a.jsonl'])
    expect(await other(['append', 's'], said('m1', 'm9'))).toMatchObject({ appended: 1, alreadyThere: 1 })
    expect(await other(['start', '--title', 'plan'], { exit: 1 })).toMatchObject({ error: { code: 'title-taken' } })
    expect(await other(['start', '--id', 'b'], { exit: 1 })).toMatchObject({ error: { code: 'id-taken' } })
  })

  test('what went another way is refused alone, and left out among others', async () => {
    const { refold, other } = await two()
    await refold(['export', 's', '--out', 's.jsonl'])
    await refold(['export', '--all', '--out', 'a.jsonl'])
    await other(['start', '--id', 's'])
    expect(await other(['import', 's.jsonl'], { exit: 1 })).toMatchObject({ error: { code: 'diverged', session: 's' } })
    expect(await other(['import', 'a.jsonl'], { exit: 1 })).toMatchObject({ error: { code: 'diverged' } })
    await refold(['start', '--id', 'free'])
    await refold(['export', '--all', '--out', 'c.jsonl'])
    expect((await other(['import', 'c.jsonl'])).sources[0].warnings).toEqual([
      { code: 'diverged', where: 's', kept: null },
      { code: 'diverged', where: 'b', kept: null },
    ])
    expect((await other(['list'])).sessions.map(({ id }: { id: string }) => id).toSorted()).toEqual(['free', 's'])
  })

  test('a title that another session holds shows with the next free number', async () => {
    const { refold, other } = await two()
    await other(['start', '--id', 'mine', '--title', 'plan'])
    await refold(['export', 's', '--out', 's.jsonl'])
    expect((await other(['import', 's.jsonl'])).sources[0].warnings).toEqual([
      { code: 'title-numbered', where: 's', kept: 'plan' },
    ])
    const { sessions } = await other(['list'])
    expect(Object.fromEntries(sessions.map(({ id, title }: { id: string; title: string }) => [id, title]))).toEqual({
      mine: 'plan',
      s: 'plan #2',
    })
  })

  test('deleted stays deleted', async () => {
    const { refold, other } = await two()
    await refold(['export', 's', '--out', 's.jsonl'])
    await other(['import', 's.jsonl'])
    await other(['delete', 's'])
    expect((await other(['import', 's.jsonl'])).sources[0]).toMatchObject({ events: 0 })
    expect(await other(['show', 's'], { exit: 1 })).toMatchObject({ error: { code: 'session-deleted' } })
  })

  test('what was purged there after it was copied is purged here, too; what was purged here stays so', async () => {
    const { folder, db, refold, other } = await two()
    await refold(['export', 's', '--out', 'old.jsonl'])
    await other(['import', 'old.jsonl'])
    const stream = sessionStream({ namespace: 'default', session: 's' })
    const opened = await openSqliteStore({ file: db })
    const [event] = await opened.readRaw(stream, { from: 2, limit: 1 })
    const data = { purgeId: 'p', eventIds: [event?.id], kept: [] }
    await opened.transact((log) => {
      log.erase({ stream, revision: 2 }, null)
      const said = { type: 'PurgeStarted', version: 1, payload: JSON.stringify(data), recordedAt: 1 } as const
      const purge = { ...said, id: 'ab'.repeat(16), actor: { kind: 'person', id: 'ada' } } as const
      log.append({ streams: [{ stream, expected: 'exists', events: [purge] }] })
    })
    await opened.close()
    await refold(['export', 's', '--out', 'new.jsonl'])
    expect(readFileSync(join(folder, 'new.jsonl'), 'utf8')).not.toContain('words of m1')
    await other(['import', 'new.jsonl'])
    const file = new Database(join(folder, 'other.db'), { readonly: true })
    expect(file.prepare("SELECT count(*) FROM events WHERE payload LIKE '%words of m1%'").pluck().get()).toBe(0)
    file.close()
    await other(['import', 'old.jsonl'])
    expect(await other(['verify'])).toMatchObject({ ok: true })
    await other(['export', 's', '--out', 'again.jsonl'])
    expect(readFileSync(join(folder, 'again.jsonl'), 'utf8')).toBe(readFileSync(join(folder, 'new.jsonl'), 'utf8'))
  })

  test('every changed, lost or cut line is named, by verify and by import, and nothing is written', async () => {
    const { folder, refold, other } = await two()
    await refold(['append', 's'], {
      input: `${JSON.stringify({ id: 'big', role: 'user', text: 'x'.repeat(20_000) })}\n`,
    })
    await refold(['export', 's', '--out', 'good.jsonl'])
    const good = readFileSync(join(folder, 'good.jsonl'), 'utf8')
    const lines = good.split('\n')
    const broken: readonly (readonly [string, number, string])[] = [
      [good.replace('words of m2', 'words of mX'), 6, 'changed'],
      [[...lines.slice(0, 4), ...lines.slice(5)].join('\n'), 5, 'gap'],
      [lines.filter((line) => !line.startsWith('{"blob"')).join('\n'), 8, 'blob-missing'],
      [good.replace('"base64":"eHh4', '"base64":"eHh5'), 8, 'blob-changed'],
      [lines.slice(0, 5).join('\n'), 6, 'truncated'],
      [good.slice(0, -40), 10, 'malformed'],
      [good.replace('"events":6', '"events":7'), 10, 'other-count'],
      [`${good}{}\n`, 11, 'malformed'],
      [good.replace('"version":1', '"version":2'), 1, 'newer'],
      [[...lines.slice(0, 3), '\u0000garbage', ...lines.slice(3)].join('\n'), 4, 'malformed'],
    ]
    for (const [text, line, problem] of broken) {
      expect(text).not.toBe(good)
      writeFileSync(join(folder, 'bad.jsonl'), text)
      expect(await refold(['verify', 'bad.jsonl'], { exit: 3 })).toMatchObject({
        ok: false,
        firstBreak: { line, problem },
      })
      expect(await other(['import', 'bad.jsonl'], { exit: 1 })).toMatchObject({
        error: { code: 'bundle-broken', line, problem },
      })
    }
    expect((await other(['list', '--all'])).total).toBe(0)
  })

  test('no flipped bit of a file passes', async () => {
    const { folder, refold, db } = await two()
    await refold(['export', 's', '--out', 'good.jsonl'])
    const good = readFileSync(join(folder, 'good.jsonl'))
    for (let n = 0; n < 150; n += 1) {
      const flipped = Buffer.from(good)
      const at = (n * 7_919) % good.length
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (n % 8)), at)
      writeFileSync(join(folder, 'bad.jsonl'), flipped)
      const { exit } = await call(['--db', db, '--json', 'verify', 'bad.jsonl'], { folder })
      expect([at, exit]).toEqual([at, 3])
    }
  })

  test('another namespace is refused, with what to say', async () => {
    const { refold, other } = await two()
    await refold(['export', 's', '--out', 's.jsonl'])
    expect(await other(['--namespace', 'team', 'import', 's.jsonl'], { exit: 1 })).toMatchObject({
      error: { code: 'other-namespace', namespace: 'default' },
    })
  })

  test('a file appears when it is whole, is its owner’s, and replaces another only when told', async () => {
    const { folder, refold } = await two()
    expect(await refold(['export', 's', '--out', 'a.jsonl'])).toMatchObject({
      file: join(folder, 'a.jsonl'),
      format: 'jsonl',
      bytes: statSync(join(folder, 'a.jsonl')).size,
    })
    expect(statSync(join(folder, 'a.jsonl')).mode & 0o777).toBe(0o600)
    expect(await refold(['export', 'b', '--out', 'a.jsonl'], { exit: 1 })).toMatchObject({
      error: { code: 'file-exists' },
    })
    await refold(['export', 'b', '--out', 'a.jsonl', '--force'])
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toContain('words of m3')
    expect(await refold(['export', 'nobody', '--out', 'n.jsonl'], { exit: 1 })).toMatchObject({
      error: { code: 'session-not-found' },
    })
    expect(existsSync(join(folder, 'n.jsonl'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })

  test('a damaged store is not exported as if it were whole', async () => {
    const { folder, db, refold } = await two()
    const file = new Database(db)
    file.exec("UPDATE events SET payload = replace(payload, 'words of m2', 'words of mX')")
    file.close()
    expect(await refold(['export', 's', '--out', 'a.jsonl'], { exit: 3 })).toMatchObject({
      error: { code: 'store-damaged' },
    })
    expect(readdirSync(folder).filter((name) => name.includes('jsonl'))).toEqual([])
  })

  test('as Markdown and as JSON it is the whole transcript, however long', async () => {
    const { db, refold } = await two()
    const ids = Array.from({ length: 450 }, (_, n) => `n${n}`)
    await refold(['append', 's'], said(...ids))
    const { output } = await call(['--db', db, 'export', 's', '--format', 'json'])
    expect(JSON.parse(output)).toEqual(await refold(['show', 's', '--limit', '1000']))
    const markdown = (await call(['--db', db, 'export', 's', '--format', 'md'])).output
    expect(markdown).toBe((await call(['--db', db, 'show', 's', '--limit', '1000', '--markdown'])).output)
  })
})
