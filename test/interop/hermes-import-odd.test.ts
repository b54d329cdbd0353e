import { isKnown } from '@refold/events'
import { importHistory } from '@refold/interop'
import type { Engine } from '@refold/engine'
import { expect, test } from 'vitest'
import { assistant, makeStore, start, summary, user, type Fields } from './hermes/made-store.ts'
import { source, withEngine } from './importing/engines.ts'
import { change } from './importing/growing-store.ts'
import { contextOf, entriesOf, handleOf, messagesOf, rowsOf } from './importing/view-of.ts'

const session = (id: string, more: Fields = {}): Fields => ({
  id,
  source: 'cli',
  started_at: start,
  title: null,
  parent_session_id: null,
  model_config: null,
  ended_at: null,
  end_reason: null,
  ...more,
})

const rows = (...messages: readonly Fields[]): readonly Fields[] =>
  messages.map((row, at) => ({ id: at + 1, session_id: 's', ...row }))

const titlesOf = async (engine: Engine): Promise<object> =>
  Object.fromEntries((await rowsOf(engine)).map(({ id, title }) => [id, title]))

async function notesOf(engine: Engine, id: string): Promise<readonly object[]> {
  return (await (await handleOf(engine, id)).events()).flatMap((event) =>
    isKnown(event) && event.type === 'Noted' && event.data.shownTo === 'none' ? [event.data] : [],
  )
}

test('a store that gets uids later keeps its messages', async () => {
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(user('Why?', start + 1, { message_uid: null }), assistant('Because.', start + 9)),
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    change(path, (store) => store.run("UPDATE messages SET message_uid = 'uid-' || id"))
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0, messages: 0 })
    expect((await messagesOf(engine, 's')).map(({ id }) => id)).toEqual(['s/1', 's/2'])
  })
})

test('rows written anew are known by their uids, whatever else changed', async () => {
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(
      user('Why?', start + 1, { message_uid: 'u1' }),
      assistant('Because.', start + 9, { message_uid: 'u2' }),
    ),
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    change(path, (store) => store.run('UPDATE messages SET id = id + 100'))
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
    expect((await messagesOf(engine, 's')).map(({ id }) => id)).toEqual(['u1', 'u2'])
  })
})

test('a title changes hands to the newest session that has it, also when that comes later', async () => {
  const path = makeStore({ sessions: [session('old', { title: 'report' })], messages: [] })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    expect(await titlesOf(engine)).toEqual({ old: 'report' })
    change(path, (store) =>
      store.run("INSERT INTO sessions (id, source, started_at, title) VALUES ('new', 'cli', ?, 'report')", start + 60),
    )
    const report = await importHistory(engine, path, { source })
    expect(report.warnings).toContainEqual({ code: 'title-numbered', where: 'sessions/old.title', kept: 'report #2' })
    expect(await titlesOf(engine)).toEqual({ old: 'report #2', new: 'report' })
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
    expect(await titlesOf(engine)).toEqual({ old: 'report #2', new: 'report' })
  })
})

test('a title that a session here has gets the next free number', async () => {
  await withEngine('memory', async (engine) => {
    await engine.start({ id: 'mine', title: 'report' })
    const path = makeStore({ sessions: [session('s', { title: 'report' })], messages: [] })
    const { warnings } = await importHistory(engine, path, { source })
    expect(warnings).toEqual([{ code: 'title-numbered', where: 'sessions/s: report', kept: 'report #2' }])
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
    expect(await titlesOf(engine)).toEqual({ mine: 'report', s: 'report #2' })
  })
})

test('ids that are too long for Refold, of sessions and in messages, are shortened and told', async () => {
  const id = 'a session id '.repeat(30)
  const path = makeStore({
    sessions: [session(id)],
    messages: [{ id: 1, session_id: id, ...user('Why?', start + 1) }],
  })
  await withEngine('memory', async (engine) => {
    const { warnings } = await importHistory(engine, path, { source })
    const name = (await rowsOf(engine))[0]?.id ?? ''
    expect(name).toMatch(/^hermes-0-[0-9a-f]{24}$/)
    expect(warnings).toEqual([{ code: 'id-changed', where: `sessions/${id}`, kept: name }])
    expect(await messagesOf(engine, name)).toMatchObject([{ text: 'Why?' }])
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
  })
})

