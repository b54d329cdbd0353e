import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { agrees } from './agree.ts'
import { mustAgree } from './must-agree.ts'
import type { SessionHandle, TranscriptPage } from '@refold/engine'
import { sha256 } from '../support/sha256.ts'
import { sure } from '../support/facade-world.ts'
import { context } from './model/context.ts'
import { isUnfinished, type Entry } from './model/entry.ts'
import { listed, row, sum, type Shelf } from './model/list.ts'
import type { Session } from './model/session.ts'
import { transcript } from './model/transcript.ts'
import type { Namespace, World } from './model/world.ts'
import type { Stage } from './stage.ts'

/** The same with long texts in short, so that a difference can be read. */
const inShort = (value: object): unknown =>
  eachText(value, (one) => (one.length > 300 ? `${one.slice(0, 20)}… ${one.length} ${sha256(one)}` : one))

/** Half characters are kept in the log and replaced where they would be read. */
const readable = (value: object): unknown => inShort(Object(eachText(value, (one) => one.toWellFormed())))

const eachText = (value: object, change: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value, (_field, one: unknown) => (typeof one === 'string' ? change(one) : one)))

function mustBe(found: object, wanted: object): void {
  if (!agrees(found, wanted)) expect(inShort(found)).toEqual(readable(wanted))
}

function mustHold(found: object, wanted: object): void {
  if (!agrees(found, wanted, true)) expect(found).toMatchObject(wanted)
}

interface ReadPlace {
  readonly world: World
  readonly namespace: Namespace
  readonly index: number
  readonly stage: Stage
  readonly writer: number
  /** Page by page, too. */
  readonly paged?: true
}

/** All reads of all sessions in both namespaces, and the lists. */
export async function compareWorld(world: World, stage: Stage): Promise<void> {
  for (const [index, namespace] of world.namespaces.entries()) {
    const place = { world, namespace, index, stage, writer: world.step, paged: true } as const
    for (const id of namespace.sessions.keys()) await compareSession(place, id)
    await compareList(place, {}, ['listed'])
    await compareList(place, { archived: true }, ['listed', 'archived'])
    await compareList(place, { all: true }, ['listed', 'archived', 'unlisted'])
  }
}

async function compareList(
  { world, namespace, index, stage, writer }: ReadPlace,
  query: { readonly archived?: boolean; readonly all?: boolean },
  shelves: readonly Shelf[],
): Promise<void> {
  const wanted = listed(namespace, shelves).map((session) => row(world, namespace, session))
  const page = sure(await stage.engine(index, writer).list({ ...query, limit: 1_000 }))
  mustBe({ query, total: page.total, rows: page.sessions }, { query, total: wanted.length, rows: wanted })
}

/** All reads of one session, through the engine that wrote or through the other one. */
export async function compareSession(place: ReadPlace, id: string): Promise<void> {
  const { namespace, index, stage, writer, world } = place
  const session = namespace.sessions.get(namespace.ids.get(id) ?? id)
  const found = await stage.engine(index, writer + world.step).session(id)
  if (!session) {
    expect(found).toMatchObject({ ok: false, code: 'session-not-found' })
    return
  }
  const { handle } = sure(found)
  if (session.deleted) {
    mustHold(await handle.transcript(), { ok: false, code: 'session-deleted' })
    mustHold(await handle.context(), { ok: false, code: 'session-deleted' })
    return
  }
  await compareTranscript(place, session, handle)
  await compareContext(session, handle)
  await compareLineage(namespace, session, handle)
  await compareUsage(namespace, session, handle)
}

async function compareTranscript(
  { world, paged: isPaged }: ReadPlace,
  session: Session,
  handle: SessionHandle,
): Promise<void> {
  const wanted = transcript(session).map((entry) => shown(world, session, entry))
  const whole = sure(await handle.transcript({ limit: 1_000 }))
  await mustAgree(handle, 'transcript', entriesOf(whole), wanted)
  if (!isPaged) return
  const limit = 1 + (world.step % 4)
  const paged: TranscriptPage['entries'][number][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: TranscriptPage = sure(await handle.transcript(cursor === '' ? { limit } : { limit, cursor }))
    paged.unshift(...page.entries)
    cursor = page.cursor
  }
  if (!isDeepStrictEqual(paged, whole.entries))
    expect(paged.map(inShort), `pages of ${limit}`).toEqual(whole.entries.map(inShort))
}

