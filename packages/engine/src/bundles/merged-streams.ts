import type { EventStore, RawEvent } from '@refold/events'
import { rawStream } from '../integrity/raw-pages.ts'

interface Source {
  readonly pages: AsyncGenerator<readonly RawEvent[]>
  page: readonly RawEvent[]
  at: number
}

/** The events of several streams in the order of the log, each stream through a revision; one page of each is held at a time. */
export async function* mergedStreams(
  store: EventStore,
  streams: readonly { readonly stream: string; readonly revision: number }[],
): AsyncGenerator<readonly RawEvent[]> {
  const sources: Source[] = []
  for (const { stream, revision } of streams) {
    const source = { pages: rawStream(store, stream, { through: revision }), page: [], at: 0 }
    if (await refill(source)) sources.push(source)
  }
  while (sources.length > 0) {
    const merged: RawEvent[] = []
    // Until one page is used up; only then must something be read.
    for (;;) {
      const source = earliest(sources)
      const event = source?.page[source.at]
      if (!source || !event) break
      merged.push(event)
      source.at += 1
      if (source.at < source.page.length) continue
      if (!(await refill(source))) sources.splice(sources.indexOf(source), 1)
      break
    }
    yield merged
  }
}

async function refill(source: Source): Promise<boolean> {
  const next = await source.pages.next()
  if (next.done === true) return false
  source.page = next.value
  source.at = 0
  return true
}

function earliest(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined
  for (const source of sources) if (!first || positionOf(source) < positionOf(first)) first = source
  return first
}

const positionOf = ({ page, at }: Source): number => page[at]?.position ?? Infinity
