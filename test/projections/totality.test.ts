import { test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { contextPlan, listSessions, transcriptPage, type TranscriptPageQuery } from '@refold/projections'
import { rawHistory, rawSessions } from '../support/raw-events.ts'
import { SessionLog, streamOf } from '../support/session-log.ts'
import { naiveTranscripts } from './naive-transcript.ts'

const seed = 61_119
const check = { seed, numRuns: 200 }

const messagesIn = (log: SessionLog, session: string, query: TranscriptPageQuery): readonly string[] => {
  const page = transcriptPage(log.rows, streamOf(session), query)
  if (!page.ok) throw new Error(page.code)
  return page.entries.filter(({ kind }) => kind === 'message').map(({ id }) => id)
}

test.prop([rawHistory], check)(
  `8: any well-formed events give the transcripts that a slow and obvious replay gives (seed ${seed})`,
  (history) => {
    const log = new SessionLog().addAll(history)
    const expected = naiveTranscripts(log.events)
    for (const session of rawSessions) {
      const messages = expected.get(streamOf(session)) ?? []
      expect(messagesIn(log, session, { limit: 1000 })).toEqual(messages)
      expect(log.rows.tips.get(streamOf(session))?.messages ?? 0).toBe(messages.length)
    }
  },
)

test.prop([rawHistory], check)(
  `every past revision reads as it read when it was the newest (seed ${seed})`,
  (history) => {
    const log = new SessionLog()
    // Forgetting holds for the past, too: it is the one thing that may change what a past revision says.
    const remembered = history.filter(({ event }) => event.type !== 'Redacted' && event.type !== 'PurgeStarted')
    const then: { session: string; at: number; messages: readonly string[]; context: unknown }[] = []
    for (const { session, event, ...more } of remembered) {
      log.add(session, event, more)
      const messages = messagesIn(log, session, { limit: 1000 })
      then.push({ session, at: log.head(session), messages, context: contextPlan(log.rows, streamOf(session)) })
    }
    for (const { session, at, messages, context } of then) {
      expect(messagesIn(log, session, { limit: 1000, at })).toEqual(messages)
      expect(contextPlan(log.rows, streamOf(session), at)).toEqual(context)
    }
  },
)

test.prop([rawHistory], check)(`52: totals count the rows that the pages give (seed ${seed})`, (history) => {
  const log = new SessionLog().addAll(history)
  for (const filter of [{}, { archived: true }, { all: true }, { all: true, search: 'A' }])
    for (const sort of ['activity', 'start', 'title'] as const) {
      const seen: string[] = []
      let cursor: string | null = null
      let total = 0
      do {
        const page = listSessions(log.rows, {
          namespace: 'default',
          ...filter,
          sort,
          limit: 1,
          ...(cursor === null ? {} : { cursor }),
        })
        if (!page.ok) throw new Error(page.code)
        total = page.total
        cursor = page.cursor
        seen.push(...page.sessions.map((tip) => tip.session))
      } while (cursor !== null)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toHaveLength(total)
    }
})

test.prop([rawHistory], check)(`54: no two sessions that are there show one title (seed ${seed})`, (history) => {
  const log = new SessionLog()
  for (const { session, event, ...more } of history) {
    log.add(session, event, more)
    const shown = rawSessions
      .flatMap((one) => log.rows.tips.get(streamOf(one)) ?? [])
      .filter((tip) => !tip.deleted && tip.title !== null)
      .map((tip) => tip.title?.normalize('NFC'))
    expect(new Set(shown).size).toBe(shown.length)
  }
})
