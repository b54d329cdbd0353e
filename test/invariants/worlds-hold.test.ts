import { describe, expect, test } from 'vitest'
import { isKnown, parseSessionStream, type EventType } from '@refold/events'
import { contextOf, sure, transcriptOf } from '../support/facade-world.ts'
import { allReads, logHead, readBy } from './conversation.ts'
import { eachSession, finishedWorlds, ofType, type LivingSession } from './finished-worlds.ts'

const seed = 4_711
const { each } = finishedWorlds(seed)

const everySession = (ask: (session: LivingSession) => Promise<void>): Promise<void> =>
  each((one) => eachSession(one, ask))

/** After these the context may be another one: they change what stood before, or how it is sent. */
const changesContext: ReadonlySet<EventType> = new Set<EventType>([
  'SessionStarted',
  'SettingChanged',
  'Compacted',
  'CompactionUndone',
  'WireFormSet',
  'Rewound',
  'RewindUndone',
  'MessageEdited',
  'TurnEnded',
])

describe(`in random worlds (seed ${seed})`, () => {
  test('A1: a message keeps its id, and no two messages of a session share one', () =>
    everySession(async ({ handle, events }) => {
      const complete = ofType(events, 'MessageAppended').filter(({ data }) => data.partial === undefined)
      expect(new Set(complete.map(({ data }) => data.id)).size).toBe(complete.length)
      const read = await readBy(handle)
      expect(new Set(read).size).toBe(read.length)
    }))

  test('A3, B8: messages stand in the order of their appends, whatever their clocks say', () =>
    everySession(async ({ handle, events }) => {
      const first = new Map<string, number>()
      for (const { data, position } of ofType(events, 'MessageAppended'))
        first.set(data.id, first.get(data.id) ?? position)
      const { entries } = await transcriptOf(handle)
      const own = entries.filter(({ kind, inherited }) => kind === 'message' && !inherited)
      const positions = own.map(({ id }) => first.get(id) ?? -1)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    }))

  test('A4: a platform id stands once in a session', () =>
    everySession(async ({ events }) => {
      const ids = ofType(events, 'MessageAppended').flatMap(({ data }) =>
        data.platformId === undefined || data.partial !== undefined ? [] : [data.platformId],
      )
      expect(new Set(ids).size).toBe(ids.length)
    }))

  test('A5, B5: saving again everything that was ever said writes nothing', () =>
    everySession(async ({ handle, events, stage }) => {
      const before = await stage.store.logHead()
      const all = ofType(events, 'MessageAppended').map(({ data: { turn: _turn, ...said } }) => said)
      if (all.length > 0)
        expect(sure(await handle.append(all))).toMatchObject({ appended: 0, alreadyThere: all.length })
      expect(await stage.store.logHead()).toEqual(before)
    }))

  test('A10, B4: a session is of the kind that its own first event says, whoever asks', () =>
    everySession(async ({ handle, events, session, stage, index, namespace }) => {
      const [started] = ofType(events, 'SessionStarted')
      const kind = started?.data.origin.kind
      expect(session.origin.kind).toBe(kind)
      expect(sure(await handle.lineage()).parents.map((parent) => parent.kind)).toEqual(kind === 'root' ? [] : [kind])
      const { sessions } = sure(await stage.engine(index, 1).list({ all: true, limit: 1_000 }))
      const row = sessions.find(({ id }) => id === session.id)
      const isOrphan = namespace.sessions.get(session.origin.session ?? '')?.deleted
      const was = kind === 'root' ? {} : { was: kind }
      expect(row?.origin).toMatchObject(isOrphan ? { kind: 'root', ...was } : { kind })
    }))

  test('A13, B20: a branch begins with what its origin showed at the cut, whatever the origin did since', async () => {
    let branches = 0
    await everySession(async ({ handle, events, stage, index }) => {
      const [started] = ofType(events, 'SessionStarted')
      const origin = started?.data.origin
      const changesItself = events.some(({ type }) => ['Rewound', 'MessageEdited', 'RewindUndone'].includes(type))
      if (origin?.kind !== 'branch' || origin.cut.through === null || changesItself) return
      const opened = sure(await stage.engine(index, 0).session(origin.session))
      const then = await opened.handle.transcript({ limit: 1_000, at: origin.cut.asOf })
      if (!('entries' in then)) return
      const messages = then.entries.filter(({ kind }) => kind === 'message')
      const through = origin.cut.through.message
      const last = messages.findIndex(({ id }) => id === through)
      expect(last).toBeGreaterThanOrEqual(0)
      const { entries } = await transcriptOf(handle)
      const inherited = entries.filter((entry) => entry.kind === 'message' && entry.inherited)
      const said = (entry: (typeof entries)[number]) => [entry.id, entry.kind === 'message' && entry.parts, entry.at]
      expect(inherited.map(said)).toEqual(messages.slice(0, last + 1).map(said))
      branches += 1
    })
    expect(branches).toBeGreaterThan(0)
  })

  test('A18, A34, A55, A75, B3: a compaction, its undoing and a rotation change no message that is read, no title and no setting', async () => {
    const met = new Set<EventType>()
    await everySession(async ({ handle, events }) => {
      const at = async (revision: number) => ({
        messages: sure(await handle.transcript({ limit: 1_000, at: revision })).entries.filter(
          ({ kind }) => kind === 'message',
        ),
        title: await handle.title({ at: revision }),
        settings: await handle.settings({ at: revision }),
      })
      for (const { type, revision } of events) {
        if (type !== 'Compacted' && type !== 'CompactionUndone' && type !== 'Rotated') continue
        expect(await at(revision)).toEqual(await at(revision - 1))
        met.add(type)
      }
    })
    expect([...met].toSorted((a, b) => a.localeCompare(b))).toEqual(['Compacted', 'CompactionUndone', 'Rotated'])
  })

  test('A17: no session, delegate or other, is a continuation of another one', () =>
    everySession(async ({ handle, namespace, session }) => {
      const others = [...namespace.sessions.keys()].filter((id) => id !== session.id)
      for (const segment of sure(await handle.lineage()).segments) expect(others).not.toContain(segment)
    }))

  test('A21, S3.1: what a compaction covers is exactly what the context held at its watermark', () =>
    everySession(async ({ handle, events }) => {
      for (const { data } of ofType(events, 'Compacted'))
        expect((await contextOf(handle, data.watermark)).digest).toBe(data.held)
    }))

  test('A24: every compaction that was taken made the context smaller, by the engine’s own measure', () =>
    everySession(async ({ events }) => {
      for (const { data } of ofType(events, 'Compacted'))
        expect(data.sizes.bytesAfter).toBeLessThan(data.sizes.bytesBefore)
    }))

  test('A25: after a compaction the context has a question of a person, where it had one', () =>
    everySession(async ({ handle, events, log }) => {
      const persons = new Set(
        ofType(log, 'MessageAppended').flatMap(({ data }) => (data.provenance === 'person' ? [data.id] : [])),
      )
      for (const { revision } of ofType(events, 'Compacted')) {
        const [before, after] = [await contextOf(handle, revision - 1), await contextOf(handle, revision)]
        const has = ({ messages }: typeof before): boolean => messages.some(({ id }) => persons.has(id))
        if (has(before)) expect(has(after)).toBe(true)
      }
    }))

  test('B13: what a compaction keeps parts no call from its result', () =>
    everySession(async ({ handle, events }) => {
      for (const { revision } of ofType(events, 'Compacted')) {
        const before = await contextOf(handle, revision - 1)
        const after = await contextOf(handle, revision)
        const repaired = ({ messages }: typeof before): readonly string[] =>
          messages.filter(({ repair }) => repair).map(({ id }) => id)
        for (const id of repaired(after)) expect(repaired(before)).toContain(id)
      }
    }))

  test('A9: no call in a context has two results, and no result stands without its call', () =>
    everySession(async ({ handle }) => {
      const open = new Map<string, number>()
      for (const { parts } of (await contextOf(handle)).messages)
        for (const part of parts) {
          if (part.type === 'tool-call') open.set(part.id, (open.get(part.id) ?? 0) + 1)
          if (part.type !== 'tool-result') continue
          expect(open.get(part.toolCallId)).toBeGreaterThan(0)
          open.set(part.toolCallId, (open.get(part.toolCallId) ?? 0) - 1)
        }
    }))

  test('A19: every message that was said and never rewound is read', () =>
    everySession(async ({ handle, events }) => {
      if (ofType(events, 'Rewound').length > 0) return
      const said = ofType(events, 'MessageAppended').filter(({ data }) => data.shownTo !== 'model')
      const { entries } = await transcriptOf(handle)
      const own = entries.filter(({ kind, inherited }) => kind === 'message' && !inherited).map(({ id }) => id)
      expect(own).toEqual([...new Set(said.map(({ data }) => data.id))])
    }))

  test('A35: each message is read once, at the place where it first appeared, however often it grew or was said again', () =>
    everySession(async ({ handle, events }) => {
      const first = new Map<string, number>()
      for (const { data, revision } of ofType(events, 'MessageAppended'))
        first.set(data.id, Math.min(first.get(data.id) ?? revision, revision))
      const { entries } = await transcriptOf(handle)
      const own = entries.filter(({ kind, inherited }) => kind === 'message' && !inherited).map(({ id }) => id)
      expect(own).toEqual([...new Set(own)].toSorted((a, b) => (first.get(a) ?? -1) - (first.get(b) ?? -1)))
    }))

  test('A36: no summary and nothing that only the model may see is read as a message', () =>
    everySession(async ({ handle, log, events }) => {
      const summaries = new Set(ofType(log, 'Compacted').map(({ data }) => data.compactionId))
      const { entries } = await transcriptOf(handle)
      const modelOnly = new Set(
        ofType(events, 'MessageAppended').flatMap(({ data }) => (data.shownTo === 'model' ? [data.id] : [])),
      )
      for (const { kind, id, inherited } of entries) {
        if (kind !== 'message') continue
        expect(summaries.has(id)).toBe(false)
        expect(!inherited && modelOnly.has(id)).toBe(false)
      }
    }))

  test('A39: a transcript is the same list through either engine, in pages, at its head and asked for twice', () =>
    everySession(async ({ handle, stage, index, session }) => {
      const whole = await transcriptOf(handle)
      const other = sure(await stage.engine(index, 1).session(session.id)).handle
      expect(await transcriptOf(other)).toEqual(whole)
      const { entries } = sure(await handle.transcript({ limit: 1_000, at: whole.revision }))
      expect(entries).toEqual(whole.entries)
    }))

  test('A40: pages of any size, one after another, are the whole, at the head and in the past', () =>
    everySession(async ({ handle, session }) => {
      const { entries: whole, revision } = await transcriptOf(handle)
      for (const limit of [1, 2, 3, 7, whole.length + 1]) {
        const pages: (typeof whole)[] = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const page = sure(
            await handle.transcript({ limit, at: revision, ...(cursor === undefined ? {} : { cursor }) }),
          )
          pages.unshift(page.entries)
          cursor = page.cursor
        }
        expect({ session: session.id, limit, entries: pages.flat() }).toEqual({
          session: session.id,
          limit,
          entries: whole,
        })
      }
    }))

  test('A45: a context is the summary, then what is live; reading and repairing it writes nothing', () =>
    everySession(async ({ handle, stage }) => {
      const before = await stage.store.logHead()
      const { messages } = await contextOf(handle)
      const summaries = messages.flatMap(({ standsFor }, place) => (standsFor === 'summary' ? [place] : []))
      expect([[], [0]]).toContainEqual(summaries)
      const ids = messages.filter(({ repair }) => !repair).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(await stage.store.logHead()).toEqual(before)
    }))

  test('A46: between changes of what was said before, the context only grows at its end, byte for byte', () =>
    everySession(async ({ handle, events }) => {
      let before: string | undefined
      const known = new Set<string>()
      for (const event of events) {
        const grows = event.type === 'MessageAppended' && known.has(event.data.id)
        if (event.type === 'MessageAppended') known.add(event.data.id)
        const after = JSON.stringify((await contextOf(handle, event.revision)).messages).slice(0, -1)
        if (before !== undefined && !grows && !changesContext.has(event.type))
          expect(after.startsWith(before)).toBe(true)
        before = after
      }
    }))

  test('A47: every call in a context has its one result before anything else follows, and every result its call', () =>
    everySession(async ({ handle }) => {
      let waiting: string[] = []
      for (const { parts } of (await contextOf(handle)).messages) {
        const made: string[] = []
        for (const part of parts) {
          if (part.type === 'tool-call') made.push(part.id)
          if (part.type !== 'tool-result') continue
          const calls = made.includes(part.toolCallId) ? made : waiting
          expect(calls).toContain(part.toolCallId)
          calls.splice(calls.indexOf(part.toolCallId), 1)
        }
        if (parts.every(({ type }) => type === 'tool-result')) continue
        expect(waiting).toEqual([])
        waiting = made
      }
    }))

  test('A49, B2: every id that was ever handed out leads to its session', () =>
    everySession(async ({ session, stage, index }) => {
      for (const segment of session.segments)
        expect(sure(await stage.engine(index, 0).session(segment)).session).toBe(session.id)
    }))

  test('A50: activity never lies before the start, and in no future', () =>
    each(async ({ stage }) => {
      for (const index of [0, 1])
        for (const { startedAt, lastActivityAt } of sure(await stage.engine(index, 0).list({ all: true, limit: 1_000 }))
          .sessions) {
          expect(lastActivityAt).toBeGreaterThanOrEqual(startedAt)
          expect(lastActivityAt).toBeLessThanOrEqual(stage.source.now())
        }
    }))

  test('A51, A52, B12: pages of any order and filter hold each row once, and as many as the total says', () =>
    each(async ({ stage }) => {
      for (const sort of ['activity', 'start', 'title'] as const)
        for (const filter of [
          {},
          { all: true },
          { archived: true },
          { all: true, search: 's' },
          { all: true, tag: 'red' },
        ]) {
          const query = { ...filter, sort, limit: 3 }
          const ids: string[] = []
          let { sessions, cursor, total } = sure(await stage.engine(0, 0).list(query))
          ids.push(...sessions.map(({ id }) => id))
          while (cursor !== null) {
            ;({ sessions, cursor } = sure(await stage.engine(0, 0).list({ ...query, cursor })))
            ids.push(...sessions.map(({ id }) => id))
          }
          expect(new Set(ids).size).toBe(ids.length)
          expect(ids).toHaveLength(total)
        }
    }))

  test('A48: each conversation is one row, and no delegate or segment is one in the plain list', () =>
    each(async ({ stage, world }) => {
      const { sessions } = sure(await stage.engine(0, 0).list({ limit: 1_000 }))
      const [namespace] = world.namespaces
      expect(new Set(sessions.map(({ id }) => id)).size).toBe(sessions.length)
      for (const { id, origin } of sessions) {
        expect(namespace.sessions.has(id)).toBe(true)
        expect(origin.kind).not.toBe('delegate')
      }
    }))

  test('A54: no two sessions have one title', () =>
    each(async ({ stage }) => {
      const { sessions } = sure(await stage.engine(0, 0).list({ all: true, limit: 1_000 }))
      const titles = sessions.flatMap(({ title }) => (title === null ? [] : [title.normalize('NFC')]))
      expect(new Set(titles).size).toBe(titles.length)
    }))

  test('A64, S7.6: nothing that is listed hangs on a deleted session', () =>
    each(async ({ stage, world }) => {
      const [namespace] = world.namespaces
      for (const { origin } of sure(await stage.engine(0, 0).list({ all: true, limit: 1_000 })).sessions)
        if ('session' in origin) expect(namespace.sessions.get(origin.session ?? '')?.deleted).toBe(null)
    }))

  test('A74, B21: a session’s usage is the sum of what was recorded, each key once, whatever else happened', () =>
    everySession(async ({ handle, events }) => {
      const recorded = ofType(events, 'UsageRecorded')
      expect(new Set(recorded.map(({ data }) => data.key)).size).toBe(recorded.length)
      const input = recorded.reduce((sum, { data }) => sum + (data.tokens.input ?? 0), 0)
      expect(sure(await handle.usage()).total.input).toBe(input)
    }))

  test('A83: a namespace shows nothing of another one, even where ids are the same', () =>
    everySession(async ({ handle, log, namespace }) => {
      const own = new Set(
        ofType(log, 'MessageAppended').flatMap(({ stream, data }) =>
          parseSessionStream(stream)?.namespace === namespace.name ? [data.id] : [],
        ),
      )
      for (const id of await readBy(handle)) expect(own.has(id)).toBe(true)
    }))

  test('B16: reading everything writes nothing and changes nothing', () =>
    everySession(async ({ handle, stage, index, session }) => {
      const before = await logHead(stage.engine(index, 0))
      const first = await allReads(handle)
      expect(await allReads(sure(await stage.engine(index, 0).session(session.id)).handle)).toEqual(first)
      expect(await logHead(stage.engine(index, 0))).toBe(before)
    }))

  test('B18: deleted stays deleted: a late writer is refused and nothing is written', () =>
    each(async ({ stage, world }) => {
      for (const { id, deleted } of world.namespaces[0].sessions.values()) {
        if (!deleted) continue
        const { handle } = sure(await stage.engine(0, 0).session(id))
        const before = await stage.store.logHead()
        for (const late of [
          await handle.append({ role: 'user', text: 'late' }),
          await handle.rename('Late'),
          await handle.rotate(),
          await handle.rewind({ to: 'start' }),
          await handle.spawn(),
          await handle.branch({ from: 'start' }),
          await handle.transcript(),
          await handle.context(),
        ])
          expect(late).toMatchObject({ ok: false, code: 'session-deleted' })
        expect(await stage.store.logHead()).toEqual(before)
      }
    }))

  test('B24: every event says who did it', () =>
    each(async ({ log }) => {
      for (const event of log.filter(isKnown)) expect(event.actor).toMatchObject({ kind: 'agent', id: 'refold' })
    }))
})
