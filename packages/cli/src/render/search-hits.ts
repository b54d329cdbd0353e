import type { SearchHit } from '@refold/engine'
import type { Look } from '../output/look.ts'
import { localTime } from '../output/moment.ts'
import { safeLine, safeText } from '../output/safe-text.ts'

/** Hits for people, session by session. */
export function searchHits(look: Look, hits: readonly SearchHit[]): string {
  const lines: string[] = []
  let session: string | undefined
  for (const hit of hits) {
    if (hit.session !== session) lines.push(`${session === undefined ? '' : '\n'}${heading(look, hit)}`)
    session = hit.session
    lines.push(`  ${place(look, hit)}`, `    ${marked(look, hit.snippet)}`)
  }
  return lines.join('\n')
}

function heading({ colours }: Look, { session, title, archived }: SearchHit): string {
  const words = [title === null ? '' : safeLine(title), archived ? 'archived' : ''].filter(Boolean)
  return [colours.bold(safeLine(session)), ...words].join('  ')
}

function place({ colours }: Look, { role, kind, at, message, sessions, session }: SearchHit): string {
  const others = sessions.filter((one) => one !== session).map(safeLine)
  const also = others.length > 0 ? [`also in ${others.join(', ')}`] : []
  return [safeLine(role ?? kind), colours.dim([localTime(at), safeLine(message), ...also].join('  '))].join('  ')
}

/** What was found stands out where the terminal has colours. */
function marked({ colours }: Look, { text, marks }: SearchHit['snippet']): string {
  let written = ''
  let at = 0
  for (const { from, to } of marks) {
    written += safeText(text.slice(at, from)) + colours.bold(colours.yellow(safeText(text.slice(from, to))))
    at = to
  }
  return written + safeText(text.slice(at))
}
