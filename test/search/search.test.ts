import { describe, expect, test } from 'vitest'
import { taken, type Engine, type SessionHandle } from '@refold/engine'
import { facadeWorld } from '../support/facade-world.ts'
import { hitsOf, placesOf } from './found.ts'

interface Talk {
  readonly engine: Engine
  readonly session: SessionHandle
}

async function talk(...texts: readonly string[]): Promise<Talk> {
  const { engine } = await facadeWorld()
  const { handle } = taken(await engine.start({ id: 's', title: 'Sensors' }))
  const messages = texts.map((text, n) => ({ id: `m${n}`, role: n % 2 === 0 ? 'user' : 'assistant', text }) as const)
  if (messages.length > 0) taken(await handle.append(messages))
  return { engine, session: handle }
}

const start = async (engine: Engine, id: string): Promise<SessionHandle> => taken(await engine.start({ id })).handle

const day = (n: number): number => Date.UTC(2026, 0, n)

describe('what is found', () => {
  test('words, all of them, whatever their case and accents', async () => {
    const { engine } = await talk('Why does the Sensor fail?', 'The naïve sensor overheats.', 'Fail again')
    expect(await placesOf(engine, 'sensor')).toEqual(['s/m0', 's/m1'])
    expect(await placesOf(engine, 'FAIL sensor')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'NAIVE')).toEqual(['s/m1'])
    expect(await placesOf(engine, 'naïve')).toEqual(['s/m1'])
    expect(await placesOf(engine, 'sens')).toEqual([])
  })

  test('phrases, exclusions, alternatives and beginnings', async () => {
    const { engine } = await talk('red green blue', 'green red', 'blue sky', 'redder')
    expect(await placesOf(engine, '"red green"')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'green -blue')).toEqual(['s/m1'])
    expect(await placesOf(engine, 'sky OR "green red"')).toEqual(['s/m1', 's/m2'])
    expect(await placesOf(engine, 'red*')).toEqual(['s/m0', 's/m1', 's/m3'])
    expect(await placesOf(engine, 'blue -"red green"')).toEqual(['s/m2'])
  })

  test('one character of a script without spaces, and several in a row', async () => {
    const { engine } = await talk(
      '分词器把文本切开',
      '词的分开',
      'トークンを分ける',
      'ภาษาไทยไม่มีช่องว่าง',
      '바이그램은 두 글자',
    )
    expect(await placesOf(engine, '分')).toEqual(['s/m0', 's/m1', 's/m2'])
    expect(await placesOf(engine, '分词')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'トークン')).toEqual(['s/m2'])
    expect(await placesOf(engine, 'ﾄｰｸﾝ')).toEqual(['s/m2'])
    expect(await placesOf(engine, 'ไทย')).toEqual(['s/m3'])
    expect(await placesOf(engine, '바이그램')).toEqual(['s/m4'])
  })

  test('code: paths, identifiers, versions, pictures', async () => {
    const { engine } = await talk(
      'edit /usr/lib/sensor_log.ts now',
      'call readSensor_value(x) in v3.53.2',
      'done 👍🏽 C++ and C#',
    )
    expect(await placesOf(engine, 'sensor_log.ts')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'usr/lib')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'readSensor_value')).toEqual(['s/m1'])
    expect(await placesOf(engine, 'v3.53.2')).toEqual(['s/m1'])
    expect(await placesOf(engine, '👍')).toEqual(['s/m2'])
  })

  test('calls and results of tools, and what a model thought', async () => {
    const { engine, session } = await talk()
    taken(
      await session.append([
        {
          id: 'a',
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'perhaps the capacitor' },
            { type: 'tool-call', id: 'c1', name: 'bash', arguments: { command: 'grep -n "capa\\ncitor" *.log' } },
          ],
        },
        { id: 't', role: 'tool', parts: [{ type: 'tool-result', toolCallId: 'c1', text: 'no resistor found' }] },
      ]),
    )
    expect(await placesOf(engine, 'capacitor')).toEqual(['s/a'])
    expect(await placesOf(engine, 'grep')).toEqual(['s/a'])
    expect(await placesOf(engine, 'resistor')).toEqual(['s/t'])
    expect(await placesOf(engine, 'resistor OR grep', { tool: 'Bash' })).toEqual(['s/a', 's/t'])
    expect(await placesOf(engine, 'resistor', { tool: 'read' })).toEqual([])
  })

  test('a long text to its end, though the log keeps it apart', async () => {
    const { engine, session } = await talk()
    taken(await session.append({ id: 'long', role: 'user', text: `${'padding '.repeat(4_000)}needle` }))
    const [hit] = await hitsOf(engine, 'needle')
    expect(hit?.message).toBe('long')
    expect(hit?.snippet.text).toMatch(/^… padding .*padding needle$/)
  })

  test('notes for people, but neither summaries nor what only the model is told', async () => {
    const { engine, session } = await talk(...['one', 'two', 'three', 'four'].map((word) => `${word} `.repeat(50)))
    taken(await session.note({ note: 'n', kind: 'host', shownTo: 'both', text: 'walnut' }))
    taken(await session.note({ note: 'hidden', kind: 'host', shownTo: 'model', text: 'walnut' }))
    taken(await session.append({ id: 'engine', role: 'user', text: 'walnut', shownTo: 'model' }))
    const { digest, revision } = taken(await session.context())
    taken(await session.compact({ base: revision, watermark: revision, held: digest, summary: 'walnut' }))
    expect((await hitsOf(engine, 'walnut')).map(({ kind, message }) => [kind, message])).toEqual([['note', 'n']])
  })
})

