import { isIdentifier, sessionStream } from '@refold/events'
import type { TipRow } from '../rules/tips-rows.ts'
import type { TableReaders } from '../tables.ts'

export type ResolveReaders = Pick<TableReaders, 'tips' | 'aliases' | 'titles'>

export interface ResolveOptions {
  /** Finds deleted sessions, too, by id only; so that they can be restored. */
  readonly deleted?: boolean
}

export type Resolved =
  | {
      readonly ok: true
      readonly stream: string
      readonly session: string
      readonly by: 'id' | 'alias' | 'title' | 'prefix'
    }
  | { readonly ok: false; readonly code: 'session-not-found'; readonly name: string }
  | {
      readonly ok: false
      readonly code: 'ambiguous-session'
      readonly name: string
      /** By session id; at most {@link MOST_CANDIDATES}. */
      readonly candidates: readonly { readonly session: string; readonly title: string | null }[]
    }

/** Characters that a prefix needs, so that a typo does not hit a session by chance. */
const SHORTEST_PREFIX = 3
const MOST_CANDIDATES = 10
const CHUNK = 64
/** Sorts behind every text that begins with what stands before it. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * The session that a name means: by exact id, by any id it ever had, by exact title, by unique prefix of an id or title,
 * in this order. What fits several is never guessed.
 */
export function resolveSession(
  rows: ResolveReaders,
  namespace: string,
  name: string,
  options: ResolveOptions = {},
): Resolved {
  const steps = [
    { by: 'id', find: () => byId(rows, namespace, name, options) },
    { by: 'alias', find: () => byAlias(rows, namespace, name, options) },
    { by: 'title', find: () => byTitle(rows, namespace, name) },
    { by: 'prefix', find: () => byPrefix(rows, namespace, name) },
  ] as const
  for (const { by, find } of steps) {
    const found = find()
    const [only] = found
    if (!only) continue
    if (found.length === 1) return { ok: true, stream: only.stream, session: only.session, by }
    const candidates = found
      .map(({ session, title }) => ({ session, title }))
      .toSorted((a, b) => (a.session < b.session ? -1 : 1))
    return { ok: false, code: 'ambiguous-session', name, candidates: candidates.slice(0, MOST_CANDIDATES) }
  }
  return { ok: false, code: 'session-not-found', name }
}

function inSight(rows: ResolveReaders, streams: readonly string[], options: ResolveOptions = {}): readonly TipRow[] {
  return [...new Set(streams)].flatMap((stream) => {
    const tip = rows.tips.get(stream)
    return tip && (options.deleted === true || !tip.deleted) ? [tip] : []
  })
}

function byId(rows: ResolveReaders, namespace: string, name: string, options: ResolveOptions): readonly TipRow[] {
  return isIdentifier(name) ? inSight(rows, [sessionStream({ namespace, session: name })], options) : []
}

function byAlias(rows: ResolveReaders, namespace: string, name: string, options: ResolveOptions): readonly TipRow[] {
  const aliases = rows.aliases.range('key', { prefix: [namespace, name], limit: Infinity })
  return inSight(
    rows,
    aliases.map(({ stream }) => stream),
    options,
  )
}

function byTitle(rows: ResolveReaders, namespace: string, name: string): readonly TipRow[] {
  const title = rows.titles.get(namespace, name.normalize('NFC'))
  return title ? inSight(rows, [title.stream]) : []
}

function byPrefix(rows: ResolveReaders, namespace: string, name: string): readonly TipRow[] {
  if (Array.from(name).length < SHORTEST_PREFIX) return []
  const found = new Map<string, TipRow>()
  for (const [table, prefix] of [
    [rows.aliases, name],
    [rows.titles, name.normalize('NFC')],
  ] as const)
    for (const stream of streamsWith(table, namespace, prefix)) {
      for (const tip of inSight(rows, [stream])) found.set(tip.stream, tip)
      if (found.size > MOST_CANDIDATES) break
    }
  return [...found.values()]
}

function* streamsWith(
  table: ResolveReaders['aliases'] | ResolveReaders['titles'],
  namespace: string,
  prefix: string,
): Generator<string> {
  let after = prefix
  for (;;) {
    const some = table.range('key', {
      prefix: [namespace],
      after: [after],
      before: [prefix + LAST_CHARACTER],
      limit: CHUNK,
    })
    for (const { stream } of some) yield stream
    const last = some.at(-1)
    if (some.length < CHUNK || !last) return
    after = last.name
  }
}
