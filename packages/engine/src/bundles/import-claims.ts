import { commandEventId, encodeEvent, type LogTransaction } from '@refold/events'
import { streamOf, type Desk } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { runSync } from '../deciding/run.ts'
import type { Driver } from '../deciding/driver.ts'
import { ClaimLedger } from '../importing/claim-ledger.ts'

/** A route's generation is how often it was taken; one beyond this is not made up for. */
const HIGHEST_GENERATION = 1_000

/** A name that is another session's: the imported one keeps it in its events and does without the claim. */
export interface NameTaken {
  readonly code: 'title-numbered' | 'route-taken'
  readonly session: string
  readonly about: string
}

/** Takes ids for a session, all or none; answers the one that is another's. */
export function* takeIds(ledger: ClaimLedger, session: string, ids: readonly string[]): Reading<string | undefined> {
  for (const id of ids) {
    const holder = yield* ledger.holder('id', id)
    if (holder !== null && holder !== session) return id
  }
  for (const id of ids) yield* ledger.take('id', id, session)
  return undefined
}

/** Takes the title and the routes that a session has by its events, as far as they are free. */
export function* takeNames(desk: Desk, ledger: ClaimLedger, session: string): Reading<readonly NameTaken[]> {
  const taken: NameTaken[] = []
  const { title, routes, deleted, purged } = yield* read.session(streamOf(desk, session))
  if (deleted || purged) return taken
  if (title && (yield* ledger.take('title', title.text, session)) === undefined)
    taken.push({ code: 'title-numbered', session, about: title.text })
  for (const [route, generation] of routes) {
    let count = yield* ledger.take('route', route, session)
    if (count === undefined) taken.push({ code: 'route-taken', session, about: route })
    // Late work of an older generation must stay refused here, too.
    for (; count !== undefined && count < Math.min(generation, HIGHEST_GENERATION);) {
      yield* ledger.release('route', route, session, 'imported')
      count = yield* ledger.take('route', route, session)
    }
  }
  return taken
}

/** Runs a piece of claiming inside a transaction, and writes what it took. */
export function claiming<T>(
  { states, source, newKey }: Driver,
  log: LogTransaction,
  desk: Desk,
  work: (ledger: ClaimLedger) => Reading<T>,
): T {
  const ledger = new ClaimLedger(desk)
  const result = runSync(work(ledger), log, states)
  const key = newKey()
  const streams = ledger.appends().map(({ stream, expected, events }) => ({
    stream,
    expected,
    events: events.map(({ event }, index) => ({
      ...encodeEvent(event),
      id: commandEventId(source.sha256, stream, key, index),
      recordedAt: desk.now,
      actor: desk.actor,
    })),
  }))
  if (streams.length > 0) log.append({ streams })
  return result
}
