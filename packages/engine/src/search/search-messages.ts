import { sessionStream, type EventRef } from '@refold/events'
import {
  levelsOf,
  matchExpression,
  parseQuery,
  searchable,
  showings,
  snippetOf,
  type LogContent,
  type SearchTerms,
  type Showing,
  type TipRow,
} from '@refold/projections'
import type { SearchHit, SearchOptions, SearchPage, SearchQuery } from '../answers/search-page.ts'
import { fetchContent } from '../reading/fetch-content.ts'
import type { ReadingPlace } from '../reading/reading-side.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { EDIT_FACET, roleFacet, toolFacet, UNKNOWN_TOOL_FACET } from './facets.ts'
import { scored } from './hit-score.ts'
import type { Candidate, SearchFile } from './search-file.ts'
import type { SearchIndex } from './search-index.ts'
import { timeOf } from './time-of.ts'

export interface SearchPlace extends ReadingPlace {
  readonly index: SearchIndex
}

/** A candidate that somebody sees. */
interface Seen {
  readonly candidate: Candidate
  readonly showing: readonly [Showing, ...Showing[]]
}

interface PlacedHit {
  readonly position: number
  readonly hit: SearchHit
}

const DEFAULT_LIMIT = 50
/** Candidates looked at together: few at first, more where most are out of sight. */
const FIRST_CHUNK = 64
const LARGEST_CHUNK = 4_096
/** Entries after a hit that its anchor shows, too. */
const AFTER_HIT = 10

/** Finds messages by what they say, in all living sessions of the namespace; `session` is an id by now. */
export async function searchMessages(
  place: SearchPlace,
  text: string,
  query: SearchQuery,
  options: SearchOptions,
): Promise<SearchPage | Refusal> {
  const { cursor } = query
  if (cursor !== undefined && !/^[0-9]{1,15}$/.test(cursor)) return refuse('bad-cursor', { cursor })
  const limit = Math.max(1, query.limit ?? DEFAULT_LIMIT)
  const terms = parseQuery(text)
  const scope = await scopeOf(place, query)
  const hits: PlacedHit[] = []
  let before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)
  for (let chunk = FIRST_CHUNK; hits.length <= limit; chunk = Math.min(2 * chunk, LARGEST_CHUNK)) {
    options.signal?.throwIfAborted()
    const candidates = await place.index.read((file) => find(file, terms, scope, before, chunk), options)
    for (const found of await hitsAmong(place, scope, terms, candidates, limit + 1 - hits.length)) hits.push(found)
    const last = candidates.at(-1)
    if (!last || candidates.length < chunk) break
    before = last.position
  }
  const page = hits.slice(0, limit)
  const isWhole = cursor === undefined && hits.length <= limit
  const ordered = isWhole ? page.toSorted((a, b) => b.hit.score - a.hit.score || b.position - a.position) : page
  return {
    hits: bySession(ordered.map(({ hit }) => hit)),
    cursor: hits.length > limit ? String(page.at(-1)?.position ?? 0) : null,
  }
}

/** What a search is limited to. */
interface Scope {
  readonly query: SearchQuery
  readonly namespace: string
  /** Streams whose events the session's transcript shows; undefined for all sessions. */
  readonly streams: readonly string[] | undefined
}

async function scopeOf({ views, namespace }: SearchPlace, query: SearchQuery): Promise<Scope> {
  const { session } = query
  if (session === undefined) return { query, namespace, streams: undefined }
  const stream = sessionStream({ namespace, session })
  const streams = await views.read((rows) => levelsOf(rows, stream).map((level) => level.stream))
  return { query, namespace, streams }
}

function find(
  file: SearchFile,
  terms: SearchTerms,
  { query: { role, tool, from, to }, namespace, streams }: Scope,
  before: number,
  limit: number,
): readonly Candidate[] {
  const facets = [
    file.facetsOfNamespace(namespace),
    streams && file.facetsOfStreams(streams),
    role === undefined ? undefined : [roleFacet(role), EDIT_FACET],
    tool === undefined ? undefined : [toolFacet(tool), UNKNOWN_TOOL_FACET],
  ].filter((names) => names !== undefined)
  const expression = matchExpression(terms, facets)
  if (expression === undefined || facets.some((names) => names.length === 0)) return []
  return file.candidates(expression, {
    before,
    limit,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  })
}

