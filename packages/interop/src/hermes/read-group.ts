import { beginBranch, beginWithAll, type Beginning } from './begin-from-origin.ts'
import type { MessageRow } from './message-row.ts'
import { readTalk } from './read-talk.ts'
import { type Skeleton, type Skeletons, sharesWith } from './skeleton.ts'
import { beginTalk, type Talk } from './talk.ts'

/** A conversation's talk, and how far it is another one's. */
export interface ReadTalk {
  readonly talk: Talk
  readonly cut: string | null
}

/** The part of a conversation that another one may begin with. */
interface Extent {
  readonly lastSegment: string
  readonly includes: (row: MessageRow) => boolean
}

/** Reads conversations that may share messages. An origin is read again, up to the right point, for each that begins with it. */
export function talkReader(
  skeletons: Skeletons,
  rowsOf: (session: string) => readonly MessageRow[],
): (of: Skeleton) => ReadTalk {
  const read = (skeleton: Skeleton, extent: Extent | null): ReadTalk => {
    const beginning = begin(skeleton)
    const last = skeleton.segments.findIndex(({ id }) => id === extent?.lastSegment)
    const segments = last < 0 ? skeleton.segments : skeleton.segments.slice(0, last + 1)
    readTalk(
      beginning.talk,
      segments.map(({ id }) => ({
        id,
        rows: rowsOf(id).filter((row) => !beginning.taken.has(row) && (extent === null || extent.includes(row))),
      })),
    )
    return { talk: beginning.talk, cut: beginning.cut }
  }

  const begin = (skeleton: Skeleton): Beginning => {
    const origin = sharesWith(skeleton, skeletons)
    const [first] = skeleton.segments
    if (origin === undefined || skeleton.edge === null || first === undefined) {
      return { talk: beginTalk({ entries: [], live: [] }), cut: null, taken: new Set() }
    }
    const lastSegment = skeleton.edge.parent
    if (skeleton.edge.kind === 'stray') return beginWithAll(read(origin, { lastSegment, includes: () => true }).talk)
    const own = rowsOf(first.id)
    const since = own[0]?.id
    const { startedAt } = first
    const includes = (row: MessageRow): boolean =>
      since === undefined ? startedAt === null || row.time === null || row.time <= startedAt : row.id < since
    return beginBranch(read(origin, { lastSegment, includes }).talk, own, startedAt)
  }

  return (skeleton) => read(skeleton, null)
}
