import { describe, expect, test } from 'vitest'
import {
  archived,
  assistant,
  calling,
  type Fields,
  gone,
  live,
  readRows,
  result,
  start,
  summary,
  textsOf,
  together,
  user,
} from './hermes/made-store.ts'

/** A chat of few words, forty seconds a turn. */
const turns = (count: number, from: number, more: Fields): readonly Fields[] =>
  Array.from({ length: count }, (_, at) => [
    user('continue', from + at * 40 + 0.25, more),
    assistant('Done.', from + at * 40 + 6.5, more),
  ]).flat()

const words = (count: number): readonly string[] => Array.from({ length: count }, () => ['continue', 'Done.']).flat()

const copies = (time: number, count: number): readonly Fields[] =>
  together(
    time,
    Array.from(
      { length: count },
      (_, at) => (t: number) => (at % 2 === 0 ? user('continue', t, live) : assistant('Done.', t, live)),
    ),
  )

/** A turn written in one go, by a provider that counts its calls from nought. */
const countedTurn = (time: number, output: string, more: Fields): readonly Fields[] =>
  together(time, [
    (t) => user('continue', t, more),
    (t) => calling('call_0', t, more),
    (t) => result('call_0', output, t, more),
    (t) => assistant('Done.', t, more),
  ])

describe('equal words are not equal messages', () => {
  test('a chat that repeats itself stays as long as it is', () => {
    expect(textsOf(readRows(turns(6, start, live)))).toEqual(words(6))
  })

  test('also when the clock stands still', () => {
    const stopped = turns(5, start, live).map((row) => ({ ...row, timestamp: start + 0.5 }))
    expect(textsOf(readRows(stopped))).toEqual(words(5))
    expect(textsOf(readRows(stopped.map((row) => ({ ...row, timestamp: 0 }))))).toEqual(words(5))
  })

  test('a compaction copies the head and the tail, and what is said next is new', () => {
    const compacted = readRows([
      ...turns(6, start, archived),
      ...copies(start + 300, 3),
      assistant(summary, start + 300.000004, live),
      ...copies(start + 300.000005, 4),
      ...turns(2, start + 340, live),
    ])
    expect(textsOf(compacted)).toEqual(words(8))
    expect(compacted.items.filter((item) => item.kind === 'compaction')).toMatchObject([
      {
        how: 'in place',
        kept: ['s/1', 's/2', 's/3', 's/9', 's/10', 's/11', 's/12'],
        covered: ['s/4', 's/5', 's/6', 's/7', 's/8'],
      },
    ])
  })

  test('an ask that is stored in the same go as the copies is new', () => {
    const compacted = readRows([
      ...turns(6, start, archived),
      user(summary, start + 300, live),
      ...copies(start + 300.000001, 5),
      assistant('Done.', start + 306, live),
    ])
    expect(textsOf(compacted)).toEqual(words(7))
  })

  test('a second compaction finds its copies among those of the first', () => {
    const compacted = readRows([
      ...turns(6, start, archived),
      ...copies(start + 300, 3).map((row) => ({ ...row, ...archived })),
      user(summary, start + 300.000004, archived),
      ...copies(start + 300.000005, 4)
        .map((row) => ({ ...row, ...archived }))
        .slice(1),
      ...turns(3, start + 340, archived),
      user(summary.replace('Go on', 'Go on and on'), start + 500, live),
      ...copies(start + 500.000001, 4),
      ...turns(1, start + 540, live),
    ])
    expect(textsOf(compacted)).toEqual(words(10))
    expect(compacted.items.filter((item) => item.kind === 'compaction')).toHaveLength(2)
  })

  test('a turn that is written in one go and counts its calls from nought is new', () => {
    expect(
      textsOf(readRows([...countedTurn(start, 'one', live), ...countedTurn(start + 40, 'two', live)])),
    ).toHaveLength(8)
  })

  test('an ask that only its carrier holds is new, though the same words were said before', () => {
    const compacted = readRows([
      ...turns(3, start, archived),
      user(`${summary}\n\ncontinue`, start + 200, live),
      assistant('Done.', start + 206, live),
    ])
    expect(textsOf(compacted)).toEqual(words(4))
  })
})

