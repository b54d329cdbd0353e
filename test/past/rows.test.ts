import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import {
  absences,
  contextChanges,
  contextDigest,
  contextPlan,
  heirsOf,
  lookupMessage,
  placeOfMessage,
  recordedAfter,
  settingsOf,
  titleAt,
  transcriptChanges,
  usageReport,
  whyMessage,
  type PlannedEntry,
} from '@refold/projections'
import { rawHistory, rawSessions } from '../support/raw-events.ts'
import { entriesOf } from '../support/read-log.ts'
import { sha256 } from '../support/sha256.ts'
import { SessionLog, START, streamOf, type Said } from '../support/session-log.ts'

const seed = 40_417
const check = { seed, numRuns: 50 }

/** Forgetting holds for the past, too: it is the one thing that may change what a past revision says. */
const remembered = (history: readonly Said[]): readonly Said[] =>
  history.filter(({ event }) => event.type !== 'Redacted' && event.type !== 'PurgeStarted')

/** All that a session is, apart from where in the list it stands. */
function stateOf(log: SessionLog, session: string, at?: number): object {
  const stream = streamOf(session)
  const asOf = at === undefined ? {} : { at }
  const plan = contextPlan(log.rows, stream, at)
  return {
    entries: entriesOf(log, session, asOf),
    context: plan,
    digest: contextDigest(sha256, plan),
    title: titleAt(log.rows, stream, at),
    settings: settingsOf(log.rows, stream, at).map(({ name, value }) => [name, value]),
    usage: usageReport(log.rows, { namespace: 'default', stream, by: 'day', ...asOf }),
  }
}

const listed = (log: SessionLog, session: string): object | undefined => {
  const tip = log.rows.tips.get(streamOf(session))
  return tip && { title: tip.title, titleBy: tip.titleBy }
}

test.prop([rawHistory], check)(
  `any revision reads as the log up to there folds: transcript, context, title, settings, usage (seed ${seed})`,
  (history) => {
    const whole = new SessionLog().addAll(remembered(history))
    const log = new SessionLog()
    const then = new Map<string, { readonly session: string; readonly at: number; readonly state: object }>()
    for (const { session, event, ...more } of remembered(history)) {
      log.add(session, event, more)
      // What others did meanwhile counts until the session's own next event.
      for (const one of rawSessions) {
        const at = log.head(one)
        then.set(`${one} ${at}`, { session: one, at, state: stateOf(log, one) })
        if (listed(log, one)) expect(titleAt(log.rows, streamOf(one))).toEqual(listed(log, one))
      }
    }
    for (const { session, at, state } of then.values()) expect(stateOf(whole, session, at)).toEqual(state)
  },
)

const counted = <T>(entries: readonly T[]) => ({ count: entries.length, entries })
const keyOf = ({ kind, id }: PlannedEntry): string => `${kind} ${id}`

test.prop([rawHistory, fc.nat(40), fc.nat(40)], check)(
  `the changes between two revisions are what both transcripts, read whole, differ in (seed ${seed})`,
  (history, one, other) => {
    const log = new SessionLog().addAll(remembered(history))
    for (const session of rawSessions) {
      const count = log.head(session) + 2
      const [a, b] = [(one % count) - 1, (other % count) - 1]
      const [before, after] = [entriesOf(log, session, { at: a }), entriesOf(log, session, { at: b })]
      const was = new Map(before.map((entry) => [keyOf(entry), entry]))
      const is = new Map(after.map((entry) => [keyOf(entry), entry]))
      const changed = after.flatMap((entry) => {
        const then = was.get(keyOf(entry))
        return then && JSON.stringify(then) !== JSON.stringify(entry) ? [{ before: then, after: entry }] : []
      })
      expect(transcriptChanges(log.rows, streamOf(session), a, b)).toEqual({
        gained: counted(after.filter((entry) => !was.has(keyOf(entry)))),
        lost: counted(before.filter((entry) => !is.has(keyOf(entry)))),
        changed: counted(changed),
      })
    }
  },
)