/** The first so many of the candidates that the scope lets be seen. */
async function hitsAmong(
  place: SearchPlace,
  scope: Scope,
  terms: SearchTerms,
  candidates: readonly Candidate[],
  most: number,
): Promise<readonly PlacedHit[]> {
  const isAskedLater = scope.query.from !== undefined || scope.query.to !== undefined || scope.query.tool !== undefined
  const seen = await place.views.read((rows) => {
    const showing = showings(rows, (tip) => isInScope(tip, scope))
    const found: Seen[] = []
    for (const candidate of candidates) {
      const [first, ...rest] = showing(candidate).filter(({ entry }) => hasRole(entry, scope.query))
      if (first) found.push({ candidate, showing: [first, ...rest] })
      if (found.length >= most && !isAskedLater) break
    }
    return found
  })
  const hits: PlacedHit[] = []
  // Texts may be large: no more are fetched at once than a page holds.
  for (let at = 0; at < seen.length && hits.length < most; at += most) {
    const some = seen.slice(at, at + most)
    const content = await fetchContent(place.store, some.flatMap(refsOf))
    for (const one of some) {
      const hit = await hitOf(place, scope, terms, one, content)
      if (hit && hits.length < most) hits.push({ position: one.candidate.position, hit })
    }
  }
  return hits
}

function isInScope(tip: Readonly<TipRow>, { namespace, query: { session, workspace, archived } }: Scope): boolean {
  if (tip.namespace !== namespace || (session !== undefined && tip.session !== session)) return false
  if (workspace !== undefined && tip.workspace !== workspace) return false
  return archived === undefined || (tip.archived !== null) === archived
}

/** What the engine itself put into the mouth of a person is nobody's message. */
function hasRole({ role, provenance }: Showing['entry'], query: SearchQuery): boolean {
  if (query.role === undefined) return true
  if (role?.toLowerCase() !== query.role.toLowerCase()) return false
  return role !== 'user' || provenance !== 'engine'
}

const firstOf = ({ showing: [{ entry }] }: Seen): EventRef => ({ stream: entry.stream, revision: entry.revision })

const refsOf = (seen: Seen): readonly EventRef[] => [seen.candidate, firstOf(seen)]

async function hitOf(
  place: SearchPlace,
  scope: Scope,
  terms: SearchTerms,
  seen: Seen,
  content: LogContent,
): Promise<SearchHit | undefined> {
  const { candidate, showing } = seen
  const event = content.event(candidate)
  const first = content.event(firstOf(seen))
  const text = event && searchable(event, content)
  if (!text || !first) return undefined
  const { from = -Infinity, to = Infinity, tool } = scope.query
  const at = timeOf(first)
  if (at < from || at >= to) return undefined
  if (tool !== undefined && !(await isOfTool(place, tool, text, showing))) return undefined
  const [{ tip, entry }] = showing
  const { text: shown, matches, score, isWrong } = scored(text, terms)
  if (isWrong) return undefined
  return {
    session: tip.session,
    title: tip.title,
    tip: tip.tip,
    sessions: showing.map((one) => one.tip.session),
    kind: text.kind,
    message: entry.id,
    role: entry.role,
    at,
    archived: tip.archived !== null,
    snippet: snippetOf(shown, matches.ranges),
    score,
    anchor: String(entry.n + 1 + AFTER_HIT),
  }
}

/** By its own words, else by those of the session that made the call. */
async function isOfTool(
  place: SearchPlace,
  tool: string,
  { tools, answers }: { readonly tools: readonly string[]; readonly answers: readonly string[] },
  showing: readonly Showing[],
): Promise<boolean> {
  const wanted = tool.toLowerCase()
  if (tools.some((name) => name.toLowerCase() === wanted)) return true
  if (answers.length === 0) return false
  const streams = await place.views.read((rows) =>
    showing.flatMap(({ tip }) => levelsOf(rows, tip.stream).map(({ stream }) => stream)),
  )
  return place.index.read((file) => answers.some((call) => file.toolOf(streams, call)?.toLowerCase() === wanted))
}

/** Hits of one session together, sessions in the order of their first hit. */
function bySession(hits: readonly SearchHit[]): readonly SearchHit[] {
  const groups = new Map<string, SearchHit[]>()
  for (const hit of hits) {
    const group = groups.get(hit.session)
    if (group) group.push(hit)
    else groups.set(hit.session, [hit])
  }
  return [...groups.values()].flat()
}
