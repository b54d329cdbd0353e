import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { searchFileOf, SearchIndex, type Engine, type MessageInput } from '@refold/engine'
import { call as refold } from '../cli/call.ts'
import { hitsOf, placesOf } from '../search/found.ts'
import { scenario } from './scenario.ts'
import {
  appendTurns,
  compact,
  open,
  question,
  rotate,
  start,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const says = (id: string, text: string): MessageInput => ({ id, role: 'user', text })

scenario('B129', 'text summarised away cannot be found any more', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(says('U1', 'the zebra code is 7')))
  await appendTurns(S, 2, 11)
  sure(await compact(S, { keep: 2, summary: 'Ten turns about a zebra, and a code.' }))
  sure(await rotate(S, 'S2'))
  for (const session of [undefined, 'S2'])
    await world.clause('One hit, on U1, with its id and an anchor to read around it', async () => {
      const hits = await hitsOf(world.first, 'zebra', session === undefined ? {} : { session })
      expect(hits.map(({ message, snippet }) => [message, snippet.text])).toEqual([['U1', 'the zebra code is 7']])
      const around = await S.transcript({ limit: 20, cursor: hits[0]?.anchor ?? '' })
      expect(sure(around).entries.map(({ id }) => id)).toEqual(['U1', ...ids(2, 6)])
    })
  await world.clause('the hit is attributed to the conversation (tip)', async () => {
    expect(await hitsOf(world.first, 'zebra')).toMatchObject([{ session: 'S', tip: 'S2' }])
  })
})

const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')

scenario('B130', 'a search inside the session returns the summary again', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(says('U1', 'exact value 4711')))
  await appendTurns(S, 2, 11)
  sure(await compact(S, { keep: 2, summary: 'The exact value is 4711; search for it.' }))
  await world.clause('Returns U1', async () => {
    expect(await placesOf(world.first, '4711', { session: 'S' })).toEqual(['S/U1'])
  })
})

scenario('B132', 'for scripts without spaces 2 of 16 matches are found', async (world) => {
  const S = await start(world.first, 'S')
  const texts = Array.from({ length: 16 }, (_, n) =>
    n < 2 ? `第${n}次 分词 结束` : `第${n}次把文本分词后再看，分开的词不算`,
  )
  sure(await S.append(texts.map((text, n) => says(`m${n}`, text))))
  sure(await S.append(says('other', '分开的词')))
  await world.clause('16 hits (completeness equals a plain substring scan)', async () => {
    const found = await placesOf(world.first, '分词', { limit: 5 })
    expect(found).toEqual(texts.map((_, n) => `S/m${n}`).toSorted())
  })
})

scenario('B134', 'a hyphenated word is read as query syntax', async (world) => {
  const S = await start(world.first, 'S')
  const texts = ['blue-kettle', 'a OR b', 'x"y', 'col:val', '100%_*']
  sure(await S.append(texts.map((text) => says(`m ${text}`, text))))
  await world.clause('Each literal query finds its message', async () => {
    for (const text of texts) {
      expect(await placesOf(world.first, text)).toContain(`S/m ${text}`)
      const told = await refold(['--db', world.file, '--json', 'search', '--', text])
      expect(told).toMatchObject({ exit: 0, json: { hits: [{ session: 'S', message: `m ${text}` }] } })
    }
  })
  await world.clause('odd inputs give an empty result or a typed error, never a crash', async () => {
    for (const odd of ['"', '*', '-', '', '""', '(', 'NEAR(', 'own:', '\u0000', '\ud800', '^', '--']) {
      expect(await placesOf(world.first, odd)).toEqual([])
      const told = await refold(['--db', world.file, '--json', 'search', '--', odd])
      expect(told).toMatchObject({ exit: 0, json: { hits: [], cursor: null } })
    }
  })
})

const large = (n: number): MessageInput => ({
  id: `m${n}`,
  role: n % 2 === 0 ? 'user' : 'assistant',
  text: `unique${n}word ${'filling '.repeat(3_000)}`,
})

/** Where each of the unique words is found. */
const everyWord = async (engine: Engine): Promise<readonly (readonly string[])[]> => {
  const found: (readonly string[])[] = []
  for (let n = 0; n < 50; n += 1) found.push(await placesOf(engine, `unique${n}word`))
  return found
}

