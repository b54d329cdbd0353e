import { copyFileSync, linkSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { RefoldError } from '@refold/events'
import { backUpStore, openEngine, openSqliteStore, systemSource, verifyStore, viewsFileOf } from '@refold/engine'
import { call as refold } from '../cli/call.ts'
import { placesOf } from '../search/found.ts'
import { exported, linesIn, moved } from './exported.ts'
import { scenario } from './scenario.ts'
import { watchedEngine } from './watched-engine.ts'
import {
  answer,
  appendTurns,
  call,
  context,
  contextOf,
  listed,
  open,
  question,
  result,
  rowOf,
  rows,
  start,
  stored,
  storedMessages,
  sure,
  transcript,
  transcriptOf,
  turnsFrom,
} from './words.ts'

const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')

/*
 * What is cut off was never acknowledged as on disk, so nobody is owed it; somebody who knows of it is told by the revision.
 */
scenario('B166', 'after a power cut the whole conversation opens blank', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 49)
  sure(await S.append(question(50)))
  const wal = `${world.file}-wal`
  const before = statSync(wal).size
  const last = sure(await S.append(answer(50)))
  const after = statSync(wal).size
  expect(after).toBeGreaterThan(before)
  const step = Math.ceil((after - before) / 12)
  for (let size = before; size < after; size += step) {
    const file = join(world.folder, `cut-${size}.db`)
    copyFileSync(world.file, file)
    copyFileSync(wal, `${file}-wal`)
    truncateSync(`${file}-wal`, size)
    const engine = await world.engine({ file })
    const cut = await open(engine, 'S')
    await world.clause('All complete messages shown', async () => {
      expect(await transcript(cut)).toEqual([...ids(1, 49), 'U50'])
    })
    await world.clause('the torn tail is dropped and reported', async () => {
      expect(await cut.append(question(51), { expect: last.revision })).toMatchObject({
        ok: false,
        code: 'moved-on',
        expected: last.revision,
        actual: last.revision - 1,
      })
    })
    await world.clause('append works and the log is valid afterwards', async () => {
      sure(await cut.append(question(51)))
      expect((await stored(cut)).map(({ revision }) => revision)).toEqual(Array.from({ length: 101 }, (_, n) => n))
      await engine.close()
      const database = new Database(file, { readonly: true })
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
      database.close()
    })
  }
})

scenario('B173', 'the store file is replaced while processes still hold the old one', async (world) => {
  const older = join(world.folder, 'older.db')
  await start(world.first, 'S')
  await world.restart()
  await world.first.close()
  copyFileSync(world.file, older)
  const copy = readFileSync(older)
  const [W1, W2] = [await world.restart(), await world.engine()]
  const [one, two] = [await open(W1, 'S'), await open(W2, 'S')]
  sure(await one.append(question(1)))
  const vanished = join(world.folder, 'vanished.db')
  linkSync(world.file, vanished)
  linkSync(`${world.file}-wal`, `${vanished}-wal`)
  const left = [readFileSync(vanished), readFileSync(`${vanished}-wal`)]
  renameSync(older, world.file)
  // Whoever restores a SQLite file takes its side files away: SQLite would apply the old ones to the new file, unasked.
  for (const side of ['-wal', '-shm']) rmSync(`${world.file}${side}`)
  await world.clause("Both appends fail with 'store was replaced' (generation check)", async () => {
    await expect(one.append(question(2))).rejects.toMatchObject({ code: 'store-replaced' })
    await expect(two.append(question(3))).rejects.toMatchObject({ code: 'store-replaced' })
  })
  await world.clause('nothing is written to the vanished file', () => {
    expect(readFileSync(vanished).equals(left[0] ?? Buffer.of())).toBe(true)
    expect(readFileSync(`${vanished}-wal`).equals(left[1] ?? Buffer.of())).toBe(true)
  })
  await world.clause('after reopening the state equals the copy', async () => {
    expect(readFileSync(world.file).equals(copy)).toBe(true)
    await W2.close()
    const engine = await world.restart()
    expect(await transcript(await open(engine, 'S'))).toEqual([])
    expect(await rowOf(engine, 'S')).toMatchObject({ messages: 0, status: 'empty' })
  })
})

