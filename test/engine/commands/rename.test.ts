import { describe, expect, test } from 'vitest'
import type { SessionEvent, TitleAuthor } from '@refold/events'
import { rename } from '../../../packages/engine/src/commands/rename.ts'
import { cleanTitle, numberedTitle } from '../../../packages/engine/src/commands/title-text.ts'
import { given, started } from '../../support/command-spec.ts'

const renamed = (title: string | null, by: TitleAuthor = 'person'): SessionEvent => ({
  type: 'Renamed',
  data: { title, by },
})
const start = (session: string): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'root' } },
})

const rotated = (from: string, to: string): SessionEvent => ({
  type: 'Rotated',
  data: { from, to, reason: 'compaction' },
})

describe('rename', () => {
  test('gives a title', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: 'Sensors' }))
      .writes([renamed('Sensors')], { title: 'Sensors' }))

  test('takes a title away', () =>
    given([started, renamed('Sensors')])
      .when((desk) => rename(desk, 's', { title: null }))
      .writes([renamed(null)], { title: null }))

  test('writes nothing for the title that it has', () =>
    given([started, renamed('Sensors')])
      .when((desk) => rename(desk, 's', { title: ' Sensors ' }))
      .writesNothing({ title: 'Sensors' }))

  test('cleans what it is given', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: '\u202E fin\u200Bger\u0007print\n\t scanner\uFEFF ' }))
      .writes([renamed('fingerprint scanner')]))

  test('refuses more than 100 characters', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: 'x'.repeat(101) }))
      .refuses('title-too-long', { length: 101, limit: 100 }))

  test('takes 100 characters, counted as people count', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: '𝒳'.repeat(100) }))
      .writes([renamed('𝒳'.repeat(100))]))

  test('refuses a title of which nothing can be seen', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: ' \u200B\u202E ' }))
      .refuses('title-empty'))

  test('refuses a title that another session has, and names it', () =>
    given({ s: [started], other: [start('other'), renamed('Sensors')] })
      .when((desk) => rename(desk, 's', { title: 'Sensors' }))
      .refuses('title-taken', { holder: 'other', title: 'Sensors' }))

  test('takes two Unicode forms of one title for the same', () =>
    given({ s: [started], other: [start('other'), renamed('Caf\u00E9')] })
      .when((desk) => rename(desk, 's', { title: 'Cafe\u0301' }))
      .refuses('title-taken', { holder: 'other' }))

  test('changes between two Unicode forms of its own title', () =>
    given([started, renamed('Caf\u00E9')])
      .when((desk) => rename(desk, 's', { title: 'Cafe\u0301' }))
      .writes([renamed('Cafe\u0301')]))

  test('gives back the old title, so that another can have it', () =>
    given({ s: [started, renamed('A'), renamed('B')], other: [start('other')] })
      .when((desk) => rename(desk, 'other', { title: 'A' }))
      .writes([['other', renamed('A')]]))

  test("gives a machine's taken title the next free number", () =>
    given({
      s: [started],
      one: [start('one'), renamed('Sensors')],
      two: [start('two'), renamed('Sensors #2')],
    })
      .when((desk) => rename(desk, 's', { title: 'Sensors', by: 'model' }))
      .writes([renamed('Sensors #3', 'model')], { title: 'Sensors #3' }))

  test("numbers a machine's title once, however often it is asked for", () =>
    given({ s: [started, renamed('Sensors #2', 'model')], one: [start('one'), renamed('Sensors')] })
      .when((desk) => rename(desk, 's', { title: 'Sensors', by: 'model' }))
      .writesNothing({ title: 'Sensors #2' }))

  test.for(['model', 'branch', 'derived'] as const)("refuses a %s's title where a person gave one", (by) =>
    given([started, renamed('Mine')])
      .when((desk) => rename(desk, 's', { title: 'Theirs', by }))
      .refuses('title-set-by-person', { title: 'Mine' }),
  )

  test("lets a person replace a machine's title", () =>
    given([started, renamed('Theirs', 'model')])
      .when((desk) => rename(desk, 's', { title: 'Mine' }))
      .writes([renamed('Mine')]))

  test("makes a machine's title a person's when the person confirms it", () =>
    given([started, renamed('Good', 'model')])
      .when((desk) => rename(desk, 's', { title: 'Good' }))
      .writes([renamed('Good')]))

  test("leaves a model's title where one is only derived", () =>
    given([started, renamed('Theirs', 'model')])
      .when((desk) => rename(desk, 's', { title: 'Derived', by: 'derived' }))
      .writesNothing({ title: 'Theirs' }))

  test('refuses a deleted session', () =>
    given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => rename(desk, 's', { title: 'Mine' }))
      .refuses('session-deleted'))

  test('refuses a session that is not there', () =>
    given([started])
      .when((desk) => rename(desk, 'nobody', { title: 'Mine' }))
      .refuses('session-not-found', { name: 'nobody' }))

  test('refuses when the session has moved on', () =>
    given([started, renamed('A')])
      .when((desk) => rename(desk, 's', { title: 'B' }), { expect: 0 })
      .refuses('moved-on', { expected: 0, actual: 1 }))

  test('refuses housekeeping that speaks for a person', () =>
    given([started])
      .when((desk) => rename(desk, 's', { title: 'B' }), { actor: { kind: 'housekeeping', id: 'titler' } })
      .refuses('not-allowed'))
})

describe('start case a: who holds a title', () => {
  const twice = [started, renamed('scan'), rotated('s', 's-2'), rotated('s-2', 's-3')]

  test('a session that was rotated once takes its base title back', () =>
    given([started, renamed('scan'), renamed('scan #2'), rotated('s', 's-2')])
      .when((desk) => rename(desk, 's', { title: 'scan' }))
      .writes([renamed('scan')]))

  test('a session that was rotated twice still holds its title', () =>
    given(twice)
      .when((desk) => rename(desk, 's', { title: 'scan' }))
      .writesNothing({ title: 'scan' }))

  test('an unrelated holder conflicts, however often the other was rotated', () =>
    given({ s: [started, rotated('s', 's-2')], other: [start('other'), renamed('scan')] })
      .when((desk) => rename(desk, 's', { title: 'scan' }))
      .refuses('title-taken', { holder: 'other' }))

  test('a branch conflicts with its origin', () =>
    given({
      s: twice,
      twig: [
        {
          type: 'SessionStarted',
          data: { session: 'twig', origin: { kind: 'branch', session: 's', cut: { asOf: 3, through: null } } },
        },
      ],
    })
      .when((desk) => rename(desk, 'twig', { title: 'scan' }))
      .refuses('title-taken', { holder: 's' }))

  test('a delegate conflicts with the session that it works for', () =>
    given({
      s: twice,
      worker: [{ type: 'SessionStarted', data: { session: 'worker', origin: { kind: 'delegate', session: 's' } } }],
    })
      .when((desk) => rename(desk, 'worker', { title: 'scan' }))
      .refuses('title-taken', { holder: 's' }))
})

describe('title text', () => {
  test('cleaning twice changes nothing', () => {
    const once = cleanTitle(' a\u200B \u200B b\u0000\u2028c ')
    expect(once).toBe('a b c')
    expect(cleanTitle(once)).toBe(once)
  })

  test('a number replaces the one before it and keeps within the limit', () => {
    expect(numberedTitle('Plan #2', 3)).toBe('Plan #3')
    expect(numberedTitle('x'.repeat(100), 2)).toBe(`${'x'.repeat(97)} #2`)
  })
})
