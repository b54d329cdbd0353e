import type { MarkerEntry } from '@refold/engine'
import { safeLine } from '../output/safe-text.ts'

/** One line on what happened between two messages. */
export function markerWords({ kind, id, details }: MarkerEntry): string {
  const field = (name: string): string => {
    const value = details[name] ?? null
    if (value === null) return ''
    return safeLine(typeof value === 'string' ? value : JSON.stringify(value))
  }
  switch (kind) {
    case 'compaction':
      return `compacted: the model reads a summary of ${field('covers') || '?'} messages (${field('kept') || '0'} kept)`
    case 'rotation':
      return `new segment ${field('segment')}`
    case 'delegate':
      return `delegate ${field('session')}${after(': ', field('task'))}${after(' – ', field('status'))}`
    case 'model':
      return `model ${field('model') || field('value') || 'taken away'}`
    case 'branch':
      return `from here on a branch of ${field('session')}`
    case 'end':
      return `ended${after(': ', field('reason'))}`
    case 'reopen':
      return 'reopened'
    case 'alternative':
      return `set aside by a rewind (undo ${field('undoId') || safeLine(id)})`
    case 'note':
      return `note${after(' ', field('kind'))}${after(': ', field('text'))}`
    default:
      return kind satisfies never
  }
}

const after = (lead: string, words: string): string => (words === '' ? '' : `${lead}${words}`)
