import { isoTime, type ContextMessage, type TranscriptEntry } from '@refold/projections'
import type { Change, Excerpt, PointReached, SessionDifference } from '../answers/difference.ts'
import type { UsageLine } from '../answers/usage-report.ts'
import { textOf } from '../facade/text-of.ts'
import { goneWords } from './why-lines.ts'

/** Characters of a text that a line quotes. */
const QUOTED = 60

/** What became of a session between two points, in plain lines: `+` came, `-` went, `~` changed. */
export function differenceLines(difference: SessionDifference): readonly string[] {
  const { session, from, to, transcript, context, title, settings, tags, usage } = difference
  const { messages, gained, lost, changed } = transcript
  return [
    `Session ${session} from ${pointWords(from)} to ${pointWords(to)}`,
    `Transcript: ${countWords(messages, 'messages')}`,
    ...listLines('+', gained, entryWords),
    ...listLines('-', lost, entryWords),
    ...listLines('~', changed, ({ before, after }) => `${entryWords(after)}  was ${contentWords(before)}`),
    `Context: ${countWords({ before: context.before.messages, after: context.after.messages }, 'messages')}, ${countWords({ before: context.before.bytes, after: context.after.bytes }, 'bytes')}`,
    ...changeLine('summary', { before: context.before.summary, after: context.after.summary }),
    ...listLines('+', context.added, sentWords),
    ...listLines('-', context.removed, (message) => `${sentWords(message)}  ${goneWords(message.why)}`),
    ...listLines(
      '~',
      context.changed,
      ({ how, before, after }) => `${sentWords(after)}  ${how}, was ${quoted(before)}`,
    ),
    ...(context.systemPrompt ? changeLine('system prompt', context.systemPrompt) : []),
    ...(title ? changeLine('title', { before: title.before.title, after: title.after.title }) : []),
    ...settings.flatMap(({ name, before, after }) => changeLine(`setting ${name}`, { before, after })),
    ...tags.added.map((tag) => `  + tag ${tag}`),
    ...tags.removed.map((tag) => `  - tag ${tag}`),
    ...usageLines(usage),
  ]
}

const pointWords = ({ revision, at }: PointReached): string =>
  at === null ? 'before its start' : `revision ${revision} (${isoTime(at) ?? at})`

const countWords = ({ before, after }: Change<number>, what: string): string =>
  before === after ? `${after} ${what}` : `${before} to ${after} ${what}`

function listLines<T>(mark: string, { count, entries }: Excerpt<T>, words: (one: T) => string): readonly string[] {
  const rest = count - entries.length
  return [...entries.map((one) => `  ${mark} ${words(one)}`), ...(rest > 0 ? [`  ${mark} … and ${rest} more`] : [])]
}

function changeLine(what: string, { before, after }: Change<unknown>): readonly string[] {
  return before === after ? [] : [`  ~ ${what}: ${cut(JSON.stringify(before))} became ${cut(JSON.stringify(after))}`]
}

function entryWords(entry: TranscriptEntry): string {
  const what = entry.kind === 'message' ? `${entry.role} ${entry.id}` : `${entry.kind} ${entry.id}`
  return `${what}  ${contentWords(entry)}`
}

function contentWords(entry: TranscriptEntry): string {
  if (entry.kind !== 'message') return cut(JSON.stringify(entry.details))
  return entry.state === 'complete' ? quoted(entry) : `${quoted(entry)} (${entry.state})`
}

const sentWords = (message: ContextMessage): string => `${message.role} ${message.id}  ${quoted(message)}`

function quoted(said: { readonly parts: ContextMessage['parts'] }): string {
  const words = textOf(said).replace(/\s+/g, ' ').trim()
  const calls = said.parts.flatMap((part) => (part.type === 'tool-call' ? [`call ${part.id} of ${part.name}`] : []))
  return [...(words === '' ? [] : [`“${cut(words)}”`]), ...calls].join(', ') || 'nothing'
}

function cut(words: string): string {
  const characters = Array.from(words)
  return characters.length <= QUOTED ? words : `${characters.slice(0, QUOTED).join('')}…`
}

function usageLines({ before, after }: Change<UsageLine>): readonly string[] {
  const names = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'calls', 'costUsd'] as const
  return names.flatMap((name) => changeLine(`usage ${name}`, { before: before[name], after: after[name] }))
}
