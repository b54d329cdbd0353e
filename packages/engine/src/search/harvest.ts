import { isKnown, isSessionStream, type AnyRecorded, type EventRef, type EventStore } from '@refold/events'
import { blobsOf, searchable, type Searchable } from '@refold/projections'
import { timeOf } from './time-of.ts'
import { readTexts } from '../reading/fetch-content.ts'

/** What an event puts into the index. */
export interface Said extends EventRef {
  readonly position: number
  /** The event's own time, epoch milliseconds. */
  readonly at: number
  readonly text: Searchable
}

/** What a page of the log changes in the index. */
export interface Harvest {
  /** In the order of their positions where they are new; those that say something else since are among `forgotten`, too. */
  readonly said: readonly Said[]
  /** Positions of events of which something was erased. */
  readonly forgotten: readonly number[]
}

/** Reads what a page of the log says, erased events as they are now. */
export async function harvestOf(log: EventStore, page: readonly AnyRecorded[]): Promise<Harvest> {
  const events = new Map<number, AnyRecorded>()
  const forgotten = new Set<number>()
  for (const event of page) {
    if (!isSessionStream(event.stream)) continue
    events.set(event.position, event)
    for (const erased of await erasedBy(log, event)) {
      forgotten.add(erased.position)
      events.set(erased.position, erased)
    }
  }
  const said: Said[] = []
  for (const event of events.values()) {
    const { stream, revision, position } = event
    const at = timeOf(event)
    const texts = await readTexts(log, blobsIn(event))
    const text = searchable(event, { blob: (hash) => texts.get(hash) })
    if (text) said.push({ stream, revision, position, at, text })
  }
  return { said, forgotten: [...forgotten] }
}

/** Only those of events that are searched. */
function blobsIn(event: AnyRecorded): readonly string[] {
  return searchable(event, { blob: () => undefined }) ? blobsOf(event) : []
}

async function erasedBy(log: EventStore, event: AnyRecorded): Promise<readonly AnyRecorded[]> {
  if (!isKnown(event)) return []
  const { stream } = event
  if (event.type === 'Redacted') {
    const events = await log.readEvents(event.data.targets.map(({ revision }) => ({ stream, revision })))
    return events.filter((target) => target !== undefined)
  }
  if (event.type !== 'PurgeStarted') return []
  const found: AnyRecorded[] = []
  for (const id of event.data.eventIds) {
    const target = await log.find(stream, id)
    if (target) found.push(target)
  }
  return found
}
