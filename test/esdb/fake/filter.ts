import type * as streams from '@eventstore/db-client/generated/streams_pb.js'
import type { KeptEvent } from './kept-event.ts'

export interface EventFilter {
  readonly passes: (event: KeptEvent) => boolean
  /** Events considered between two checkpoints. */
  readonly checkpointEvery: number
}

const WINDOW = 32

/** What a filter of names or types lets through; undefined where there is none. */
export function filterOf(options: streams.ReadReq.Options): EventFilter | undefined {
  const filter = options.getFilter()
  if (!filter) return undefined
  const isByName = filter.hasStreamIdentifier()
  const expression = isByName ? filter.getStreamIdentifier() : filter.getEventType()
  const prefixes = expression?.getPrefixList() ?? []
  const pattern = new RegExp(expression?.getRegex() ?? '', 'u')
  const fits = (text: string): boolean =>
    prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text)
  const window = filter.hasMax() ? filter.getMax() : WINDOW
  return {
    passes: ({ stream, type }) => fits(isByName ? stream : type),
    checkpointEvery: window * Math.max(1, filter.getCheckpointintervalmultiplier()),
  }
}
