import type { EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { rewindsOver, type OpenRewind } from './absence.ts'
import { countHidden } from './hidden-at.ts'
import { isShownMessage } from './entry-role.ts'
import { hiddenIn, levelsOf, findEntry } from './levels.ts'

/** Where a transcript shows an entry now, or why it does not. */
export type EntryPlace =
  | {
      readonly shown: true
      /** Its number among the messages in sight, from 1; null for a note. */
      readonly number: number | null
      readonly of: number
    }
  | { readonly shown: false; readonly because: 'model-only' }
  | { readonly shown: false; readonly because: 'rewound'; readonly by: readonly OpenRewind[] }

/** The place of a message or note that the session has; undefined for another one. Costs no more than its rewinds. */
export function placeOfMessage(
  rows: Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds'>,
  stream: string,
  kind: 'message' | 'note',
  id: string,
): EntryPlace | undefined {
  const levels = levelsOf(rows, stream)
  const entry: Readonly<EntryRow> | undefined = findEntry(rows, levels, kind, id)?.entry
  if (!entry) return undefined
  const by = rewindsOver(rows, levels, entry)
  if (by.length > 0) return { shown: false, because: 'rewound', by }
  if (entry.shownTo === 'model') return { shown: false, because: 'model-only' }
  const hidden = hiddenIn(rows, levels)
  const hiddenBefore = countHidden(hidden.filter(({ to }) => to <= entry.n))
  const number = isShownMessage(entry) ? entry.shownBefore - hiddenBefore + 1 : null
  return { shown: true, number, of: levels[0].boundShown - countHidden(hidden) }
}