const entriesOf = ({ entries }: TranscriptPage): readonly object[] =>
  entries.map((entry) => {
    if (entry.kind !== 'message')
      return NAMED.has(entry.kind) ? { kind: entry.kind, id: entry.id } : { kind: entry.kind }
    const { kind, id, role, provenance, parts, state } = entry
    return { kind, id, role, provenance, parts, state }
  })

/** Marks that have an id which the model knows, too. */
const NAMED: ReadonlySet<string> = new Set(['note', 'compaction', 'rotation', 'delegate', 'branch', 'alternative'])

function shown(world: World, { turn, listedTurn }: Session, entry: Entry): object {
  const { kind, id, role, provenance, parts, failed } = entry
  if (kind !== 'message') return NAMED.has(kind) ? { kind, id } : { kind }
  const isLive = turn !== null && listedTurn === turn.id && turn.leaseUntil > world.now() && entry.turn === turn.id
  const state = failed ? 'failed' : isUnfinished(entry) && !isLive ? 'partial' : 'complete'
  return { kind, id, role, provenance, parts, state }
}

/** Messages without calls and results. */
function words<M extends { readonly parts: readonly { readonly type: string }[] }>(
  messages: readonly M[],
): readonly M[] {
  return messages.filter(({ parts }) => !parts.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
}

async function compareContext(session: Session, handle: SessionHandle): Promise<void> {
  const view = sure(await handle.context())
  const { sent } = context(session)
  const wanted = sent.map(({ entry, id, role, parts }) => ({
    standsFor: entry ? 'message' : 'summary',
    id,
    role: roleOf(role, parts),
    parts,
  }))
  const found = view.messages.filter(({ repair }) => !repair)
  // What a repair does to calls and results is another property's; here counts that all other words are sent, in order.
  const plain = new Set(words(wanted).map(({ id }) => id))
  const sentPlain = found.filter(({ id }) => plain.has(id))
  await mustAgree(handle, 'context', sentPlain, words(wanted))
  const callers = wanted.filter(({ parts }) => parts.some(({ type }) => type === 'tool-call')).map(({ id }) => id)
  const sentIds = new Set(found.map(({ id }) => id))
  mustBe({ 'calls that are not sent': callers.filter((id) => !sentIds.has(id)) }, { 'calls that are not sent': [] })
  const known = new Set(wanted.map(({ id }) => id))
  const unknown = found.map(({ id }) => id).filter((id) => !known.has(id))
  mustBe({ unknown, systemPrompt: view.systemPrompt }, { unknown: [], systemPrompt: session.systemPrompt })
}

/** Words of a tool that are no result of a call are somebody's words. */
const roleOf = (role: string, parts: readonly { readonly type: string }[]): string =>
  role === 'tool' && !parts.some(({ type }) => type === 'tool-result') ? 'user' : role

async function compareLineage(namespace: Namespace, session: Session, handle: SessionHandle): Promise<void> {
  const { kind, session: parent } = session.origin
  const children = [...namespace.sessions.values()].filter((one) => one.origin.session === session.id && !one.deleted)
  mustHold(sure(await handle.lineage()), {
    session: session.id,
    segments: session.segments,
    parents: kind === 'root' ? [] : [{ kind, session: parent }],
    children: children.map((one) => ({ kind: one.origin.kind, session: one.id })),
  })
}

async function compareUsage(namespace: Namespace, session: Session, handle: SessionHandle): Promise<void> {
  const own = [...session.usage.values()]
  mustHold(sure(await handle.usage()).total, totals(own))
  const all = new Set([session])
  for (const one of all)
    for (const id of one.delegates.keys()) {
      const delegate = namespace.sessions.get(id)
      if (delegate) all.add(delegate)
    }
  // What was spent stays spent, also by a delegate that is deleted.
  const together = totals([...all].flatMap((one) => [...one.usage.values()]))
  mustHold(sure(await handle.usage({ withDelegates: true })).total, together)
}

const totals = (
  usage: readonly { readonly input: number; readonly output: number; readonly costUsd: number }[],
): object => ({
  input: sum(usage.map(({ input }) => input)),
  output: sum(usage.map(({ output }) => output)),
  costUsd: sum(usage.map(({ costUsd }) => costUsd)),
})
