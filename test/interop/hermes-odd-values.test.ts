import { openHermes } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import {
  assistant,
  calling,
  type Fields,
  makeStore,
  now,
  readAll,
  readRows,
  start,
  textsOf,
  user,
} from './hermes/made-store.ts'

describe('NULL', () => {
  test('everywhere leaves a conversation that can be read', () => {
    const nothing = {
      title: null,
      model: null,
      started_at: null,
      ended_at: null,
      end_reason: null,
      model_config: null,
      source: null,
    }
    const found = readRows(
      [
        { role: 'user', content: null, timestamp: null, active: null, compacted: null },
        { role: null, content: 'words', timestamp: null },
      ],
      nothing,
    )
    expect(found).toMatchObject({
      rootId: 's',
      title: null,
      status: 'open',
      startedAt: null,
      lastActive: null,
      origin: { kind: 'root' },
    })
    expect(found.items).toMatchObject([
      { role: 'user', text: '', rawTime: null },
      { role: 'other', nativeRole: '', text: 'words' },
    ])
    expect(found.warnings.map(({ code }) => code)).toContain('unknown-role')
  })

  test('as an id is kept raw and reported', () => {
    const path = makeStore({
      sessions: [
        { id: 's', source: 'cli' },
        { id: null, source: 'lost' },
      ],
      messages: [user('here', start), { session_id: null, role: 'user', content: 'nowhere', timestamp: start }].map(
        (row, at) => ({
          session_id: at === 0 ? 's' : null,
          ...row,
        }),
      ),
    })
    const reader = openHermes(path, { now })
    expect(reader.survey.warnings.map(({ code }) => code)).toEqual(['session-without-id', 'message-without-session'])
    expect(reader.survey.leftovers).toMatchObject({
      sessions: [{ source: 'lost' }],
      messages: [{ content: 'nowhere' }],
    })
    reader.close()
  })
})

describe('JSON that cannot be read', () => {
  test.each([
    'tool_calls',
    'display_metadata',
    'reasoning_details',
    'codex_reasoning_items',
    'codex_message_items',
    'tool_call_uids',
  ])('in %s is kept as its text, and the message stands', (column) => {
    const found = readRows([user('ask', start), assistant('answer', start + 5, { [column]: '[{"id": "call_' })])
    expect(textsOf(found)).toEqual(['ask', 'answer'])
    expect(found.warnings).toEqual([{ code: 'unreadable-json', where: `messages/2.${column}`, kept: 'extra' }])
    const message = found.items[1]
    if (message?.kind !== 'message') throw new Error('No message')
    expect(message.toolCallsUnreadable ?? message.extra[column]).toBe('[{"id": "call_')
  })

  test('in the content is the text itself', () => {
    const cut = '\0json:[{"type": "text", "text": "cut'
    expect(textsOf(readRows([user(cut, start)]))).toEqual([cut])
  })

  test('in the configuration means no mark, and is kept', () => {
    const found = readRows([user('ask', start)], { model_config: '{"_branched_from": "x' })
    expect(found.segments[0]).toMatchObject({ config: {}, rest: { model_config: '{"_branched_from": "x' } })
  })

  test.each([
    ['twice encoded', JSON.stringify(JSON.stringify([{ id: 'a', function: { name: 'run', arguments: '{}' } }]))],
    ['one object', JSON.stringify({ id: 'a', function: { name: 'run', arguments: {} } })],
  ])('tool calls that are %s are read', (_, stored) => {
    const [message] = readRows([assistant('', start, { tool_calls: stored })]).items
    expect(message).toMatchObject({ toolCalls: [{ id: 'a', name: 'run', arguments: '{}' }], toolCallsUnreadable: null })
  })

  test('a scalar is no list of calls', () => {
    expect(readRows([assistant('', start, { tool_calls: '7' })]).items[0]).toMatchObject({
      toolCalls: [],
      toolCallsUnreadable: '7',
    })
  })
})

describe('content', () => {
  test('that is a literal text beginning like a list comes back', () => {
    const literal = '\0json: is this prefix safe?'
    expect(textsOf(readRows([user(`\0json:${JSON.stringify(literal)}`, start), user(literal, start + 9)]))).toEqual([
      literal,
      literal,
    ])
  })

  test('that was bound as bytes is read as text', () => {
    expect(textsOf(readRows([{ role: 'user', content: Buffer.from('größer'), timestamp: start }]))).toEqual(['größer'])
  })

  test('sent otherwise than it reads is both', () => {
    const [message] = readRows([user('ask', start, { api_content: '<memory/>ask' })]).items
    expect(message).toMatchObject({ text: 'ask', wire: { text: '<memory/>ask', why: 'api' } })
  })
})

