import type { EventStore, RawEvent } from '@refold/events'

const PAGE = 1_000

/** The whole log up to a position, as it is kept, page by page; what is appended meanwhile is left for the next time. */
export async function* rawLog(store: EventStore, end: number): AsyncGenerator<readonly RawEvent[]> {
  for (let after = 0; after < end;) {
    const page = store.readLogRaw ? await store.readLogRaw({ after, limit: PAGE }) : await pageOneByOne(store, after)
    const within = page.at(-1)?.position ?? end
    yield within <= end ? page : page.filter(({ position }) => position <= end)
    if (page.length < PAGE) return
    after = within
  }
}

/** The events of one stream, from a revision through another. */
export async function* rawStream(
  store: EventStore,
  stream: string,
  { from = 0, through = Infinity }: { readonly from?: number; readonly through?: number } = {},
): AsyncGenerator<readonly RawEvent[]> {
  for (let next = from; next <= through;) {
    const page = await store.readRaw(stream, { from: next, limit: Math.min(PAGE, through - next + 1) })
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    next = (page.at(-1)?.revision ?? next) + 1
  }
}

/** Where a store cannot read its log as it is kept: for each run of events of one stream, that stream. */
async function pageOneByOne(store: EventStore, after: number): Promise<readonly RawEvent[]> {
  const events: RawEvent[] = []
  const page = await store.readAll({ after, limit: PAGE })
  for (let at = 0; at < page.length;) {
    const [first] = page.slice(at)
    if (first === undefined) break
    let end = at + 1
    while (page[end]?.stream === first.stream && page[end]?.revision === first.revision + (end - at)) end += 1
    events.push(...(await store.readRaw(first.stream, { from: first.revision, limit: end - at })))
    at = end
  }
  return events
}