describe('results follow the transcript', () => {
  test('what was rewound is not found until the rewind is undone', async () => {
    const { engine, session } = await talk('alpha', 'beta', 'gamma')
    expect(await placesOf(engine, 'gamma')).toEqual(['s/m2'])
    const { undoId } = taken(await session.rewind({ to: 'm1' }))
    expect(await placesOf(engine, 'gamma')).toEqual([])
    taken(await session.undo(undoId))
    expect(await placesOf(engine, 'gamma')).toEqual(['s/m2'])
  })

  test('an edited message is found by its newest text alone', async () => {
    const { engine, session } = await talk('alpha', 'beta')
    taken(await session.edit('m0', { text: 'omega' }))
    expect(await placesOf(engine, 'alpha')).toEqual([])
    expect(await placesOf(engine, 'omega')).toEqual(['s/m0'])
    expect(await placesOf(engine, 'omega', { role: 'user' })).toEqual(['s/m0'])
    expect(await placesOf(engine, 'omega', { role: 'assistant' })).toEqual([])
  })

  test('an answer that grows is found by what is shown of it', async () => {
    const { engine, session } = await talk('question')
    taken(await session.append({ id: 'a', role: 'assistant', text: 'first draft', partial: 1 }))
    expect(await placesOf(engine, 'draft')).toEqual(['s/a'])
    taken(await session.append({ id: 'a', role: 'assistant', text: 'final word' }))
    expect(await placesOf(engine, 'draft')).toEqual([])
    expect(await placesOf(engine, 'final')).toEqual(['s/a'])
  })

  test('a deleted session is not found, a restored one is', async () => {
    const { engine } = await talk('alpha')
    taken(await engine.delete(['s']))
    expect(await placesOf(engine, 'alpha')).toEqual([])
    taken(await engine.restore('s'))
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
  })

  test('a message of several sessions is one hit that names them, and outlives its origin', async () => {
    const { engine, session } = await talk('alpha', 'beta')
    const { handle: branch } = taken(await session.branch({ from: 'm0', id: 'b' }))
    taken(await session.edit('m0', { text: 'omega' }))
    const { handle: late } = taken(await session.branch({ from: 'm1', id: 'late' }))
    taken(await branch.append({ id: 'own', role: 'user', text: 'alpha of its own' }))
    expect(
      (await hitsOf(engine, 'alpha')).map(({ session, message, sessions }) => [session, message, sessions]),
    ).toEqual([
      ['b', 'm0', ['b']],
      ['b', 'own', ['b']],
    ])
    expect((await hitsOf(engine, 'beta')).map(({ session, sessions }) => [session, sessions])).toEqual([
      ['s', ['s', 'late']],
    ])
    expect(await placesOf(engine, 'beta', { session: 'late' })).toEqual(['late/m1'])
    expect(await placesOf(engine, 'beta', { session: 'b' })).toEqual([])
    taken(await engine.delete(['s']))
    expect((await hitsOf(engine, 'omega')).map(({ session, sessions }) => [session, sessions])).toEqual([
      ['late', ['late']],
    ])
    expect(late.id).toBe('late')
  })

  test('nothing of another namespace is found', async () => {
    const { engine } = await talk('alpha')
    const { openEngine } = await import('@refold/engine')
    const other = await openEngine({ store: engine.store, namespace: 'other' })
    taken(await (await start(other, 's')).append({ id: 'x', role: 'user', text: 'alpha there' }))
    expect(await placesOf(other, 'alpha')).toEqual(['s/x'])
    expect(await placesOf(engine, 'alpha')).toEqual(['s/m0'])
    await other.close()
  })
})