describe('clocks', () => {
  test.each([-5, 0, 1_783_000_000_000, 4_102_444_800, 1e300, Number.POSITIVE_INFINITY])(
    '%d is kept and not believed',
    (time) => {
      const found = readRows([user('one', time), assistant('two', start + 5)])
      expect(found.items[0]).toMatchObject({ rawTime: time, time: null })
      expect(found.lastActive).toBe(start + 5)
      expect(found.warnings.map(({ code }) => code)).toEqual(['absurd-time'])
      expect(textsOf(found)).toEqual(['one', 'two'])
    },
  )
})

describe('what the reader does not know', () => {
  test('is kept: columns with the message, tables by name', () => {
    const path = makeStore({
      sessions: [{ id: 's', source: 'cli', mood: 'fine' }],
      messages: [{ session_id: 's', role: 'user', content: 'hi', timestamp: start, sparkle: 'yes' }],
      more: (database) => database.exec(`CREATE TABLE dreams (about TEXT); INSERT INTO dreams VALUES ('sheep')`),
    })
    const reader = openHermes(path, { now })
    const [found] = reader.conversations()
    expect(found?.segments[0]?.rest).toEqual({ mood: 'fine' })
    expect(found?.items[0]).toMatchObject({ extra: { sparkle: 'yes' } })
    expect(reader.survey.warnings.map(({ code, where }) => [code, where])).toEqual([
      ['unknown-table', 'dreams'],
      ['unknown-column', 'messages.sparkle'],
    ])
    expect(reader.rawRows('dreams')).toEqual([{ about: 'sheep' }])
    reader.close()
  })

  test('a session that only messages name is a conversation', () => {
    const [found] = readAll(
      makeStore({ sessions: [], messages: [{ session_id: 'lost', role: 'user', content: 'hi', timestamp: start }] }),
    )
    expect(found).toMatchObject({ rootId: 'lost', items: [{ text: 'hi' }] })
  })

  test('a display kind of a later version leaves the words of a person', () => {
    const found = readRows([user('important', start, { display_kind: 'sparkling' })])
    expect(textsOf(found)).toEqual(['important'])
    expect(found.warnings.map(({ code }) => code)).toEqual(['unknown-display-kind'])
  })
})

describe('side tables', () => {
  const sessions: readonly Fields[] = [
    { id: 's', source: 'telegram', session_key: 'peer', started_at: start, system_prompt_hash: 'h' },
  ]

  test('give a conversation its goals, prompt, generation and background jobs', () => {
    const path = makeStore({
      sessions,
      messages: [{ session_id: 's', ...calling('call_1', start) }],
      more: (database) =>
        database.exec(`
          CREATE TABLE state_meta (key TEXT, value TEXT);
          INSERT INTO state_meta VALUES ('goal:s', '{"text":"win"}'), ('goal:gone', '{}'), ('fts_storage_version', '3');
          CREATE TABLE system_prompts (hash TEXT, prompt TEXT); INSERT INTO system_prompts VALUES ('h', 'Be careful');
          CREATE TABLE conversation_generations (source TEXT, session_key TEXT, generation INTEGER);
          INSERT INTO conversation_generations VALUES ('telegram', 'peer', 4);
          CREATE TABLE async_delegations (delegation_id TEXT, parent_session_id TEXT, state TEXT);
          INSERT INTO async_delegations VALUES ('d1', 's', 'done'), ('d2', 'gone', 'running');
        `),
    })
    const reader = openHermes(path, { now })
    const [found] = reader.conversations()
    expect(found).toMatchObject({
      goals: [{ segmentId: 's', value: { text: 'win' } }],
      delegations: [{ delegation_id: 'd1' }],
      segments: [{ systemPrompt: 'Be careful', generation: 4 }],
    })
    expect(reader.survey.leftovers).toMatchObject({
      state_meta: [{ key: 'goal:gone' }, { key: 'fts_storage_version' }],
      async_delegations: [{ delegation_id: 'd2' }],
    })
    expect(reader.survey.warnings.map(({ code }) => code)).toEqual(['dangling-goal', 'delegation-without-session'])
    reader.close()
  })
})
