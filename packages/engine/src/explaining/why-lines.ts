import { actorWords, isoTime } from '@refold/projections'
import type { Because, ContextSight, MessageTouch, TranscriptSight, WhyView } from '../answers/why-view.ts'
import type { WhyGone } from '../answers/difference.ts'

/** What touched a message and where it is shown now, in plain lines. */
export function whyLines(view: WhyView): readonly string[] {
  const { session, revision, message, kind, role, inheritedFrom, events, transcript, context, heirs } = view
  const from = inheritedFrom === null ? '' : `, written to session ${inheritedFrom}`
  const of = role === null ? '' : ` of the ${role}`
  return [
    `${kind === 'note' ? 'Note' : 'Message'} ${message}${of} in session ${session} at revision ${revision}${from}`,
    `  transcript: ${transcriptWords(transcript)}`,
    `  context: ${contextWords(context)}`,
    ...heirs.map(
      (heir) => `  ${heir.kind} ${heir.session} begins with it${heir.shown ? '' : ', and does not show it'}`,
    ),
    'Events that touched it:',
    ...events.map((event) => `  ${touchLine(event, session)}`),
  ]
}

function touchLine({ session, revision, at, how, compaction, undoId, what, actor }: MessageTouch, own: string): string {
  const place = session === own ? `${revision}` : `${revision} of ${session}`
  const by = compaction === undefined ? (undoId === undefined ? '' : ` by ${undoId}`) : ` by ${compaction}`
  return `${place}  ${isoTime(at) ?? at}  ${how}${by}  ${what}  [${actorWords(actor)}]`
}

function transcriptWords(sight: TranscriptSight): string {
  if (!sight.shown) {
    return sight.because === 'rewound' ? `not shown, ${rewoundWords(sight.by)}` : 'not shown, it is for the model only'
  }
  const state = sight.state === 'complete' ? '' : ` (${sight.state})`
  return sight.number === null ? `shown as a note${state}` : `message ${sight.number} of ${sight.of}${state}`
}

function contextWords(sight: ContextSight): string {
  if (!sight.sent) return `not sent, ${goneWords(sight)}`
  const as = { message: '', 'wire-form': ', in a form of its own', carrier: ', in a form that holds the summary' }
  return `message ${sight.place} of ${sight.of}${as[sight.as]}`
}

/** Why the model is not sent a message, as the rest of a sentence. */
export function goneWords(sight: WhyGone): string {
  switch (sight.because) {
    case 'covered':
      return `summary ${sight.compaction} (${placeWords(sight.by)}) stands for it`
    case 'rewound':
      return rewoundWords(sight.by)
    case 'person-only':
      return 'it is for people only'
    case 'failed':
      return 'its turn failed before anything answered it'
    case 'unfinished':
      return 'it still grows'
    case 'says-nothing':
      return 'it has no words'
    case 'unmatched':
      return 'the call that it answers is not there, or was answered'
    case 'gone':
      return 'it was not there yet'
    default:
      return sight satisfies never
  }
}

const rewoundWords = (by: readonly (Because & { readonly undoId: string })[]): string =>
  `taken out by ${by.map((one) => `rewind ${one.undoId} (${placeWords(one)})`).join(' and ')}`

const placeWords = ({ session, revision }: Because): string => `revision ${revision} of ${session}`
