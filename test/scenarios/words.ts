import type { AnyRecorded, Recorded } from '@refold/events'
import type {
  CompactAnswer,
  Engine,
  ListQuery,
  MessageInput,
  Outcome,
  RotateAnswer,
  RotateInput,
  SessionHandle,
  SessionRow,
  StartInput,
} from '@refold/engine'
import { contextOf, sure, transcriptOf } from '../support/facade-world.ts'

export { contextLinesOf, contextOf, linesOf, sure, transcriptOf } from '../support/facade-world.ts'

/*
 * The catalogue's language. Turn n is messages `Un` and `An`; a tool pair n is messages `Tn` (the call) and `Rn` (its result).
 */

/** "start S". */
export async function start(engine: Engine, id: string, input: StartInput = {}): Promise<SessionHandle> {
  return sure(await engine.start({ id, ...input })).handle
}

/** Another writer's or surface's handle on a session, by any of its names. */
export async function open(engine: Engine, name: string): Promise<SessionHandle> {
  return sure(await engine.session(name)).handle
}

export const question = (n: number): MessageInput => ({
  id: `U${n}`,
  role: 'user',
  text: `Question ${n}: what does valve ${n} do when the water of part ${n} is too hot?`,
})

export const answer = (n: number): MessageInput => ({
  id: `A${n}`,
  role: 'assistant',
  text: `Answer ${n}: valve ${n} closes slowly, and a warning for part ${n} is shown on the panel.`,
})

export const call = (n: number, tool = 'look'): MessageInput => ({
  id: `T${n}`,
  role: 'assistant',
  toolCalls: [{ id: `call-${n}`, name: tool, arguments: { part: n } }],
})

export const result = (n: number): MessageInput => ({
  id: `R${n}`,
  role: 'tool',
  toolCallId: `call-${n}`,
  text: `Result ${n}: the sensor of part ${n} reads ${n * 10} degrees.`,
})

export const turn = (n: number): readonly MessageInput[] => [question(n), answer(n)]

/** Question, call, result and answer. */
export const toolTurn = (n: number): readonly MessageInput[] => [question(n), call(n), result(n), answer(n)]

export function turnsFrom(from: number, to: number): readonly MessageInput[] {
  return Array.from({ length: to - from + 1 }, (_, index) => turn(from + index)).flat()
}

/** "append turns from..to", one append a turn. */
export async function appendTurns(session: SessionHandle, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) sure(await session.append(turn(n)))
}

export interface HonestCompaction {
  /** How many of the last messages stay. */
  readonly keep: number
  readonly summary?: string
}

/** What somebody says who has read the whole context and compacts just that. */
export async function honestCompaction(
  session: SessionHandle,
  { keep, summary = 'So far: valves.' }: HonestCompaction,
) {
  const { revision, digest, messages } = await contextOf(session)
  const own = messages.filter((message) => message.standsFor === 'message' && !message.repair).map(({ id }) => id)
  return { base: revision, watermark: revision, held: digest, keep: keep === 0 ? [] : own.slice(-keep), summary }
}

/** "compact keep N". */
export async function compact(session: SessionHandle, compaction: HonestCompaction): Promise<Outcome<CompactAnswer>> {
  return session.compact(await honestCompaction(session, compaction))
}

/** "rotate S -> segment", with a compaction where `keep` is given. */
export async function rotate(
  session: SessionHandle,
  segment: string,
  { keep, ...input }: RotateInput & { readonly keep?: number } = {},
): Promise<Outcome<RotateAnswer>> {
  const compaction = keep === undefined ? {} : { compaction: await honestCompaction(session, { keep }) }
  return session.rotate({ segment, ...compaction, ...input })
}

/** Ids of the messages that a person reads. */
export async function transcript(session: SessionHandle): Promise<readonly string[]> {
  return (await transcriptOf(session)).entries.filter(({ kind }) => kind === 'message').map(({ id }) => id)
}

/** Ids of what the model is sent; `summary` for a summary, `repair` for a result made on the way out. */
export async function context(session: SessionHandle): Promise<readonly string[]> {
  const { messages } = await contextOf(session)
  return messages.map(({ id, standsFor, repair }) => (standsFor === 'summary' ? 'summary' : repair ? 'repair' : id))
}

export async function rows(engine: Engine, query: ListQuery = {}): Promise<readonly SessionRow[]> {
  return sure(await engine.list({ limit: 1_000, ...query })).sessions
}

/** Ids of the listed sessions, in the list's order. */
export async function listed(engine: Engine, query: ListQuery = {}): Promise<readonly string[]> {
  return (await rows(engine, query)).map(({ id }) => id)
}

export async function rowOf(engine: Engine, id: string): Promise<SessionRow | undefined> {
  return (await rows(engine, { all: true, archived: true })).find((row) => row.id === id)
}

/** Everything that the log holds of a session. */
export async function stored(session: SessionHandle): Promise<readonly AnyRecorded[]> {
  const all: AnyRecorded[] = []
  for (;;) {
    const page = await session.events({ from: all.length, limit: 1_000 })
    all.push(...page)
    if (page.length < 1_000) return all
  }
}

/** Events of one type in a session's log. */
export async function storedOf<T extends Recorded['type']>(
  session: SessionHandle,
  type: T,
): Promise<readonly Recorded<Extract<Recorded, { readonly type: T }>>[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the filter is by the type's own discriminant
  return (await stored(session)).filter((event) => event.type === type) as never
}

/** Ids of all stored messages, in the log's order, copies included. */
export async function storedMessages(session: SessionHandle): Promise<readonly string[]> {
  return (await storedOf(session, 'MessageAppended')).map(({ data }) => data.id)
}