test('what no event holds is kept raw, once, and its newest form last', async () => {
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(
      user('Why?', start + 1, { display_metadata: '{"source":"voice"}', reasoning_details: null }),
      assistant('Because.', start + 9, { finish_reason: 'length', reasoning_details: '{broken', tool_calls: '7' }),
    ),
  })
  await withEngine('memory', async (engine) => {
    const { warnings } = await importHistory(engine, path, { source })
    expect(warnings.map(({ where }) => where)).toEqual(['messages/2.tool_calls', 'messages/2.reasoning_details'])
    expect(await notesOf(engine, 's')).toMatchObject([
      { note: 'message s/1', kind: 'hermes-message', data: { displayMetadata: { source: 'voice' } } },
      { note: 'message s/2', data: { finishReason: 'length', extra: { reasoning_details: '{broken' } } },
      { note: 'segment s', kind: 'hermes-segment' },
    ])
    expect((await messagesOf(engine, 's'))[1]).toMatchObject({ other: [{ kind: 'hermes-tool-calls', data: '7' }] })
    change(path, (store) => store.run(`UPDATE messages SET display_metadata = '{"source":"text"}' WHERE id = 1`))
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 1 })
    expect((await notesOf(engine, 's')).at(-1)).toMatchObject({ data: { displayMetadata: { source: 'text' } } })
  })
})

test('times are kept as they stand, however absurd', async () => {
  const times = [0, -5, 1e12, 1e17]
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(...times.map((time, at) => user(`message ${at}`, time))),
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    const events = await (await handleOf(engine, 's')).events()
    expect(
      events.flatMap((event) => (isKnown(event) && event.type === 'MessageAppended' ? [event.data.at] : [])),
    ).toEqual(times.map((time) => time * 1000))
  })
})

test('an undone notice leaves with the turn that it stands in', async () => {
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(
      user('Why?', start + 1, { active: 1, display_kind: null }),
      assistant('Because.', start + 9, { active: 1 }),
      user('[Model changed to onyx]', start + 20, { display_kind: 'model_switch', active: 0 }),
      user('And now?', start + 30, { active: 0 }),
    ),
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    expect((await entriesOf(engine, 's')).map(({ kind }) => kind)).toEqual(['message', 'message'])
    expect(await contextOf(engine, 's')).toHaveLength(2)
  })
})

test('a reaction follows the source, also when it is taken back', async () => {
  const reacted = '{"reactions":[{"emoji":"👍","author":"ada","at":1}]}'
  const path = makeStore({
    sessions: [session('s')],
    messages: rows(assistant('Done.', start + 1, { display_metadata: reacted })),
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    const settings = async (): Promise<unknown> => (await handleOf(engine, 's')).settings()
    expect(await settings()).toContainEqual({
      key: 'reaction',
      message: 's/1',
      author: 'ada',
      emoji: '👍',
      present: true,
    })
    change(path, (store) => store.run("UPDATE messages SET display_metadata = '{}'"))
    await importHistory(engine, path, { source })
    expect(await settings()).not.toContainEqual(expect.objectContaining({ key: 'reaction', present: true }))
  })
})