test.prop([rawHistory, fc.nat(40), fc.nat(40)], check)(
  `what a context lost between two revisions has a reason, and it is true (seed ${seed})`,
  (history, one, other) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const stream = streamOf(session)
      const count = log.head(session) + 2
      const [a, b] = [(one % count) - 1, (other % count) - 1]
      const [before, after] = [contextPlan(log.rows, stream, a), contextPlan(log.rows, stream, b)]
      const { added, removed, changed } = contextChanges(before, after)
      const kept = before.messages.filter((message) => !removed.includes(message))
      expect(kept.map(({ id }) => id)).toEqual(
        after.messages.filter((message) => !added.includes(message)).map(({ id }) => id),
      )
      for (const { before: then, after: now } of changed) expect(then.id).toBe(now.id)
      const why = absences(log.rows, stream, b)
      const atEnd = new Set(after.messages.map(({ id }) => id))
      for (const { kind, id } of removed) {
        const absence = why(kind, id)
        expect(atEnd.has(id)).toBe(false)
        if (absence.because === 'covered') expect(absence.compaction).toBe(after.summary?.id)
        if (absence.because === 'rewound') expect(absence.by.length).toBeGreaterThan(0)
        if (absence.because === 'unknown') expect(b).toBeLessThan(a)
      }
    }
  },
)

test.prop(
  [fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 900, size: 'max' }), fc.integer({ min: -9, max: 9 })],
  {
    seed,
    numRuns: 40,
  },
)(
  `a time is found where a walk through all times finds it, also after the clock went back (seed ${seed})`,
  (steps, near) => {
    const log = new SessionLog()
    let now = START
    for (const step of steps) {
      now += step
      log.add('s', { type: 'Archived', data: { by: 'idle' } }, { recordedAt: now })
    }
    const time = START + near
    const ranges = recordedAfter(log.rows, streamOf('s'), time)
    const walked = log.events.findIndex(({ recordedAt }) => recordedAt > time)
    const found = ranges
      .flatMap(({ from, to }) => log.events.slice(from, to))
      .find(({ recordedAt }) => recordedAt > time)
    expect(found?.revision ?? -1).toBe(walked)
    const [first] = ranges
    if (first && found) expect(found.revision).toBeLessThan(first.to)
  },
)

test('a time is found among events that this build does not know, too', () => {
  const log = new SessionLog()
  const known = new SessionLog()
  for (const [time, isKnown] of [
    [1, true],
    [5, false],
    [2, true],
    [7, false],
  ] as const) {
    const event = log.add('s', { type: 'Archived', data: { by: 'idle' } }, { recordedAt: time })
    if (isKnown) known.addRecorded(event)
  }
  const firstAfter = (time: number): number | undefined =>
    recordedAfter(known.rows, streamOf('s'), time)
      .flatMap(({ from, to }) => log.events.slice(from, to))
      .find(({ recordedAt }) => recordedAt > time)?.revision
  expect([0, 1, 4, 5, 6, 7].map(firstAfter)).toEqual([0, 1, 1, 3, 3, undefined])
})

test.prop([rawHistory], check)(
  `whatever changes of a message in the transcript, why knows the event (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const stream = streamOf(session)
      let before = new Map<string, string>()
      for (let at = 0; at <= log.head(session); at++) {
        const messages = entriesOf(log, session, { at }).filter(({ kind }) => kind === 'message')
        const now = new Map(messages.map((entry) => [entry.id, JSON.stringify(entry)]))
        for (const id of new Set([...before.keys(), ...now.keys()])) {
          if (before.get(id) === now.get(id)) continue
          const touches = whyMessage(log.rows, stream, id) ?? []
          expect(touches.map((touch) => `${touch.revision} ${touch.stream}`)).toContain(`${at} ${stream}`)
        }
        before = now
      }
    }
  },
)

test.prop([rawHistory], check)(
  `where a message is, is where the transcript shows it; branches that begin with it have it (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const stream = streamOf(session)
      const shown = entriesOf(log, session).filter(({ kind }) => kind === 'message')
      for (const id of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'nowhere']) {
        const found = lookupMessage(log.rows, stream, id)
        const place = placeOfMessage(log.rows, stream, 'message', id)
        const number = shown.findIndex((entry) => entry.id === id) + 1
        expect(place === undefined).toBe(found?.kind !== 'message')
        expect(place?.shown === true ? [place.number, place.of] : null).toEqual(
          number > 0 ? [number, shown.length] : null,
        )
        for (const heir of found ? heirsOf(log.rows, stream, found) : [])
          expect(lookupMessage(log.rows, streamOf(heir.session), id)?.first).toEqual(found?.first)
      }
    }
  },
)