describe('limits', () => {
  test('by workspace, time, archive and role, and what the engine says in a user’s place is no user’s', async () => {
    const { engine, session } = await talk()
    taken(
      await session.append([
        { id: 'old', role: 'user', text: 'pump', at: day(1) },
        { id: 'new', role: 'assistant', text: 'pump', at: day(3) },
        { id: 'notice', role: 'user', text: 'pump', provenance: 'engine', at: day(3) },
      ]),
    )
    const { handle: away } = taken(await engine.start({ id: 'away', workspace: '/away' }))
    taken(await away.append({ id: 'x', role: 'user', text: 'pump', at: day(2) }))
    taken(await away.archive())
    expect(await placesOf(engine, 'pump')).toEqual(['away/x', 's/new', 's/notice', 's/old'])
    expect(await placesOf(engine, 'pump', { role: 'user' })).toEqual(['away/x', 's/old'])
    expect(await placesOf(engine, 'pump', { from: day(2), to: day(3) })).toEqual(['away/x'])
    expect(await placesOf(engine, 'pump', { workspace: '/away' })).toEqual(['away/x'])
    expect(await placesOf(engine, 'pump', { archived: true })).toEqual(['away/x'])
    expect(await placesOf(engine, 'pump', { archived: false, role: 'assistant' })).toEqual(['s/new'])
    expect(await engine.search('pump', { session: 'nobody' })).toMatchObject({ ok: false, code: 'session-not-found' })
  })
})

describe('times', () => {
  test('are those of a message’s first event, also where it was edited or has grown since, in its own session or a branch', async () => {
    const { engine, session } = await talk()
    taken(await session.append({ id: 'e', role: 'user', text: 'first', at: day(1) }))
    taken(await session.edit('e', { text: 'pump edited' }))
    taken(await session.append({ id: 'g', role: 'assistant', text: 'pu', partial: 1, at: day(1) }))
    const { handle: branch } = taken(await session.branch({ from: 'g', id: 'b' }))
    taken(await session.append({ id: 'g', role: 'assistant', text: 'pump grown', at: day(3) }))
    taken(await branch.append({ id: 'g', role: 'assistant', text: 'pump grown elsewhere', at: day(4) }))
    taken(await session.append({ id: 'late', role: 'user', text: 'pump', at: day(3) }))
    const early = await placesOf(engine, 'pump', { to: day(2) })
    expect(early).toContain('s/e')
    expect(early).toContain('s/g')
    for (const place of early) expect(['b/e', 'b/g', 's/e', 's/g']).toContain(place)
    expect(await placesOf(engine, 'pump', { from: day(2) })).toEqual(['s/late'])
  })
})

describe('pages', () => {
  test('go on where the last one ended, newest first, whatever was written meanwhile', async () => {
    const { engine, session } = await talk(...Array.from({ length: 7 }, (_, n) => `pump ${n}`))
    const first = taken(await engine.search('pump', { limit: 3 }))
    expect(first.hits.map(({ message }) => message)).toEqual(['m6', 'm5', 'm4'])
    taken(await session.append({ id: 'later', role: 'user', text: 'pump pump' }))
    const second = taken(await engine.search('pump', { limit: 3, cursor: first.cursor ?? '' }))
    expect(second.hits.map(({ message }) => message)).toEqual(['m3', 'm2', 'm1'])
    const third = taken(await engine.search('pump', { limit: 3, cursor: second.cursor ?? '' }))
    expect([third.hits.map(({ message }) => message), third.cursor]).toEqual([['m0'], null])
    expect(await engine.search('pump', { cursor: 'x' })).toMatchObject({ ok: false, code: 'bad-cursor' })
  })

  test('few hits come best first, one’s own words before a tool’s', async () => {
    const { engine, session } = await talk(`pump ${'and more '.repeat(100)}`, 'pump')
    taken(await session.append({ id: 't', role: 'tool', toolCallId: 'c', text: 'pump' }))
    const hits = await hitsOf(engine, 'pump')
    expect(hits.map(({ message }) => message)).toEqual(['m1', 'm0', 't'])
    expect(hits.every(({ score }) => score > 0 && score < 1)).toBe(true)
  })

  test('a hit’s anchor opens the transcript around it', async () => {
    const { engine, session } = await talk(...Array.from({ length: 40 }, (_, n) => (n === 5 ? 'needle' : `hay ${n}`)))
    const [hit] = await hitsOf(engine, 'needle')
    const page = taken(await session.transcript({ limit: 20, cursor: hit?.anchor ?? '' }))
    expect(page.entries.map(({ id }) => id)).toContain('m5')
    expect(page.entries.map(({ id }) => id)).toContain('m12')
  })
})
