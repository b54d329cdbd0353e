import { isKnown } from '@refold/events'
import type { SessionHandle } from '@refold/engine'
import type { Sha256 } from '@refold/events'
import type { KnownPlace, KnownPlaces } from '../hermes/known-place.ts'
import type { HermesSurvey } from '../hermes/survey.ts'
import type { ImportTarget } from '../importing/history-report.ts'
import { derivedName } from '../importing/derived-name.ts'
import type { Tally } from '../importing/tally.ts'
import { milliseconds } from './milliseconds.ts'

/** Where the sessions of a file are in the log, or will be. */
export interface Places {
  /** Refold's id for a session or segment of the file. */
  readonly nameOf: (id: string) => string
  /** The session whose stream holds it, where the log holds it already. */
  readonly holderOf: (id: string) => string | undefined
  /** What earlier imports made of the file's sessions. */
  readonly known: KnownPlaces
}

type SourceSession = HermesSurvey['sessions'][number]

interface Logged {
  readonly id: string
  readonly name: string
  readonly holder: string
  readonly segments: readonly string[]
  readonly parent: { readonly kind: string; readonly session: string | null } | null
}

/** Looks up every session of the file: the very same one, nobody's, or another's, whose id it must leave alone. */
export async function placeSessions(
  engine: ImportTarget,
  sessions: readonly SourceSession[],
  {
    sha256,
    tally,
    signal,
  }: { readonly sha256: Sha256; readonly tally: Tally; readonly signal: AbortSignal | undefined },
): Promise<Places> {
  const names = new Map<string, string>()
  const logged: Logged[] = []
  const isEmpty = (await engine.store.logHead()).position === 0
  for (const session of sessions) {
    signal?.throwIfAborted()
    for (let attempt = 0; !names.has(session.id); attempt += 1) {
      const name = derivedName(sha256, 'hermes', session.id, attempt)
      const found = isEmpty ? undefined : await lookUp(engine, name)
      if (found !== undefined && !(await isSame(found, name, session))) continue
      names.set(session.id, name)
      if (attempt > 0) tally.warn('id-taken', `sessions/${session.id}`, name)
      else if (name !== session.id) tally.warn('id-changed', `sessions/${session.id}`, name)
      if (found !== undefined) logged.push(await facts(session.id, name, found))
    }
  }
  const sources = new Map([...names].map(([id, name]) => [name, id]))
  const holders = new Map(logged.map(({ id, holder }) => [id, holder]))
  return {
    nameOf: (id) => names.get(id) ?? id,
    holderOf: (id) => holders.get(id),
    known: new Map(logged.map((one) => [one.id, placeOf(one, sources)])),
  }
}

interface Found {
  readonly handle: SessionHandle
  readonly segments: readonly string[]
  readonly parent: { readonly kind: string; readonly session: string | null } | null
}

/** By id only: a title that reads like an id is no session of this name. */
async function lookUp(engine: ImportTarget, name: string): Promise<Found | undefined> {
  const found = await engine.session(name)
  if (!found.ok) return undefined
  const lineage = await found.handle.lineage()
  if (!('segments' in lineage)) return undefined
  const isById = found.session === name || lineage.segments.includes(name)
  return isById ? { handle: found.handle, segments: lineage.segments, parent: lineage.parents[0] ?? null } : undefined
}

/** The same session of Hermes: the log says so, and both began at the same time. */
async function isSame({ handle }: Found, name: string, { id, startedAt }: SourceSession): Promise<boolean> {
  const [first] = await handle.events({ limit: 1 })
  if (first === undefined || !isKnown(first) || first.type !== 'SessionStarted') return false
  const { importedFrom, at: began } = first.data
  if (importedFrom?.tool !== 'hermes') return false
  if (handle.id !== name) return true
  const { at } = milliseconds(startedAt)
  return importedFrom.session === id && (began === undefined || at === undefined || began === at)
}

async function facts(id: string, name: string, { handle, segments, parent }: Found): Promise<Logged> {
  return { id, name, holder: handle.id, segments, parent }
}

function placeOf({ name, holder, segments, parent }: Logged, sources: ReadonlyMap<string, string>): KnownPlace {
  const source = (session: string | undefined | null): string | null => sources.get(session ?? '') ?? null
  const place = segments.indexOf(name)
  if (name !== holder && place > 0) {
    const after = segments[place - 1]
    return { kind: 'segment', after: source(after) ?? after ?? '' }
  }
  const kind = parent?.kind ?? 'root'
  switch (kind) {
    case 'branch':
    case 'delegate':
    case 'reset':
    case 'untyped':
    case 'stray':
      return { kind: 'conversation', edge: kind, parent: source(parent?.session) }
    default:
      return { kind: 'conversation', edge: 'root', parent: null }
  }
}