scenario('B173', "a copy is put beside the old file's side log", async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 2)
  const backup = join(world.folder, 'backup.db')
  await backUpStore(world.file, backup)
  const before = await transcript(S)
  await appendTurns(S, 3, 9)
  const place = join(world.folder, 'restored.db')
  copyFileSync(backup, place)
  copyFileSync(`${world.file}-wal`, `${place}-wal`)
  await world.clause('after reopening the state equals the copy', async () => {
    const restored = await openEngine({ file: place })
    const again = await open(restored, 'S')
    expect(await transcript(again)).toEqual(before)
    sure(await again.append(question(10)))
    expect(await verifyStore(restored.store, systemSource.sha256)).toMatchObject({ ok: true })
    await restored.close()
    expect(statSync(`${place}-wal.foreign`).size, 'what was beside it is kept').toBe(statSync(`${world.file}-wal`).size)
  })
})

/* The errors are those that the SQLite store makes of a really full disk, a held lock and a read-only file in its own tests. */
scenario('B174', 'with a full disk the message disappears without a word', async (world) => {
  const disk = await watchedEngine(world)
  const S = await start(disk.engine, 'S')
  sure(await S.append(question(1)))
  const { file } = world
  const failures = [
    new RefoldError('store-full', { file }),
    new RefoldError('store-busy', { file, waitedMs: 5_000 }),
    new RefoldError('store-readonly', { file }),
  ]
  for (const failure of failures) {
    disk.failingWrites.push(failure)
    await world.clause('Each append fails with its own cause and is not shown as sent', async () => {
      await expect(S.append(question(2))).rejects.toBe(failure)
      expect(await transcript(S)).toEqual(['U1'])
      expect(await context(S)).toEqual(['U1'])
    })
  }
  await world.clause('U3 works', async () => {
    expect(sure(await S.append(question(3)))).toMatchObject({ appended: 1, unread: 0 })
  })
  await world.clause('no gap and no half record', async () => {
    const events = await stored(await open(await world.restart(), 'S'))
    expect(events.map(({ revision, type }) => [revision, type])).toEqual([
      [0, 'SessionStarted'],
      [1, 'MessageAppended'],
      [2, 'MessageAppended'],
    ])
  })
  await disk.close()
})

scenario(
  'B175',
  'creating the session fails on a lock, is only logged, and every later message is skipped',
  async (world) => {
    const disk = await watchedEngine(world)
    disk.failingWrites.push(new RefoldError('store-busy', { file: world.file, waitedMs: 5_000 }))
    await expect(disk.engine.start({ id: 'S', key: 'k' })).rejects.toMatchObject({ code: 'store-busy' })
    await world.clause('never accepted without being stored', async () => {
      expect(await disk.engine.session('S')).toMatchObject({ ok: false, code: 'session-not-found' })
      const line = JSON.stringify(question(1))
      const appended = await refold(['--db', world.file, '--json', 'append', 'S'], { input: line })
      expect(appended).toMatchObject({ exit: 1, json: { error: { code: 'session-not-found' } } })
      expect((await disk.store.logHead()).position).toBe(0)
    })
    await world.clause('Creation retried or append refused', async () => {
      const S = sure(await disk.engine.start({ id: 'S', key: 'k' })).handle
      sure(await S.append(question(1)))
      expect(await transcript(await open(await world.restart(), 'S'))).toEqual(['U1'])
    })
    await disk.close()
  },
)

