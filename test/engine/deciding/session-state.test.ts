import { test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { Recorded, SessionEvent } from '@refold/events'
import { evolveSession } from '../../../packages/engine/src/deciding/evolve-session.ts'
import { initialSession, type SessionState } from '../../../packages/engine/src/deciding/session-state.ts'
import { decodeState, encodeState } from '../../../packages/engine/src/deciding/state-snapshot.ts'
import { message, started } from '../../support/command-spec.ts'
import { rawHistory } from '../../support/raw-events.ts'
import { SessionLog, type Said } from '../../support/session-log.ts'

const logOf = (said: readonly Said[]): readonly Recorded[] => {
  const log = new SessionLog()
  log.addAll(said)
  return log.events
}
const stateOf = (events: readonly Recorded[], from = initialSession): SessionState => events.reduce(evolveSession, from)
const of = (...events: SessionEvent[]): SessionState => stateOf(logOf(events.map((event) => ({ session: 's', event }))))

describe('a session’s state', () => {
  property.prop([rawHistory])('takes any well-formed events in any order', (history) => {
    for (const session of ['s1', 's2', 's3', 's4']) {
      const own = logOf(history.filter((said) => said.session === session))
      const state = stateOf(own)
      expect(state.revision).toBe(own.length - 1)
      expect(new Set(state.segments).size).toBe(state.segments.length)
      expect(new Set(state.rewinds.map(({ id }) => id)).size).toBe(state.rewinds.length)
    }
  })

  property.prop([rawHistory])('survives being written down at any point', (history) => {
    const own = logOf(history.filter((said) => said.session === 's1'))
    const middle = Math.floor(own.length / 2)
    const kept = decodeState(encodeState(stateOf(own.slice(0, middle))))
    expect(stateOf(own.slice(middle), kept)).toEqual(stateOf(own))
  })

  test('stays small however long the session is', () => {
    const messages = Array.from({ length: 5_000 }, (_, index) => message(`m${index}`, 'user', 'x'.repeat(100)))
    const short = JSON.stringify(encodeState(of(started, ...messages.slice(0, 10)))).length
    const long = JSON.stringify(encodeState(of(started, ...messages))).length
    expect(long - short).toBeLessThan(10)
  })

  test('holds no text', () => {
    const state = of(
      started,
      message('m1', 'user', 'secret words'),
      { type: 'SettingChanged', data: { key: 'goal', value: 'secret goal' } },
      { type: 'SettingChanged', data: { key: 'system-prompt', value: 'secret prompt' } },
      { type: 'Noted', data: { note: 'n', kind: 'k', shownTo: 'none', text: 'secret note' } },
    )
    expect(JSON.stringify(encodeState(state))).not.toContain('secret')
  })

  test('only its first start counts', () => {
    const again: SessionEvent = {
      type: 'SessionStarted',
      data: { session: 'other', origin: { kind: 'reset', session: 'x' } },
    }
    expect(of(started, again)).toMatchObject({ session: 's', origin: { kind: 'root' } })
  })

  test('forgets a title that is purged', () => {
    const log = logOf([
      { session: 's', event: started },
      { session: 's', event: { type: 'Renamed', data: { title: 'secret', by: 'person' } } },
    ])
    const eventIds = [log[1]?.id ?? '']
    const purge: SessionEvent = { type: 'PurgeStarted', data: { purgeId: 'p', eventIds, kept: [] } }
    const [, , last] = logOf([
      { session: 's', event: started },
      { session: 's', event: { type: 'Renamed', data: { title: 'secret', by: 'person' } } },
      { session: 's', event: purge },
    ])
    expect(last && evolveSession(stateOf(log), last).title).toBe(null)
  })
})
