import { type HermesConversation, openHermes } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import {
  archived,
  assistant,
  calling,
  type Fields,
  live,
  makeStore,
  now,
  readAll,
  result,
  start,
  summary,
  textsOf,
  user,
} from './hermes/made-store.ts'

const session = (id: string, more: Fields = {}): Fields => ({
  id,
  source: 'cli',
  started_at: start,
  ended_at: null,
  end_reason: null,
  parent_session_id: null,
  model_config: null,
  session_key: null,
  title: null,
  ...more,
})

const marked = (mark: string, id: string): Fields => ({ model_config: JSON.stringify({ [mark]: id }) })

const of = (id: string, row: Fields): Fields => ({ session_id: id, ...row })

function read(
  sessions: readonly Fields[],
  messages: readonly Fields[] = [],
  schemaVersion = 23,
): ReadonlyMap<string, HermesConversation> {
  return new Map(readAll(makeStore({ sessions, messages, schemaVersion })).map((found) => [found.rootId, found]))
}

function edgesOf(sessions: readonly Fields[]): unknown {
  const reader = openHermes(makeStore({ sessions, messages: [] }), { now })
  const { edges, warnings } = reader.survey
  reader.close()
  return {
    edges: edges.map(({ child, kind, parent }) => `${child} ${kind} ${parent}`),
    warnings: warnings.map(({ code }) => code),
  }
}

describe('circles', () => {
  test('of three helpers are cut at the one that started first', () => {
    expect(
      edgesOf([
        session('b', { source: 'subagent', started_at: start + 2, ...marked('_delegate_from', 'a') }),
        session('a', { source: 'subagent', started_at: start + 1, ...marked('_delegate_from', 'c') }),
        session('c', { source: 'subagent', started_at: start + 3, ...marked('_delegate_from', 'b') }),
      ]),
    ).toEqual({ edges: ['b delegate a', 'c delegate b'], warnings: ['circle-cut'] })
  })

  test('are cut at a person, however late', () => {
    expect(
      edgesOf([
        session('helper', { source: 'subagent', started_at: start, parent_session_id: 'person' }),
        session('person', {
          started_at: start + 9,
          parent_session_id: 'helper',
          ...marked('_delegate_from', 'helper'),
        }),
      ]),
    ).toEqual({ edges: ['helper delegate person'], warnings: ['circle-cut'] })
  })

  test('of continuations end, too', () => {
    const closed = { ended_at: start + 5, end_reason: 'compression' }
    const found = read([
      session('a', { parent_session_id: 'b', ...closed }),
      session('b', { parent_session_id: 'a', started_at: start + 1, ...closed }),
    ])
    expect([...found.values()].map(({ segments }) => segments.map(({ id }) => id))).toEqual([['a', 'b']])
  })

  test('of one are no edge', () => {
    expect(edgesOf([session('a', { parent_session_id: 'a', ...marked('_delegate_from', 'a') })])).toEqual({
      edges: [],
      warnings: [],
    })
  })
})

describe('the kind of an edge', () => {
  const closed = { ended_at: start + 100, end_reason: 'compression' }

  test('is a continuation although it inherited the marks of its parent', () => {
    expect(
      edgesOf([
        session('origin'),
        session('branch', { parent_session_id: 'origin', ...marked('_branched_from', 'origin'), ...closed }),
        session('tip', { parent_session_id: 'branch', ...marked('_branched_from', 'origin') }),
      ]),
    ).toEqual({ edges: ['branch branch origin', 'tip continuation branch'], warnings: [] })
  })

  test('is told without a clock: a child older than the end of its parent continues it', () => {
    expect(
      edgesOf([session('a', closed), session('b', { parent_session_id: 'a', started_at: start - 7200 })]),
    ).toMatchObject({
      edges: ['b continuation a'],
    })
  })

  test('is a branch after a fork without a mark, but not for an older child', () => {
    const forked = { ended_at: start + 100, end_reason: 'branched' }
    expect(
      edgesOf([
        session('a', forked),
        session('later', { parent_session_id: 'a', started_at: start + 101 }),
        session('earlier', { parent_session_id: 'a', started_at: start + 50 }),
      ]),
    ).toMatchObject({ edges: ['later branch a', 'earlier untyped a'] })
  })

  test('is a reset where the peer is the same', () => {
    const peer = { session_key: 'agent:main:telegram:dm:1' }
    expect(
      edgesOf([
        session('a', { ...peer, ended_at: start + 100, end_reason: 'daily' }),
        session('b', { ...peer, parent_session_id: 'a' }),
        session('c', { parent_session_id: 'a' }),
      ]),
    ).toMatchObject({ edges: ['b reset a', 'c untyped a'] })
  })

  test('is nothing for a parent that is gone', () => {
    expect(
      edgesOf([session('a', { parent_session_id: 'gone' }), session('b', { ...marked('_delegate_from', 'gone') })]),
    ).toEqual({
      edges: [],
      warnings: ['dangling-parent', 'dangling-mark'],
    })
  })

  test('of a second continuation is a stray, with its own continuation', () => {
    const found = read([
      session('a', closed),
      session('quiet', {
        parent_session_id: 'a',
        started_at: start + 101,
        ended_at: start + 200,
        end_reason: 'compression',
      }),
      session('quieter', { parent_session_id: 'quiet', started_at: start + 201 }),
      session('open', { parent_session_id: 'a', started_at: start + 150 }),
    ])
    expect(found.get('a')?.segments.map(({ id }) => id)).toEqual(['a', 'quiet', 'quieter'])
    expect(found.get('open')?.origin).toMatchObject({ kind: 'stray', rootId: 'a', sessionId: 'a' })
  })

  test('is read off the rows where a shutdown was faster than the rotation', () => {
    const id = 'call_2784b2ff53b8c1cceb9a'
    const parent = [
      user('Build', start + 1.5),
      calling(id, start + 5.5),
      result(id, 'all the output', start + 5.75),
      assistant('Built.', start + 9.5),
    ]
    const rows = [
      ...parent.map((row) => of('a', row)),
      of('b', user(summary, start + 101)),
      of('b', calling(id, start + 101.000001)),
      of('b', result(id, '[run] 1 line', start + 101.000002)),
      of('b', assistant('Built.', start + 101.000003)),
      of('b', user('Go on', start + 140)),
    ]
    const shutDown = { ended_at: start + 100, end_reason: 'tui_shutdown' }
    const found = read(
      [session('a', shutDown), session('b', { parent_session_id: 'a', started_at: start + 101 })],
      rows,
    )
    expect(found.size).toBe(1)
    expect(found.get('a')).toMatchObject({ status: 'open', segments: [{ continuesBy: null }, { continuesBy: 'rows' }] })
    expect(textsOf(found.values().next().value ?? raise())).toEqual(['Build', '', 'all the output', 'Built.', 'Go on'])
  })
})

