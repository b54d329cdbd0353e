import { sessionStream } from '@refold/events'
import { renderTranscript, statusWord, transcriptPage, transcriptRefs } from '@refold/projections'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { atOneMoment } from './at-one-moment.ts'
import { fetchContent } from './fetch-content.ts'
import type { ReadingPlace } from './reading-side.ts'

/** A page of what a person reads. */
export async function readTranscript(
  place: ReadingPlace,
  session: string,
  { at, ...query }: TranscriptQuery,
): Promise<TranscriptPage | Refusal> {
  const { namespace, source, store, views } = place
  const stream = sessionStream({ namespace, session })
  const { revision, result: page } = await atOneMoment(place, stream, at, (rows, at) =>
    transcriptPage(rows, stream, at === undefined ? query : { ...query, at }),
  )
  if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
  const now = source.now()
  const content = await fetchContent(store, transcriptRefs(page.entries))
  const entries = await views.read((rows) => {
    const tip = rows.tips.get(stream)
    const isLive = at === undefined && tip !== undefined && tip.leaseUntil > now
    return renderTranscript(page.entries, content, {
      liveTurn: isLive ? tip.turn : null,
      delegateStatus: (delegate) => {
        const row = rows.tips.get(delegate)
        return row && statusWord(row, now)
      },
    })
  })
  return { session, revision, entries, cursor: page.cursor }
}
