import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { Part, Recorded, SessionEvent } from '@refold/events'
import {
  applyChange,
  findEntry,
  fold,
  immerRows,
  levelsOf,
  plainRows,
  tables,
  transcriptPage,
  type Tables,
} from '@refold/projections'
import { entriesOf, rendered, shown, shownMessages, tipOf } from '../support/read-log.ts'
import { rawHistory, rawSessions } from '../support/raw-events.ts'
import { asks, compacted, rewound, SessionLog, streamOf, undone } from '../support/session-log.ts'

const seed = 71_120
const check = { seed, numRuns: 150 }

const all = { prefix: [], limit: Infinity }
const allRows = (rows: SessionLog['rows']) =>
  Object.entries(rows).map(([name, table]) => [name, table.range('key', all)])

test.prop([rawHistory, fc.nat(60)], check)(
  `18: a compaction changes nothing that a person reads but its mark (seed ${seed})`,
  (history, watermark) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const before = shown(log, session)
      log.add(session, compacted('new', watermark, ['m1']))
      expect(shown(log, session).filter((entry) => entry !== 'compaction:new')).toEqual(before)
    }
  },
)

test.prop([rawHistory, fc.integer({ min: 1, max: 5 })], check)(
  `40: pages of any size, one after another, are the whole (seed ${seed})`,
  (history, limit) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const whole = entriesOf(log, session)
      const pages: (typeof whole)[] = []
      let cursor: string | null = null
      do {
        const page = transcriptPage(log.rows, streamOf(session), { limit, ...(cursor === null ? {} : { cursor }) })
        if (!page.ok) throw new Error(page.code)
        pages.unshift(page.entries)
        cursor = page.cursor
        expect(cursor === null || page.entries.length === limit).toBe(true)
      } while (cursor !== null)
      expect(pages.flat()).toEqual(whole)
    }
  },
)

test.prop([rawHistory, fc.nat()], check)(
  `80: a rewind and its undo are nothing; undoing that is the rewind (seed ${seed})`,
  (history, pick) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const messages = shownMessages(log, session)
      const target = [...messages, null][pick % (messages.length + 1)] ?? null
      const before = { shown: shown(log, session), context: rendered(log, session) }
      log.add(session, rewound('back', target))
      const after = { shown: shownMessages(log, session), context: rendered(log, session) }
      log.add(session, undone('back', 'forth'))
      expect({ shown: shown(log, session), context: rendered(log, session) }).toEqual(before)
      expect(tipOf(log, session).messages).toBe(messages.length)
      log.add(session, undone('forth', 'again'))
      expect({ shown: shownMessages(log, session), context: rendered(log, session) }).toEqual(after)
    }
  },
)

/** Events after which the context may be another one; after all others it only grows at its end. */
const changing: readonly SessionEvent['type'][] = [
  'SessionStarted',
  'SettingChanged',
  'Compacted',
  'CompactionUndone',
  'WireFormSet',
  'Rewound',
  'RewindUndone',
  'MessageEdited',
  'Redacted',
  'TurnEnded',
]

test.prop([rawHistory], check)(
  `46: between changes the context only grows at its end, repairs included, byte for byte (seed ${seed})`,
  (history) => {
    const log = new SessionLog()
    for (const { session, event, ...more } of history) {
      const before = JSON.stringify(rendered(log, session).messages)
      const isKnownMessage =
        event.type === 'MessageAppended' &&
        findEntry(log.rows, levelsOf(log.rows, streamOf(session)), 'message', event.data.id) !== undefined
      log.add(session, event, more)
      if (changing.includes(event.type) || isKnownMessage) continue
      expect(JSON.stringify(rendered(log, session).messages).startsWith(before.slice(0, -1))).toBe(true)
    }
  },
)

test.prop([rawHistory], check)(
  `47: every call has its one result before anything else follows, and every result its call (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      log.add(session, asks('the end'))
      let waiting: string[] = []
      for (const message of rendered(log, session).messages) {
        const made: string[] = []
        for (const part of message.parts) {
          if (part.type === 'tool-call') made.push(part.id)
          if (part.type !== 'tool-result') continue
          const calls = made.includes(part.toolCallId) ? made : waiting
          expect(calls).toContain(part.toolCallId)
          calls.splice(calls.indexOf(part.toolCallId), 1)
        }
        const isOnlyResults = message.parts.length > 0 && message.parts.every(({ type }) => type === 'tool-result')
        if (isOnlyResults) continue
        expect(waiting).toEqual([])
        waiting = made
      }
      expect(waiting).toEqual([])
    }
  },
)

test.prop([rawHistory], check)(
  `35, 36: nothing is shown twice, and no session shows what only the model may see (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    for (const session of rawSessions) {
      const entries = shown(log, session)
      expect(new Set(entries).size).toBe(entries.length)
      for (const { first } of entriesOf(log, session)) {
        const event = log.events.find(({ stream, revision }) => stream === first.stream && revision === first.revision)
        expect(event?.type === 'MessageAppended' && event.data.shownTo === 'model').toBe(false)
      }
    }
  },
)

test.prop([rawHistory], check)(
  `6: the same events give the same rows in every port, and its changes rebuild them elsewhere (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    const { rows, takeChanges } = immerRows<Tables>(tables)
    const elsewhere = plainRows<Tables>(tables)
    for (const event of log.events) {
      fold(event, rows)
      for (const change of takeChanges()) expect(applyChange(elsewhere, change)).toBe(true)
    }
    expect(allRows(rows)).toEqual(allRows(log.rows))
    expect(allRows(elsewhere)).toEqual(allRows(log.rows))
  },
)

test.prop([rawHistory], check)(
  `22: rows fold to the same whether a redacted text is read before or after it was overwritten (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history.filter(({ event }) => event.type !== 'Renamed'))
    const targets = new Set(
      log.events.flatMap((event) =>
        event.type === 'Redacted' ? event.data.targets.map(({ revision }) => `${revision} ${event.stream}`) : [],
      ),
    )
    const after = plainRows<Tables>(tables)
    for (const event of log.events)
      fold(targets.has(`${event.revision} ${event.stream}`) ? masked(event) : event, after)
    expect(allRows(after)).toEqual(allRows(log.rows))
  },
)

/** What a redaction leaves of a message. */
function masked(event: Recorded): Recorded {
  if (event.type !== 'MessageAppended' && event.type !== 'MessageEdited') return event
  const hidden = event.data.parts.map((part): Part => (part.type === 'text' ? { ...part, text: '█'.repeat(5) } : part))
  return event.type === 'MessageAppended'
    ? { ...event, data: { ...event.data, parts: hidden } }
    : { ...event, data: { ...event.data, parts: hidden } }
}