test('a branch after a compaction begins with its summary, one before it with the messages themselves', async () => {
  const later = start + 100
  const path = makeStore({
    sessions: [
      session('s', { title: 'origin' }),
      session('after', { parent_session_id: 's', model_config: '{"_branched_from":"s"}', started_at: later + 50 }),
      session('before', { parent_session_id: 's', model_config: '{"_branched_from":"s"}', started_at: later - 50 }),
    ],
    messages: [
      { id: 1, session_id: 's', ...user('one', start + 1), active: 0, compacted: 1 },
      { id: 2, session_id: 's', ...assistant('two', start + 9), active: 0, compacted: 1 },
      { id: 3, session_id: 's', ...user('three', start + 20), active: 0, compacted: 1 },
      { id: 4, session_id: 's', ...assistant('four', start + 29), active: 0, compacted: 1 },
      { id: 5, session_id: 'before', ...user('one', start + 1), active: 1, compacted: 0 },
      { id: 6, session_id: 'before', ...assistant('two', start + 9), active: 1, compacted: 0 },
      { id: 7, session_id: 'before', ...user('three', start + 20), active: 1, compacted: 0 },
      { id: 8, session_id: 'before', ...assistant('four', start + 29), active: 1, compacted: 0 },
      { id: 9, session_id: 'before', ...user('Before?', later - 40), active: 1, compacted: 0 },
      { id: 10, session_id: 's', ...user(summary, later), active: 1, compacted: 0 },
      { id: 11, session_id: 's', ...user('three', later + 0.000_001), active: 1, compacted: 0 },
      { id: 12, session_id: 's', ...assistant('four', later + 0.000_002), active: 1, compacted: 0 },
      { id: 13, session_id: 'after', ...user(summary, later), active: 1, compacted: 0 },
      { id: 14, session_id: 'after', ...user('three', later + 0.000_001), active: 1, compacted: 0 },
      { id: 15, session_id: 'after', ...assistant('four', later + 0.000_002), active: 1, compacted: 0 },
      { id: 16, session_id: 'after', ...user('After?', later + 60), active: 1, compacted: 0 },
    ],
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    const texts = async (id: string): Promise<unknown> => (await contextOf(engine, id)).map(({ text }) => text)
    expect(await texts('s')).toEqual([summary, 'three', 'four'])
    expect(await texts('after')).toEqual([summary, 'three', 'four', 'After?'])
    expect(await texts('before')).toEqual(['one', 'two', 'three', 'four', 'Before?'])
    for (const [id, last] of [
      ['after', 'After?'],
      ['before', 'Before?'],
    ] as const)
      expect((await messagesOf(engine, id)).map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four', last])
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
  })
})

const talk = (id: string, from: number, more: readonly Fields[] = []): readonly Fields[] =>
  [
    user('one', start + 1),
    assistant('two', start + 9),
    user('three', start + 20),
    assistant('four', start + 29),
    ...more,
  ].map((row, at) => ({ active: 1, compacted: 0, id: from + at, session_id: id, ...row }))

test('a message that turns out to be a copy leaves when the rest of its batch is written', async () => {
  const later = start + 100
  const path = makeStore({ sessions: [session('s')], messages: talk('s', 1, [user('one', later)]) })
  await withEngine('memory', async (engine) => {
    const texts = async (): Promise<unknown> => (await messagesOf(engine, 's')).map(({ text }) => text)
    await importHistory(engine, path, { source })
    expect(await texts()).toEqual(['one', 'two', 'three', 'four', 'one'])
    change(path, (store) => {
      store.run(
        'INSERT INTO messages (id, session_id, role, content, timestamp, active, compacted) VALUES (6, ?, ?, ?, ?, 1, 0)',
        's',
        'user',
        summary,
        later + 0.000_001,
      )
      store.run(
        "INSERT INTO messages (id, session_id, role, content, timestamp, active, compacted) VALUES (7, 's', 'user', 'three', ?, 1, 0)",
        later + 0.000_002,
      )
      store.run(
        "INSERT INTO messages (id, session_id, role, content, timestamp, active, compacted) VALUES (8, 's', 'assistant', 'four', ?, 1, 0)",
        later + 0.000_003,
      )
    })
    await importHistory(engine, path, { source })
    expect(await texts()).toEqual(['one', 'two', 'three', 'four'])
    expect((await rowsOf(engine))[0]?.messages).toBe(4)
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
  })
})

test('what a branch undid of its origin is gone from the branch alone', async () => {
  const path = makeStore({
    sessions: [
      session('s'),
      session('b', { parent_session_id: 's', model_config: '{"_branched_from":"s"}', started_at: start + 50 }),
    ],
    messages: [
      ...talk('s', 1),
      ...talk('b', 10, [user('five', start + 60)]).map((row) => ({
        ...row,
        active: row['id'] === 12 || row['id'] === 13 ? 0 : 1,
      })),
    ],
  })
  await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    const texts = async (id: string): Promise<unknown> => (await messagesOf(engine, id)).map(({ text }) => text)
    expect(await texts('s')).toEqual(['one', 'two', 'three', 'four'])
    expect(await texts('b')).toEqual(['one', 'two', 'five'])
    expect(await importHistory(engine, path, { source })).toMatchObject({ events: 0 })
  })
})