describe('what a branch shares', () => {
  const talk = ['continue', 'Done.', 'continue', 'Done.'].map((text, at) =>
    (at % 2 === 0 ? user : assistant)(text, start + at * 20 + 0.5, archived),
  )

  test('ends where it was made, though its origin went on in the same words', () => {
    const found = read(
      [
        session('a'),
        session('b', { parent_session_id: 'a', started_at: start + 30, ...marked('_branched_from', 'a') }),
      ],
      [
        ...talk.slice(0, 2).map((row, at) => of('a', { id: at + 1, ...row, ...live })),
        ...talk
          .slice(0, 2)
          .map((row, at) => of('b', { id: at + 3, ...row, ...live, timestamp: start + 30 + at / 1000 })),
        ...talk.slice(2).map((row, at) => of('a', { id: at + 5, ...row, ...live })),
        of('b', { id: 7, ...user('continue', start + 90, live) }),
      ],
    )
    expect(found.get('b')?.origin).toMatchObject({ kind: 'branch', sharedMessages: 2, cut: 'a/2' })
    expect(textsOf(found.get('b') ?? raise())).toEqual(['continue', 'Done.', 'continue'])
    expect(textsOf(found.get('a') ?? raise())).toHaveLength(4)
  })

  test('is all that its origin showed, though it copied a summary only', () => {
    const found = read(
      [
        session('a'),
        session('b', { parent_session_id: 'a', started_at: start + 200, ...marked('_branched_from', 'a') }),
      ],
      [
        ...talk.map((row) => of('a', row)),
        of('a', user(summary, start + 100, live)),
        of('a', assistant('Done.', start + 100.000001, live)),
        of('b', user(summary, start + 200.000001, live)),
        of('b', assistant('Done.', start + 200.000002, live)),
        of('b', user('Otherwise', start + 240, live)),
      ],
    )
    expect(found.get('b')?.origin).toMatchObject({ sharedMessages: 4 })
    expect(textsOf(found.get('b') ?? raise())).toEqual(['continue', 'Done.', 'continue', 'Done.', 'Otherwise'])
    expect(found.get('b')?.context.map(({ summaryOf }) => summaryOf !== null)).toEqual([true, false, false])
  })

  test('stays with the branch when the origin undoes it', () => {
    const undone = { active: 0, compacted: 0 }
    const found = read(
      [
        session('a'),
        session('b', { parent_session_id: 'a', started_at: start + 30, ...marked('_branched_from', 'a') }),
      ],
      [
        of('a', user('One', start + 0.5, live)),
        of('a', assistant('Two', start + 5.5, undone)),
        of('b', user('One', start + 30, live)),
        of('b', assistant('Two', start + 30.001, live)),
      ],
    )
    expect(textsOf(found.get('a') ?? raise())).toEqual(['One'])
    expect(textsOf(found.get('b') ?? raise())).toEqual(['One', 'Two'])
  })

  test('is nothing where no row repeats the origin, and that is reported', () => {
    const found = read(
      [
        session('a'),
        session('b', { parent_session_id: 'a', started_at: start + 30, ...marked('_branched_from', 'a') }),
      ],
      [of('a', user('One', start + 0.5)), of('b', user('Other', start + 40))],
    )
    expect(found.get('b')).toMatchObject({
      origin: { sharedMessages: 0, cut: null },
      warnings: [{ code: 'branch-shares-nothing' }],
    })
  })
})

describe('old stores', () => {
  test('below schema 16 an unmarked child is a helper', () => {
    const sessions = [session('a'), session('b', { parent_session_id: 'a' })]
    expect(read(sessions, [], 15).get('b')?.origin.kind).toBe('delegate')
    expect(read(sessions, [], 16).get('b')?.origin.kind).toBe('untyped')
  })
})

function raise(): never {
  throw new Error('There is no such conversation')
}
