import type { AnyRecorded, Blob, MessageAppended, Renamed, SessionEvent, SettingChanged } from '@refold/events'
import { encodeEvent, platformMessageId } from '@refold/events'
import { eventIdOf, platformNote } from '../commands/known-message.ts'
import { contentOf, contentOfEncoded } from '../commands/prepare-message.ts'
import { nextFreeNumber } from '../commands/next-free-number.ts'
import { numberedTitle } from '../commands/title-text.ts'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { refuse } from '../refusal.ts'
import { ClaimLedger } from './claim-ledger.ts'
import type { ImportedFact, ImportedSession, ImportWarning } from './import-facts.ts'

export interface AdmittedFacts {
  readonly appended: number
  readonly alreadyThere: number
  readonly messages: number
  readonly warnings: readonly ImportWarning[]
  readonly sessions: readonly string[]
}

/**
 * Lets an importer's facts into the log as they are, apart from what must hold for all: an event id stands once, a message
 * id stands once in its session, and ids, titles and routes have one holder. What was deleted is left alone.
 */
export function* admitFacts(
  desk: Desk,
  input: {
    readonly sessions: readonly ImportedSession[]
    readonly blobs: readonly Blob[]
    /** Refuses all when an id belongs to another session, instead of leaving that session out. */
    readonly allOrNone?: boolean
  },
): Deciding<AdmittedFacts> {
  const { sessions, blobs, allOrNone = false } = input
  const ledger = new ClaimLedger(desk)
  const plans: StreamPlan[] = []
  const warnings: ImportWarning[] = []
  let alreadyThere = 0
  for (const imported of sessions) {
    const admission = new Admission(
      desk,
      ledger,
      imported.session,
      yield* read.session(streamOf(desk, imported.session)),
    )
    const plan = yield* admission.admit(imported.facts)
    const taken = admission.warnings.find(({ code }) => code === 'id-taken')
    if (allOrNone && taken)
      return refuse('id-taken', { id: taken.about, holder: (yield* ledger.holder('id', taken.about)) ?? taken.about })
    plans.push(plan)
    warnings.push(...admission.warnings)
    alreadyThere += admission.alreadyThere
  }
  const events = plans.flatMap((plan) => plan.events)
  const answer: AdmittedFacts = {
    appended: events.length,
    alreadyThere,
    messages: events.filter(({ event }) => event.type === 'MessageAppended' && event.data.partial === undefined).length,
    warnings,
    sessions: sessions.map(({ session }) => session),
  }
  return { ok: true, session: '', stream: '', revision: -1, appends: [...ledger.appends(), ...plans], blobs, answer }
}

/** One session's facts on their way in. */
class Admission {
  readonly warnings: ImportWarning[] = []
  alreadyThere = 0
  readonly #desk: Desk
  readonly #ledger: ClaimLedger
  readonly #session: string
  readonly #stream: string
  readonly #state: SessionState
  readonly #events: PlannedEvent[] = []
  readonly #ids = new Map<string, SessionEvent>()
  #title: string | null
  #isStarted: boolean

  constructor(desk: Desk, ledger: ClaimLedger, session: string, state: SessionState) {
    this.#desk = desk
    this.#ledger = ledger
    this.#session = session
    this.#stream = streamOf(desk, session)
    this.#state = state
    this.#title = state.title?.text ?? null
    this.#isStarted = state.session !== null
  }

