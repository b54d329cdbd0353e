import type { SearchHit } from '@refold/engine'
import { isoTime } from '../output/moment.ts'

/** A hit as `--json` prints it. */
export function searchHitJson(hit: SearchHit): object {
  const { session, title, message, snippet, score, sessions, tip, kind, role, at, archived, anchor } = hit
  const marks = snippet.marks.map(({ from, to }) => [from, to])
  return {
    session,
    title,
    message,
    snippet: snippet.text,
    score,
    marks,
    sessions,
    tip,
    kind,
    role,
    at: isoTime(at),
    archived,
    anchor,
  }
}
