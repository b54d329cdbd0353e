import { encodeEvent, RefoldError, type AnyRecorded, type EventStore } from '@refold/events'
import { shelveEvent } from '../content/shelve-event.ts'
import { begin, type CommandPlace } from '../facade/command-desk.ts'
import { streamOf } from '../deciding/desk.ts'
import { admitFacts } from './admit-facts.ts'
import type { ImportFacts, ImportReport } from './import-facts.ts'

/** Writes an importer's facts in one append. Running it again adds nothing; killed anywhere, it wrote all or none. */
export async function importFacts(
  place: CommandPlace,
  { tool, sessions, blobs = [] }: ImportFacts,
): Promise<ImportReport> {
  const task = begin(place, { actor: { kind: 'importer', id: tool } })
  const shelved = sessions.map(({ session, facts }) => ({
    session,
    facts: facts.map(({ id, event }) => {
      if (event.type === 'SessionStarted' && event.data.session !== session)
        throw new RefoldError('append-malformed', {
          stream: streamOf(place, session),
          problem: `SessionStarted names another session, ${JSON.stringify(event.data.session)}`,
        })
      const lighter = shelveEvent(event, task.shelf)
      encodeEvent(lighter) // throws before anything else happens
      return { id, event: lighter }
    }),
  }))
  for (const blob of blobs) task.shelf.put(blob)
  const outcome = await task.carryOut((desk) => admitFacts(desk, { sessions: shelved, blobs: task.shelf.blobs() }))
  if (!outcome.ok) throw new TypeError(`The import door refused with ${outcome.code}.`)
  const { appended, alreadyThere, messages, warnings, durability } = outcome
  const revisions: Record<string, number> = {}
  for (const { session } of sessions) {
    const head = await place.driver.store.head(streamOf({ namespace: place.namespace }, session))
    if (head) revisions[session] = head.revision
  }
  return { appended, alreadyThere, messages, warnings, revisions, durability }
}

/** All events of a stream, page by page. */
export async function wholeStream(store: EventStore, stream: string): Promise<readonly AnyRecorded[]> {
  const PAGE = 1_000
  const events: AnyRecorded[] = []
  for (;;) {
    const page = await store.readStream(stream, { from: events.length, limit: PAGE })
    events.push(...page)
    if (page.length < PAGE) return events
  }
}
