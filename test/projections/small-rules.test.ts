import { fc, test as prop } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { blobsOf, hiddenAt, ownTime, renderTranscript, utf8Bytes, type RewindRow } from '@refold/projections'
import { contentOf, entriesOf } from '../support/read-log.ts'
import { asks, compacted, SessionLog, START } from '../support/session-log.ts'

const interval = (fromEntry: number, toEntry: number, revision: number, until: number | null = null): RewindRow => ({
  stream: 's',
  undoId: `${fromEntry}`,
  fromEntry,
  toEntry,
  revision,
  until,
  open: until === null,
  next: toEntry,
  shownAtNext: toEntry,
  shownAtFrom: fromEntry,
  shownAtTo: toEntry,
  undoes: null,
  single: false,
})

test('hidden is the union of the rewinds open at a revision, sorted and merged', () => {
  const rewinds = [
    interval(8, 9, 12),
    interval(3, 5, 10),
    interval(4, 7, 11, 13),
    interval(7, 7, 9),
    interval(0, 1, 20),
  ]
  const ranges = (revision: number) => hiddenAt(rewinds, revision).map(({ from, to }) => [from, to])
  expect(ranges(9)).toEqual([])
  expect(ranges(10)).toEqual([[3, 5]])
  expect(ranges(12)).toEqual([
    [3, 7],
    [8, 9],
  ])
  expect(ranges(13)).toEqual([
    [3, 5],
    [8, 9],
  ])
})

const seed = 91_122
const revision = fc.nat(12)
const rewind = fc
  .tuple(fc.nat(9), fc.nat(9), revision, fc.option(revision))
  .map(([a, b, made, until]) => interval(Math.min(a, b), Math.max(a, b), made, until))

prop.prop([fc.array(rewind, { maxLength: 8 }), revision], { seed, numRuns: 500 })(
  `hidden ranges hold exactly the entries that some open rewind holds, and never touch (seed ${seed})`,
  (rewinds, at) => {
    const ranges = hiddenAt(rewinds, at)
    const open = rewinds.filter((one) => one.revision <= at && (one.until === null || one.until > at))
    for (let n = 0; n < 10; n++)
      expect(ranges.some(({ from, to }) => from <= n && n < to)).toBe(
        open.some(({ fromEntry, toEntry }) => fromEntry <= n && n < toEntry),
      )
    for (const [index, { from, to }] of ranges.entries()) {
      expect(from).toBeLessThan(to)
      expect(from).toBeGreaterThan(ranges[index - 1]?.to ?? -1)
    }
  },
)

prop.prop([fc.string({ unit: 'binary' })], { seed })(`sizes are those of UTF-8 (seed ${seed})`, (text) => {
  expect(utf8Bytes(text)).toBe(Buffer.byteLength(text))
})

test.each([
  [undefined, undefined],
  [Number.NaN, undefined],
  [Infinity, undefined],
  [0, undefined],
  [-1, undefined],
  [Date.UTC(1999, 11, 31), undefined],
  [Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1)],
  [START - 1, START - 1],
  [START + 1, START],
])('a given time of %s is taken for %s', (at, taken) => {
  expect(ownTime(at, START)).toBe(taken)
})

const large = (blob: string) => ({ blob: blob.repeat(64), bytes: 20_000, head: `head of ${blob}` })

test('large texts are put in place; where a blob is gone their head stays', () => {
  const log = new SessionLog()
  const message = log.add('s', asks('m1', '', { parts: [{ type: 'text', text: large('a') }] }))
  log.add('s', compacted('k1', 0, [], { summary: large('b') }))
  expect(blobsOf(message)).toEqual(['a'.repeat(64)])
  const entries = renderTranscript(entriesOf(log, 's'), contentOf(log, { ['a'.repeat(64)]: 'whole text' }))
  expect(entries).toMatchObject([
    { parts: [{ type: 'text', text: 'whole text' }] },
    { details: { summary: 'head of b' } },
  ])
})

test('an unfinished answer is no fault while its turn is at work', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'Hel', { partial: 1, turn: 't1' }))
  const state = (liveTurn: string | null) => renderTranscript(entriesOf(log, 's'), contentOf(log), { liveTurn })
  expect(state('t1')).toMatchObject([{ state: 'complete' }])
  expect(state(null)).toMatchObject([{ state: 'partial' }])
})
