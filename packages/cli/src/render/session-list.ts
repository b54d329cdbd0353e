import type { SessionList } from '@refold/engine'
import { counted } from '../output/amount.ts'
import type { Look } from '../output/look.ts'

/** A page of the list for people; `more` is the command that shows the next one. */
export async function sessionListWords(
  look: Look,
  { sessions, total, cursor }: SessionList,
  more: (cursor: string) => string,
): Promise<string> {
  if (sessions.length === 0) return 'No sessions.'
  const { sessionTable } = await import('./session-table.ts')
  const rest = cursor === null ? '' : ` More: ${more(cursor)}`
  const counts = `${sessions.length === total ? '' : `${sessions.length} of `}${counted(total, 'session')}.${rest}`
  return `${sessionTable(look, sessions)}\n${look.colours.dim(counts)}`
}
