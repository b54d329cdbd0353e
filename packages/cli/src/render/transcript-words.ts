import type { MessageEntry, TranscriptEntry } from '@refold/engine'
import type { Look } from '../output/look.ts'
import { localTime } from '../output/moment.ts'
import { safeLine } from '../output/safe-text.ts'
import { markerWords } from './marker-words.ts'
import { partsWords } from './part-words.ts'

/** A transcript as people read it on a screen. */
export function transcriptWords(look: Look, entries: readonly TranscriptEntry[]): string {
  return entries
    .map((entry) => (entry.kind === 'message' ? message(look, entry) : marker(look, markerWords(entry))))
    .join('\n\n')
}

const marker = ({ colours }: Look, words: string): string => colours.dim(`── ${words} ──`)

function message(look: Look, entry: MessageEntry): string {
  const { colours } = look
  const states = [
    entry.state === 'complete' ? '' : entry.state,
    entry.editedAt === null ? '' : 'edited',
    entry.inherited ? 'inherited' : '',
  ].filter(Boolean)
  const head = [
    headColour(look, entry.role)(safeLine(entry.author === null ? entry.role : `${entry.role} ${entry.author}`)),
    colours.dim([localTime(entry.at), safeLine(entry.id), ...states].join('  ')),
  ].join('  ')
  return [head, ...partsWords(look, entry.parts)].filter(Boolean).join('\n')
}

function headColour({ colours }: Look, role: string): (words: string) => string {
  if (role === 'user') return (words) => colours.bold(colours.blue(words))
  return role === 'assistant' ? (words) => colours.bold(colours.green(words)) : colours.bold
}