scenario('B135', 'index entries of deleted or changed messages stay', async (world) => {
  const [S, T] = [await start(world.first, 'S'), await start(world.first, 'T')]
  sure(await S.append(Array.from({ length: 30 }, (_, n) => large(n))))
  sure(await T.append(Array.from({ length: 20 }, (_, n) => large(30 + n))))
  expect(await placesOf(world.first, 'unique49word')).toEqual(['T/m49'])
  sure(await compact(S, { keep: 2, summary: 'Many words.' }))
  sure(await S.rewind({ to: 'm19' }))
  sure(await world.first.delete(['T']))
  const found = await everyWord(world.first)
  await world.clause('Deleted text: no hits', () => {
    expect(found.slice(30)).toEqual(Array.from({ length: 20 }, () => []))
  })
  await world.clause('Rewound text: hidden from normal search', () => {
    expect(found.slice(20, 30)).toEqual(Array.from({ length: 10 }, () => []))
    expect(found.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => [`S/m${n}`]))
  })
  await world.clause('Results identical before and after rebuild', async () => {
    const search = new SearchIndex({ log: world.first.store, source: world.source, file: searchFileOf(world.file) })
    await search.rebuild()
    await search.close()
    expect(await everyWord(world.first)).toEqual(found)
    const engine = await world.restart()
    rmSync(searchFileOf(world.file))
    expect(await everyWord(engine)).toEqual(found)
  })
})

scenario('B136', 'results are filled with stale copies of the same text', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(says('U1', 'lynx')))
  for (let n = 1; n <= 10; n += 1) {
    await appendTurns(S, 4 * n, 4 * n + 3)
    sure(await compact(S, { keep: 4, summary: `No. ${n}` }))
  }
  sure(await S.branch({ from: 'A5', id: 'F1' }))
  sure(await S.branch({ from: 'A6', id: 'F2' }))
  await world.clause(
    'One hit for the original conversation (branches either grouped with it or clearly marked)',
    async () => {
      const { hits } = sure(await world.first.search('lynx', { limit: 5 }))
      expect(hits).toMatchObject([{ session: 'S', message: 'U1', sessions: ['S', 'F1', 'F2'] }])
    },
  )
  await world.clause('limit counts distinct messages', async () => {
    sure(await (await open(world.first, 'F1')).append([says('X1', 'lynx'), says('X2', 'lynx')]))
    const { hits, cursor } = sure(await world.first.search('lynx', { limit: 2 }))
    expect(hits.map(({ message }) => message)).toEqual(['X2', 'X1'])
    expect(sure(await world.first.search('lynx', { limit: 2, cursor: cursor ?? '' }))).toMatchObject({
      hits: [{ message: 'U1' }],
      cursor: null,
    })
  })
})

scenario('B137', 'a search inside a chat follows only the active branch', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append([{ ...question(1), text: 'an axolotl' }, turn(1)[1] ?? question(9)]))
  const { undoId } = sure(await S.rewind({ to: 'start' }))
  sure(await S.append([{ ...question(2), text: 'an ocelot' }, turn(2)[1] ?? question(9)]))
  const { handle: F } = sure(await S.branch({ from: 'A2', id: 'F' }))
  sure(await F.append(says('U3', 'a margay')))
  await world.clause('Both found, each labelled with its branch', async () => {
    const hits = await hitsOf(world.first, 'ocelot OR margay')
    expect(hits.map(({ message, session, sessions }) => [message, session, sessions])).toEqual([
      ['U3', 'F', ['F']],
      ['U2', 'S', ['S', 'F']],
    ])
    expect(await placesOf(world.first, 'ocelot OR margay', { session: 'F' })).toEqual(['F/U2', 'F/U3'])
  })
  await world.clause('rewound text only on request', async () => {
    expect(await placesOf(world.first, 'axolotl')).toEqual([])
    const alternative = (await transcriptOf(S)).entries.find(({ kind }) => kind === 'alternative')
    expect(alternative?.id).toBe(undoId)
    sure(await S.undo(undoId))
    expect(await placesOf(world.first, 'axolotl')).toEqual(['S/U1'])
  })
})

scenario('B138', 'the picker searches only titles, and only the rows already shown', async (world) => {
  for (let n = 0; n < 60; n += 1) {
    const session = await start(world.first, `S${n}`, { title: `Talk ${n}` })
    sure(await session.append(says('U1', n === 0 ? 'We saw a tapir.' : 'We saw nothing.')))
  }
  expect(sure(await world.first.list({ limit: 10 })).sessions.map(({ id }) => id)).not.toContain('S0')
  await world.clause('Found', async () => {
    const { hits } = sure(await world.first.search('tapir', { limit: 10 }))
    expect(hits).toMatchObject([{ session: 'S0', title: 'Talk 0', message: 'U1' }])
  })
})

