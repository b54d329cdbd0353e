import type { SessionRow, SessionStatus } from '@refold/engine'
import { localTime } from '../output/moment.ts'
import type { Look } from '../output/look.ts'
import { safeLine } from '../output/safe-text.ts'
import { fit } from '../output/display-width.ts'
import { table } from '../output/table.ts'

/** The list for people, one line a session. */
export function sessionTable(look: Look, sessions: readonly SessionRow[]): string {
  return table(
    look,
    [
      { head: 'ID', atLeast: 22, inNeed: 'stays' },
      { head: 'TITLE', atLeast: 15 },
      { head: 'STATUS' },
      { head: 'MESSAGES', align: 'right' },
      { head: 'LAST ACTIVITY' },
      { head: 'FROM', atLeast: 8, inNeed: 'leaves' },
    ],
    sessions.map((row) => [
      look.colours.bold(safeLine(row.id)),
      titleOf(row),
      status(look, row.status),
      String(row.messages),
      localTime(row.lastActivityAt),
      [originWords(row), ...marks(row)].filter(Boolean).join(', '),
    ]),
  )
}

/** A preview is a reminder; a title is a name and stands whole where there is room. */
const previewWidth = 60

function titleOf({ title, preview }: SessionRow): string {
  if (title !== null) return safeLine(title)
  return preview === null ? '–' : `“${fit(safeLine(preview), previewWidth)}”`
}

function status({ colours }: Look, word: SessionStatus): string {
  switch (word) {
    case 'running':
      return colours.green(word)
    case 'interrupted':
      return colours.yellow(word)
    case 'waiting':
      return word
    case 'ended':
    case 'empty':
      return colours.dim(word)
    default:
      return word satisfies never
  }
}

/** Empty for a session of its own. */
export function originWords({ origin }: Pick<SessionRow, 'origin'>): string {
  switch (origin.kind) {
    case 'root':
      return origin.was === undefined ? '' : `was ${origin.was}`
    case 'delegate':
      return origin.session === null ? 'delegate' : `delegate of ${safeLine(origin.session)}`
    case 'branch':
    case 'reset':
    case 'untyped':
    case 'stray':
      return `${origin.kind} of ${safeLine(origin.session)}`
    default:
      return origin satisfies never
  }
}

function marks(row: SessionRow): readonly string[] {
  const tags = row.tags.map((tag) => `#${safeLine(tag)}`)
  return [row.pinned ? 'pinned' : '', row.archived ? 'archived' : '', row.hidden ? 'hidden' : '', ...tags].filter(
    Boolean,
  )
}