describe('copies are not messages', () => {
  const id = 'call_2784b2ff53b8c1cceb9a'
  const turn = (time: number, more: Fields = live): readonly Fields[] =>
    together(time, [
      (t) => user('Build it', t, more),
      (t) => calling(id, t, more),
      (t) => result(id, 'a long output that tells all', t, more),
      (t) => assistant('Built.', t, more),
    ])

  test('a turn that a failed attempt wrote again stands once', () => {
    expect(textsOf(readRows([...turn(start), ...turn(start + 200), user('Push', start + 300, live)]))).toEqual([
      'Build it',
      '',
      'a long output that tells all',
      'Built.',
      'Push',
    ])
  })

  test('rows that keep the times of earlier ones stand once', () => {
    const first = turns(3, start, live)
    expect(textsOf(readRows([...first, ...first, ...first, user('Thanks', start + 400, live)]))).toEqual([
      ...words(3),
      'Thanks',
    ])
  })

  test('a pruned output is read whole and sent short', () => {
    const pruned = readRows([
      ...turn(start, archived),
      ...turn(start + 60).map((row) => (row['role'] === 'tool' ? { ...row, content: '[run] 1 line' } : row)),
    ])
    expect(textsOf(pruned)).toEqual(['Build it', '', 'a long output that tells all', 'Built.'])
    expect(pruned.items[2]).toMatchObject({ wire: { text: '[run] 1 line', why: 'short' } })
  })

  test('all that was live and is archived and written again is a copy, whatever its call ids', () => {
    expect(
      textsOf(readRows([...countedTurn(start, 'out', archived), ...countedTurn(start + 90, 'out', live)])),
    ).toHaveLength(4)
  })

  test('a second delivery under one platform id is none, and its words are kept', () => {
    const chat = readRows([
      user('hi', start, { platform_message_id: 'tg-1' }),
      assistant('Hello.', start + 4),
      user('hi!', start + 60, { platform_message_id: 'tg-1' }),
      user('hi', start + 90, { platform_message_id: 'tg-2' }),
    ])
    expect(textsOf(chat)).toEqual(['hi', 'Hello.', 'hi'])
    expect(chat.redeliveries).toMatchObject([{ of: 's/1', text: 'hi!' }])
    expect(chat.warnings.map(({ code }) => code)).toContain('redelivery-with-other-text')
  })

  test('two asks that were joined in a batch stay two', () => {
    const chat = readRows([
      user('One thing', start + 0.5, archived),
      user('And another', start + 9.5, archived),
      assistant('Both done.', start + 20.5, archived),
      assistant(summary, start + 60, live),
      user('One thing\n\nAnd another', start + 60.000001, live),
      assistant('Both done.', start + 60.000002, live),
      user('Good', start + 99, live),
    ])
    expect(textsOf(chat)).toEqual(['One thing', 'And another', 'Both done.', 'Good'])
    expect(chat.context.map(({ holds }) => holds)).toEqual([[], ['s/1', 's/2'], ['s/3'], ['s/7']])
  })

  test('an undo after a compaction takes the archived original along', () => {
    const chat = readRows([
      user('Keep', start + 0.5, archived),
      assistant('Kept.', start + 5.5, archived),
      user('Drop', start + 40.5, archived),
      assistant('Dropped.', start + 45.5, archived),
      user(summary, start + 60, live),
      user('Drop', start + 60.000001, gone),
      assistant('Dropped.', start + 60.000002, gone),
      user('Other', start + 99, live),
    ])
    expect(textsOf(chat)).toEqual(['Keep', 'Kept.', 'Other'])
    expect(chat.items.filter((item) => item.kind === 'rewind')).toMatchObject([{ undone: ['s/3', 's/4'] }])
  })

  test('what stands undone between others does not break the tail', () => {
    const chat = readRows([
      user('continue', start + 0.5, archived),
      assistant('Done.', start + 5.5, archived),
      user('continue', start + 40.5, gone),
      assistant('Done.', start + 45.5, gone),
      user('continue', start + 80.5, archived),
      assistant('Done.', start + 85.5, archived),
      user(summary, start + 120, live),
      ...copies(start + 120.000001, 2),
      user('continue', start + 150, live),
    ])
    expect(textsOf(chat)).toEqual(['continue', 'Done.', 'continue', 'Done.', 'continue'])
    expect(chat.items.filter((item) => item.kind === 'compaction')).toMatchObject([{ kept: ['s/5', 's/6'] }])
  })

  test('an image that the batch holds as parts belongs to the ask that stood as text', () => {
    const parts = `\0json:${JSON.stringify([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:x' } },
    ])}`
    const chat = readRows([
      user('Look\n[screenshot]', start + 0.5, archived),
      assistant('I see.', start + 5.5, archived),
      user(summary, start + 60, live),
      user(parts, start + 60.000001, live),
      assistant('I see.', start + 60.000002, live),
    ])
    expect(textsOf(chat)).toEqual(['Look\n[screenshot]', 'I see.'])
    expect(chat.items[0]).toMatchObject({ parts: [{ kind: 'text' }, { kind: 'image', url: 'data:x' }] })
  })

  test('one uid is one message, also where it was absorbed by another', () => {
    const chat = readRows([
      user('One', start + 0.5, { message_uid: 'a', ...archived }),
      user('Two', start + 3.5, { message_uid: 'b', ...archived }),
      assistant('Three', start + 9.5, { message_uid: 'c', ...archived }),
      user('One\n\nTwo', start + 900, { message_uid: 'a', absorbed_message_uids: '["b"]', ...live }),
      assistant('Three', start + 901, { message_uid: 'c', ...live }),
    ])
    expect(textsOf(chat)).toEqual(['One', 'Two', 'Three'])
  })

  test('a summary that an undo left alone is not a second compaction', () => {
    const chat = readRows([
      user('First', start + 0.5, archived),
      assistant('Answer', start + 5.5, archived),
      user(`${summary}\n\nSecond`, start + 60, gone),
      user(summary, start + 99, live),
      user('Third', start + 120, live),
    ])
    expect(textsOf(chat)).toEqual(['First', 'Answer', 'Third'])
    expect(chat.items.filter((item) => item.kind === 'compaction')).toHaveLength(1)
  })
})