scenario('B139', 'nothing says that the search was limited to one surface', async (world) => {
  const S1 = await start(world.first, 'S1', { surface: 'telegram', workspace: '/a' })
  const S2 = await start(world.first, 'S2', { surface: 'cli', workspace: '/b' })
  sure(await S1.append(says('U1', 'a heron')))
  sure(await S2.append(says('U1', 'nothing of the kind')))
  const told = async (...words: readonly string[]) => refold(['--db', world.file, 'search', ...words])
  await world.clause('Found without the filter', async () => {
    expect(await placesOf(world.first, 'heron')).toEqual(['S1/U1'])
    expect(await told('--json', 'heron')).toMatchObject({ json: { hits: [{ session: 'S1' }] } })
    expect((await told('--json', 'heron')).json).not.toHaveProperty('scope')
  })
  await world.clause('with a limiting scope the answer states the scope that was applied', async () => {
    expect(await told('--json', 'heron', '--session', 'S2', '--cwd', '/b')).toMatchObject({
      json: { hits: [], scope: { session: 'S2', cwd: '/b' } },
    })
    expect((await told('heron', '--session', 'S2')).output).toMatch(/Nothing found\.\nLimited to session S2\./u)
  })
})

scenario('B177', 'a damaged search index blocks the storing of messages for five days', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(Array.from({ length: 30 }, (_, n) => says(`m${n}`, `an okapi, no. ${n}`))))
  expect(await placesOf(world.first, 'okapi')).toHaveLength(30)
  const engine = await world.restart()
  for (const side of ['-wal', '-shm']) rmSync(searchFileOf(world.file) + side, { force: true })
  writeFileSync(searchFileOf(world.file), 'This was an index once. '.repeat(2_000))
  await world.clause('health shows the degradation', async () => {
    expect(await engine.doctor()).toMatchObject({ ok: false, counts: { 'search-unreadable': 1 } })
  })
  await world.clause('Appends succeed', async () => {
    sure(await (await open(engine, 'S')).append(turn(1).map((message) => ({ ...message, text: 'an okapi' }))))
    expect(await transcript(await open(engine, 'S'))).toHaveLength(32)
  })
  // The slower path is to make the index anew at once.
  await world.clause("search answers from a slower path or says 'degraded'", async () => {
    expect(await placesOf(engine, 'okapi')).toHaveLength(32)
  })
  await world.clause('after rebuild it is complete', async () => {
    const search = new SearchIndex({ log: engine.store, source: world.source, file: searchFileOf(world.file) })
    await search.rebuild()
    await search.close()
    expect(await placesOf(engine, 'okapi')).toHaveLength(32)
  })
})

/** Rows of the index, and the bytes that were written to it since it was last emptied into its file. */
function written(file: string): { readonly rows: number; readonly walBytes: number } {
  const database = new Database(searchFileOf(file), { readonly: true })
  const rows = Number(database.prepare('SELECT count(*) FROM said').pluck().get())
  database.close()
  return { rows, walBytes: statSync(`${searchFileOf(file)}-wal`, { throwIfNoEntry: false })?.size ?? 0 }
}

scenario('B200', 'compaction rewrites the search index for every row and shutdown hangs', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 0; n < 10; n += 1)
    sure(
      await S.append(
        Array.from({ length: 500 }, (_, m) => ({
          id: `m${n}-${m}`,
          role: m % 2 === 0 ? 'user' : 'assistant',
          text: `message ${n * 500 + m}`,
        })),
      ),
    )
  await world.clause('shutdown within a bound', async () => {
    const engine = await world.engine()
    const searching = expect(engine.search('message')).rejects.toMatchObject({ code: 'store-closed' })
    while (!readdirSync(world.folder).includes('agent.search.db')) await new Promise((resolve) => setTimeout(resolve))
    await engine.close()
    await searching
    expect(written(join(world.folder, 'agent.db')).rows).toBeLessThan(5_000)
  })
  expect(await placesOf(world.first, '4999')).toEqual(['S/m9-499'])
  const emptied = new Database(searchFileOf(world.file))
  emptied.pragma('wal_checkpoint(TRUNCATE)')
  emptied.close()
  sure(await compact(S, { keep: 10, summary: 'Five thousand messages.' }))
  await world.clause('Index writes proportional to new items (summary), not to archived ones', async () => {
    expect(await placesOf(world.first, '"Five thousand"')).toEqual([])
    const after = written(world.file)
    expect(after.rows).toBe(5_000)
    expect(after.walBytes).toBeLessThan(64 * 1024)
  })
})