scenario(
  'B176',
  'half of a surrogate pair makes every later save fail or every later request invalid',
  async (world) => {
    const S = await start(world.first, 'S')
    const odd = `half \ud83d, nothing \0, and ${'x'.repeat(79)}😀`
    sure(await S.append([question(1), call(1), { ...result(1), text: odd }]))
    sure(await S.append({ id: 'E', role: 'user', text: `${'y'.repeat(79)}😀 \udc00` }))
    sure(await S.append([question(2), answer(2)]))
    const engine = await world.restart()
    const resumed = await open(engine, 'S')
    await world.clause('All later messages stored', async () => {
      expect(await transcript(resumed)).toEqual(['U1', 'T1', 'R1', 'E', 'U2', 'A2'])
      expect(await context(resumed)).toEqual(['U1', 'T1', 'R1', 'E', 'U2', 'A2'])
    })
    await world.clause('output is valid Unicode/JSON everywhere', async () => {
      expect(await placesOf(engine, '"Question 2"')).toEqual(['S/U2'])
      expect(await placesOf(engine, 'half nothing and')).toEqual(['S/R1'])
      const halves = /\\u(d[89a-f])/iu
      expect(JSON.stringify(await contextOf(resumed))).not.toMatch(halves)
      expect(JSON.stringify(await transcriptOf(resumed))).not.toMatch(halves)
      expect(JSON.stringify(await rows(engine))).not.toMatch(halves)
      for (const words of [['show', 'S'], ['context', 'S'], ['list']]) {
        const told = await refold(['--db', world.file, '--json', ...words])
        expect(told.output).not.toMatch(halves)
        expect(told.output.isWellFormed()).toBe(true)
        expect((await refold(['--db', world.file, ...words])).output.isWellFormed()).toBe(true)
      }
    })
    await world.clause('shortening never splits a character', async () => {
      const T = await start(engine, 'T')
      sure(await T.append({ role: 'user', text: `${'y'.repeat(79)}😀 and so on` }))
      expect((await rowOf(engine, 'T'))?.preview).toBe('y'.repeat(79))
    })
    await world.clause('a defined replacement is used and recorded', async () => {
      const { messages } = await contextOf(resumed)
      expect(JSON.stringify(messages)).toContain('half \ufffd, nothing \\u0000, and ')
      // The log keeps what arrived, so that the same message sent again is known as the same.
      expect(sure(await resumed.append({ ...result(1), text: odd }))).toMatchObject({ appended: 0, alreadyThere: 1 })
      expect(JSON.stringify((await stored(resumed))[3])).toContain('half \\ud83d, nothing \\u0000')
    })
  },
)

scenario('B176', 'a half character or a zero byte spoils an export', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append({ role: 'user', id: 'U1', text: 'half \ud83d, nothing \u0000, \u2028 and so on' }))
  await world.clause('output is valid Unicode/JSON everywhere', async () => {
    const text = await exported(world, 'S')
    expect(text.isWellFormed()).toBe(true)
    expect(linesIn(text)).toHaveLength(5)
    const other = join(world.folder, 'other.db')
    await moved(world, ['S'], other)
    const again = await refold(['--db', other, 'export', 'S'])
    expect(again.output).toBe(text)
    for (const format of ['md', 'json'])
      expect((await refold(['--db', other, 'export', 'S', '--format', format])).output.isWellFormed()).toBe(true)
  })
})

scenario('B184', 'after a kill the projector refuses for ever and the visible history freezes', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 19)
  expect(await transcript(S)).toHaveLength(38)
  // Turn 20 is in the log, and no view has heard of it when the process goes away.
  const killed = await openSqliteStore({ file: world.file, source: world.source, durability: 'system' })
  const writer = await openEngine({ store: killed, source: world.source })
  await appendTurns(await open(writer, 'S'), 20, 20)
  await writer.close()
  await killed.close()
  await appendTurns(await open(await world.restart(), 'S'), 21, 25)
  const views = viewsFileOf(world.file)
  const cursors = ['position', 'position + 1', 'position - 1', '0', '9000000', 'position']
  for (const cursor of cursors) {
    await world.first.close()
    const database = new Database(views)
    database.exec(`UPDATE checkpoint SET position = ${cursor}`)
    database.close()
    const resumed = await open(await world.restart(), 'S')
    await world.clause(
      '25 turns each time: projection cursor problems lead to re-projection from a good point, never to a silent stop',
      async () => {
        expect(await transcript(resumed)).toEqual(ids(1, 25))
        expect(await context(resumed)).toEqual(ids(1, 25))
        expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 50 })
      },
    )
  }
  await world.clause('recovery never reuses a number', async () => {
    const all = await stored(await open(world.first, 'S'))
    expect(all.map(({ revision }) => revision)).toEqual(Array.from({ length: 51 }, (_, n) => n))
    expect(new Set(all.map(({ position }) => position)).size).toBe(51)
  })
})

