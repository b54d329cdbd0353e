import type { EventRef, EventStore } from '@refold/events'
import { fold, immerRows, tables, type Tables } from '@refold/projections'
import type { Finding } from './finding.ts'

/** Events named for a row: the first ones and the last ones. */
const FIRST = 2
const LAST = 3
const PAGE = 1_000

/** Folds the log once more and takes note of which events touched the rows that were found to differ. */
export async function explainDrift(
  store: EventStore,
  findings: readonly Finding[],
  { upTo, signal }: { readonly upTo: number; readonly signal: AbortSignal | undefined },
): Promise<readonly Finding[]> {
  const wanted = new Map<string, EventRef[]>()
  for (const { table, key } of findings) if (table !== undefined) wanted.set(nameOf(table, key), [])
  if (wanted.size === 0) return findings
  const { rows, takeChanges } = immerRows<Tables>(tables)
  for (let after = 0; after < upTo;) {
    const page = await store.readAll({ after, limit: PAGE })
    if (page.length === 0) break
    for (const event of page) {
      if (event.position > upTo) break
      fold(event, rows)
      for (const { table, key } of takeChanges()) note(wanted.get(nameOf(table, key)), event)
    }
    after = page.at(-1)?.position ?? upTo
    signal?.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return findings.map((found) => {
    const events = found.table === undefined ? [] : (wanted.get(nameOf(found.table, found.key)) ?? [])
    return events.length === 0 ? found : { ...found, events }
  })
}

function note(events: EventRef[] | undefined, { stream, revision }: EventRef): void {
  const last = events?.at(-1)
  if (!events || (last?.stream === stream && last.revision === revision)) return
  events.push({ stream, revision })
  if (events.length > FIRST + LAST) events.splice(FIRST, 1)
}

const nameOf = (table: string, key: Finding['key']): string => JSON.stringify([table, key])
