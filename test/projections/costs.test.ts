import { expect, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { contextPlan, fold, listSessions, transcriptPage } from '@refold/projections'
import { countedRows, type Counts } from '../support/counted-rows.ts'
import {
  answers,
  asks,
  branched,
  compacted,
  rewound,
  SessionLog,
  started,
  streamOf,
  undone,
} from '../support/session-log.ts'

const talk = (messages: number): SessionLog => {
  const log = new SessionLog()
  log.add('s', started('s'))
  for (let n = 1; n <= messages; n++) log.add('s', n % 2 === 1 ? asks(`m${n}`) : answers(`m${n}`))
  return log
}

/** What folding one more event reads and writes. */
const costOf = (log: SessionLog, session: string, event: SessionEvent): Counts => {
  const { rows, counts } = countedRows(log.rows)
  const recorded = log.add('elsewhere', event)
  fold({ ...recorded, stream: streamOf(session), revision: log.head(session) + 1 }, rows)
  return counts
}

const costOfReading = (log: SessionLog, read: (rows: SessionLog['rows']) => unknown): number => {
  const { rows, counts } = countedRows(log.rows)
  read(rows)
  expect(counts.written).toBe(0)
  return counts.read
}

test('an append costs the same in a long session as in a short one', () => {
  expect(costOf(talk(3000), 's', asks('new'))).toEqual(costOf(talk(3), 's', asks('new')))
})

test('a rewind of thousands of entries and its undo write a handful of rows', () => {
  const log = talk(5000)
  const rewind = costOf(log, 's', rewound('u1', 'm5'))
  expect(rewind.written).toBeLessThanOrEqual(6)
  expect(rewind.read).toBeLessThanOrEqual(40)
  expect(costOf(talk(5000), 's', rewound('u1', null)).read).toBeLessThanOrEqual(40)
  log.add('s', rewound('u2', 'm7'))
  expect(costOf(log, 's', undone('u2', 'u3')).written).toBeLessThanOrEqual(7)
})

test('a branch of a long session writes a handful of rows', () => {
  const log = talk(5000)
  const cost = costOf(log, 'b', branched('b', 's', log.head('s'), 'm2500'))
  expect(cost.written).toBeLessThanOrEqual(12)
  expect(cost.read).toBeLessThanOrEqual(60)
})

test('22: a page reads about as many rows as it shows, however long the session and wherever it ends', () => {
  const log = talk(5000)
  const { revision } = log.add('s', rewound('u1', 'm20'))
  const page = (query: object): number =>
    costOfReading(log, (rows) => transcriptPage(rows, streamOf('s'), { limit: 20, ...query }))
  expect(page({})).toBeLessThanOrEqual(60)
  expect(page({ at: revision - 1 })).toBeLessThanOrEqual(60)
  expect(page({ at: 2500 })).toBeLessThanOrEqual(60)
  log.add('b', branched('b', 's', revision - 1, 'm4000'))
  expect(costOfReading(log, (rows) => transcriptPage(rows, streamOf('b'), { limit: 20 }))).toBeLessThanOrEqual(70)
})

test('a page reads the rewinds that reach into it, however many there are', () => {
  const log = talk(300)
  const { revision } = log.add('s', asks('last'))
  for (let n = 0; n < 500; n++) {
    log.add('s', asks(`r${n}`))
    log.add('s', answers(`gone${n}`))
    log.add('s', rewound(`u${n}`, `r${n}`))
  }
  const page = (query: object): number =>
    costOfReading(log, (rows) => transcriptPage(rows, streamOf('s'), { limit: 20, ...query }))
  expect(page({})).toBeLessThanOrEqual(160)
  expect(page({ at: revision })).toBeLessThanOrEqual(60)
})

test('22: a context reads about as many rows as it holds, under hundreds of summaries', () => {
  const log = talk(4000)
  for (let n = 1; n <= 200; n++) log.add('s', compacted(`k${n}`, n * 19, [`m${n * 19 - 1}`]))
  expect(contextPlan(log.rows, streamOf('s')).messages).toHaveLength(201)
  // 201 messages, and among them the 200 marks of the compactions
  expect(costOfReading(log, (rows) => contextPlan(rows, streamOf('s')))).toBeLessThanOrEqual(450)
})

test('22: the first page of the list reads its own rows only, whatever their number', () => {
  const log = new SessionLog()
  for (let n = 0; n < 500; n++) log.add(`s${n}`, asks('m1'))
  for (const sort of ['activity', 'start', 'title'] as const)
    expect(
      costOfReading(log, (rows) => listSessions(rows, { namespace: 'default', sort, limit: 10, all: true })),
    ).toBeLessThanOrEqual(20)
})