scenario(
  'B186',
  'tool calls finished before a crash are lost because saving waits for the final answer',
  async (world) => {
    const S = await start(world.first, 'S')
    const { turn } = sure(await S.startTurn())
    for (const message of [question(1), call(1), result(1), call(2), result(2)]) sure(await S.append(message, { turn }))
    await world.clause('U1, T1, T2 present', async () => {
      const resumed = await open(await world.restart(), 'S')
      expect(await context(resumed)).toEqual(['U1', 'T1', 'R1', 'T2', 'R2'])
      expect(await transcript(resumed)).toEqual(['U1', 'T1', 'R1', 'T2', 'R2'])
    })
  },
)

scenario('B187', 'text the user had already seen is discarded on stop', async (world) => {
  const S = await start(world.first, 'S')
  const { turn } = sure(await S.startTurn({ leaseMs: 60_000 }))
  sure(await S.append(question(1), { turn }))
  let text = ''
  for (const partial of [1, 2, 3]) {
    text += `p${partial} `
    sure(await S.append({ id: 'A1', role: 'assistant', text, partial }, { turn }))
  }
  const resumed = await open(await world.restart(), 'S')
  world.source.advance(60_000)
  await world.clause("A1 exists under its id with p1..p3 and state 'interrupted'", async () => {
    const { entries } = await transcriptOf(resumed)
    expect(entries.at(-1)).toMatchObject({ id: 'A1', state: 'partial', parts: [{ type: 'text', text: 'p1 p2 p3 ' }] })
    expect(await rowOf(world.first, 'S')).toMatchObject({ status: 'interrupted' })
  })
  sure(await resumed.append(question(2)))
  expect(await context(resumed)).toEqual(['U1', 'A1', 'U2'])
  await world.clause('when the final text arrives under the same id it replaces, not duplicates', async () => {
    sure(await resumed.append({ id: 'A1', role: 'assistant', text: 'p1 p2 p3 p4 p5' }))
    const { entries } = await transcriptOf(resumed)
    expect(entries.filter(({ kind }) => kind === 'message').map(({ id }) => id)).toEqual(['U1', 'A1', 'U2'])
    expect(entries[1]).toMatchObject({ state: 'complete', parts: [{ text: 'p1 p2 p3 p4 p5' }] })
    expect(await context(resumed)).toEqual(['U1', 'A1', 'U2'])
  })
})

scenario('B190', 'the first write fails and the log has no beginning', async (world) => {
  for (const failing of [1, 2, 5]) {
    const disk = await watchedEngine(world)
    disk.failingWrites.push(
      ...Array.from({ length: failing - 1 }, () => null),
      new RefoldError('store-failed', { file: world.file, problem: 'input/output error' }),
    )
    const id = `S${failing}`
    const steps: readonly (() => Promise<object>)[] = [
      () => disk.engine.start({ id }),
      ...[question(1), answer(1), question(2), answer(2)].map(
        (message) => async () => (await open(disk.engine, id)).append(message),
      ),
    ]
    const refused: number[] = []
    for (const [index, step] of steps.entries())
      await step().catch((problem: unknown) => {
        refused.push(index + 1)
        if (failing === 1 && index > 0) expect(String(problem)).toContain('session-not-found')
        else expect(problem).toMatchObject({ code: 'store-failed' })
      })
    await disk.close()
    await world.clause('Either the append was refused, or the missing part is written before anything later', () => {
      // Without its beginning a session takes nothing; later failures cost that message, and its caller knows.
      expect(refused).toEqual(failing === 1 ? [1, 2, 3, 4, 5] : [failing])
    })
    await world.clause('a loaded log always starts with its beginning and has no hole', async () => {
      const engine = await world.restart()
      if (failing === 1) {
        expect(await listed(engine)).not.toContain(id)
        return
      }
      const S = await open(engine, id)
      const wanted = ['U1', 'A1', 'U2', 'A2'].filter((_, index) => index + 2 !== failing)
      expect(await storedMessages(S)).toEqual(wanted)
      const events = await stored(S)
      expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3])
      expect(events[0]?.type).toBe('SessionStarted')
    })
  }
})
