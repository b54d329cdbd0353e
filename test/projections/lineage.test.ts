import { fc, test as prop } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { deletionPlan, lineageOf, usageReport, type UsageQuery } from '@refold/projections'
import { asks, branched, delegated, deleted, SessionLog, started, streamOf } from '../support/session-log.ts'

test('a lineage holds segments, parent and children as their own events say', () => {
  const log = new SessionLog()
  log.add('p', asks('m1'))
  log.add('p', { type: 'Rotated', data: { from: 'p', to: 'p2', reason: 'r' } })
  log.add('p', { type: 'Rotated', data: { from: 'p2', to: 'p3', reason: 'r' } })
  log.add('p', { type: 'Rotated', data: { from: 'p', to: 'p2', reason: 'late' } })
  log.add('b', branched('b', 'p', 0, 'm1'))
  log.add('b', started('b', { origin: { kind: 'delegate', session: 'x' } }))
  log.add('d', delegated('d', 'p'))
  expect(lineageOf(log.rows, streamOf('p'))).toEqual({
    session: 'p',
    segments: ['p', 'p2', 'p3'],
    parents: [],
    children: [
      { kind: 'branch', session: 'b' },
      { kind: 'delegate', session: 'd' },
    ],
  })
  log.add('p', deleted('x', 'p', ['d']))
  expect(lineageOf(log.rows, streamOf('b'))?.parents).toEqual([{ kind: 'branch', session: 'p', deleted: true }])
  expect(lineageOf(log.rows, streamOf('p'))?.children).toEqual([{ kind: 'branch', session: 'b' }])
  expect(lineageOf(log.rows, streamOf('nobody'))).toBeUndefined()
})

test('62: a deletion takes the seeds and their delegates, and keeps everything else that hangs on them', () => {
  const log = new SessionLog()
  log.add('p', asks('m1'))
  log.add('d', delegated('d', 'p'))
  log.add('dd', delegated('dd', 'd'))
  log.add('b', branched('b', 'p', 0, 'm1'))
  log.add('bd', delegated('bd', 'b'))
  log.add('r', started('r', { origin: { kind: 'reset', session: 'd' } }))
  expect(deletionPlan(log.rows, 'default', ['p', 'p', 'nobody', '\ud800'])).toEqual({
    seeds: ['p'],
    unknown: ['nobody', '\ud800'],
    deletes: ['p', 'd', 'dd'],
    along: [{ seed: 'p', sessions: ['d', 'dd'] }],
    keeps: [
      { session: 'b', because: 'branch of p' },
      { session: 'r', because: 'reset of d' },
    ],
  })
  expect(deletionPlan(log.rows, 'default', []).deletes).toEqual([])
})

test("63: a seed is never another seed's delegate, and what is deleted already is not deleted again", () => {
  const log = new SessionLog()
  log.add('p', started('p'))
  log.add('d', delegated('d', 'p'))
  log.add('dd', delegated('dd', 'd'))
  expect(deletionPlan(log.rows, 'default', ['p', 'd']).along).toEqual([
    { seed: 'p', sessions: ['dd'] },
    { seed: 'd', sessions: [] },
  ])
  log.add('dd', deleted('x', 'dd'))
  expect(deletionPlan(log.rows, 'default', ['p'])).toMatchObject({ deletes: ['p', 'd'] })
})

const seed = 620_062
const names = fc.constantFrom('s0', 's1', 's2', 's3', 's4', 's5', 's6')
const graph = fc.array(fc.tuple(fc.constantFrom('delegate', 'branch', 'reset', 'untyped'), names), {
  minLength: 7,
  maxLength: 7,
})

prop.prop([graph, fc.uniqueArray(names, { maxLength: 3 })], { seed, numRuns: 500 })(
  `15, 62: on any graph, circles too, a deletion takes exactly what a path of delegate edges leads to (seed ${seed})`,
  (parents, seeds) => {
    const log = new SessionLog()
    for (const [index, [kind, parent]] of parents.entries()) {
      const session = `s${index}`
      if (kind === 'branch') log.add(session, branched(session, parent, 0, null))
      else log.add(session, started(session, { origin: { kind, session: parent } }))
    }
    const isUnder = (session: string, steps: number): boolean => {
      if (seeds.some((one) => one === session)) return true
      const [kind, parent] = parents[Number(session.slice(1))] ?? []
      return steps > 0 && kind === 'delegate' && parent !== undefined && isUnder(parent, steps - 1)
    }
    const expected = parents.map((_, index) => `s${index}`).filter((session) => isUnder(session, 7))
    expect(deletionPlan(log.rows, 'default', seeds).deletes.toSorted()).toEqual(expected)
  },
)

const used = (key: string, input: number, more: object = {}) => ({
  type: 'UsageRecorded' as const,
  data: { key, tokens: { input }, model: 'opus', costUsd: 0.5, ...more },
})

test('74: usage is the sum of what was recorded, each key once, own and with delegates apart', () => {
  const log = new SessionLog()
  log.add('p', started('p'))
  log.add('d', delegated('d', 'p'))
  log.add('p', used('q1', 10))
  log.add('p', used('q1', 10))
  log.add('p', used('q2', -3, { task: 'compaction', at: Date.UTC(2026, 0, 2) }))
  log.add('d', used('q1', 100, { model: 'gpt' }))
  log.add('other', used('q1', 1000))
  const inputs = (query: Partial<UsageQuery>) =>
    usageReport(log.rows, { namespace: 'default', ...query }).lines.map(({ group, input }) => [group, input])
  expect(inputs({ stream: streamOf('p') })).toEqual([[null, 7]])
  expect(inputs({ stream: streamOf('p'), withDelegates: true })).toEqual([[null, 107]])
  expect(inputs({ stream: streamOf('p'), withDelegates: true, by: 'model' })).toEqual([
    ['gpt', 100],
    ['opus', 7],
  ])
  expect(inputs({ stream: streamOf('p'), by: 'day' })).toEqual([
    ['2026-01-02', -3],
    ['2026-06-19', 10],
  ])
  expect(inputs({ by: 'session' })).toEqual([
    ['d', 100],
    ['other', 1000],
    ['p', 7],
  ])
  expect(inputs({ by: 'task' })).toEqual([
    [null, 1110],
    ['compaction', -3],
  ])
})

test('what a deleted session or delegate spent stays spent, and is not named', () => {
  const log = new SessionLog()
  log.add('p', started('p'))
  log.add('d', delegated('d', 'p'))
  log.add('p', used('q1', 10))
  log.add('d', used('q1', 100))
  log.add('d', deleted('x', 'd'))
  const report = (query: Partial<UsageQuery>) => usageReport(log.rows, { namespace: 'default', ...query })
  expect(report({}).total).toMatchObject({ input: 110, costUsd: 1 })
  expect(report({ stream: streamOf('p'), withDelegates: true }).total).toMatchObject({ input: 110, costUsd: 1 })
  expect(report({ by: 'session' }).lines.map(({ group, input }) => [group, input])).toEqual([
    [null, 100],
    ['p', 10],
  ])
})