  *admit(facts: readonly ImportedFact[]): Reading<StreamPlan> {
    const expected = this.#state.revision < 0 ? 'no-stream' : this.#state.revision
    if (this.#state.deleted || this.#state.purged) this.#warn('skipped-deleted', this.#session, null)
    else if (yield* this.#isForeign(facts)) this.#warn('id-taken', this.#session, null)
    else for (const fact of facts) yield* this.#admitOne(fact)
    return { stream: this.#stream, expected, events: this.#events }
  }

  /** Another session has this id: these facts would mix with its own. */
  *#isForeign(facts: readonly ImportedFact[]): Reading<boolean> {
    const start = facts.find(({ event }) => event.type === 'SessionStarted')
    if (!start || (yield* read.find(this.#stream, start.id))) return false
    const holder = yield* this.#ledger.holder('id', this.#session)
    return this.#isStarted || (holder !== null && holder !== this.#session)
  }

  *#admitOne(fact: ImportedFact): Reading<void> {
    const { event } = fact
    const id = event.type === 'MessageAppended' ? eventIdOf(this.#desk, this.#stream, event.data) : fact.id
    if (!this.#isStarted && event.type !== 'SessionStarted') {
      if (!this.warnings.some(({ code }) => code === 'not-started')) this.#warn('not-started', this.#session, null)
      return
    }
    const found = this.#ids.get(id) ?? (yield* read.find(this.#stream, id))
    if (found) {
      this.alreadyThere += 1
      if (event.type === 'MessageAppended') this.#checkContent(event, found)
      return
    }
    const admitted = yield* this.#claimed(event)
    if (!admitted) return
    this.#write(admitted, id)
    if (admitted.type !== 'MessageAppended') return
    const { platformId } = admitted.data
    const derived = platformId === undefined ? null : platformMessageId(this.#desk.sha256, platformId)
    const message = { event: admitted, isPlatformsOwn: derived === admitted.data.id }
    for (const note of yield* platformNote(this.#desk, this.#stream, message))
      if (note.id !== undefined && !this.#ids.has(note.id)) this.#write(note.event, note.id)
  }

  /** The event with the names that it could have; undefined where it must be left out. */
  *#claimed(event: SessionEvent): Reading<SessionEvent | undefined> {
    if (event.type === 'SessionStarted') {
      yield* this.#ledger.take('id', this.#session, this.#session)
      this.#isStarted = true
    }
    if (event.type === 'Rotated' && (yield* this.#ledger.take('id', event.data.to, this.#session)) === undefined) {
      this.#warn('id-taken', event.data.to, null)
      return undefined
    }
    if (event.type === 'Renamed') return yield* this.#titled(event)
    if (event.type === 'SettingChanged') return yield* this.#routed(event)
    return event
  }

  #write(event: SessionEvent, id: string): void {
    this.#ids.set(id, event)
    this.#events.push({ event, id })
  }

  #warn(code: ImportWarning['code'], about: string, instead: string | null): void {
    this.warnings.push({ code, session: this.#session, about, instead })
  }

  /** The first reading wins; a later one that differs is told, not written. */
  #checkContent(event: MessageAppended, found: SessionEvent | AnyRecorded): void {
    if ('unknown' in found || 'erased' in found || found.type !== 'MessageAppended') return
    if (contentOf(found.data) !== contentOfEncoded(encodeEvent(event)))
      this.#warn('message-conflict', event.data.id, null)
  }

  *#titled(event: Renamed): Reading<Renamed> {
    const { title } = event.data
    const given = title === null ? null : yield* this.#takeTitle(title)
    if (given !== title) this.#warn('title-numbered', title ?? '', given)
    if (this.#title !== null && this.#title.normalize('NFC') !== given?.normalize('NFC'))
      yield* this.#ledger.release('title', this.#title, this.#session, 'renamed')
    this.#title = given
    return { type: 'Renamed', data: { ...event.data, title: given } }
  }

  /** Takes this title or the next free `name #N`. */
  *#takeTitle(title: string): Reading<string> {
    const [ledger, session] = [this.#ledger, this.#session]
    const given = yield* nextFreeNumber(function* (number) {
      const wanted = number === 1 ? title : numberedTitle(title, number)
      const holder = yield* ledger.holder('title', wanted)
      return holder === null || holder === session ? wanted : undefined
    })
    yield* ledger.take('title', given, session)
    return given
  }

  /** A route's generation is how often it was taken here: it never falls, whatever the source says. */
  *#routed(event: SettingChanged): Reading<SettingChanged | undefined> {
    const { data } = event
    if (data.key !== 'route') return event
    if (!data.bound) {
      yield* this.#ledger.release('route', data.route, this.#session, 'released')
      return event
    }
    const generation = yield* this.#ledger.take('route', data.route, this.#session)
    if (generation === undefined) {
      this.#warn('route-taken', data.route, null)
      return undefined
    }
    return { type: 'SettingChanged', data: { ...data, generation } }
  }
}
