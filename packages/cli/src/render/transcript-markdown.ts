import { headOf } from '@refold/events'
import type { MessageEntry, TranscriptEntry } from '@refold/engine'
import { isoTime } from '../output/moment.ts'
import { safeLine, safeText } from '../output/safe-text.ts'
import { markerWords } from './marker-words.ts'
import { attachmentWords } from './part-words.ts'

/** A transcript as a Markdown document, for sharing. Texts of people and models are taken as Markdown, all else is fenced. */
export function transcriptMarkdown(session: string, entries: readonly TranscriptEntry[]): string {
  const sections = entries.map((entry) =>
    entry.kind === 'message' ? message(entry) : `*${escaped(markerWords(entry))}*`,
  )
  return [`# Session ${escaped(safeLine(session))}`, ...sections].join('\n\n')
}

function message(entry: MessageEntry): string {
  const who = entry.author === null ? entry.role : `${entry.role} ${entry.author}`
  const when = isoTime(entry.at)
  const head = `## ${escaped(safeLine(who))}${when === null ? '' : ` · ${when}`}`
  return [head, ...entry.parts.map((part) => partMarkdown(entry.role, part))].join('\n\n')
}

function partMarkdown(role: string, part: MessageEntry['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return role === 'tool' ? fenced(safeText(headOf(part.text))) : safeText(headOf(part.text))
    case 'tool-result':
      return fenced(safeText(headOf(part.text)))
    case 'reasoning':
      return safeText(headOf(part.text)).replace(/^/gm, '> ')
    case 'tool-call': {
      const words =
        part.argumentsText === undefined
          ? JSON.stringify(part.arguments, null, 2)
          : safeText(headOf(part.argumentsText))
      return `Calls **${escaped(safeLine(part.name))}**\n\n${fenced(safeText(words), 'json')}`
    }
    case 'image':
    case 'file':
      return `*[${escaped(attachmentWords(part))}]*`
    case 'other':
      return `*[${escaped(safeLine(part.kind))}]*`
    default:
      return part satisfies never
  }
}

/** A fence longer than any run of backticks inside, so that no text can break out of it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const escaped = (line: string): string => line.replace(/[\\`*_[\]<>#]/g, '\\$&')
