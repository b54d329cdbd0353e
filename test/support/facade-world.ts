import {
  openEngine,
  type ContextView,
  type Engine,
  type Outcome,
  type Refusal,
  type SessionHandle,
  type TranscriptPage,
} from '@refold/engine'
import { openMemoryStore } from '../../packages/engine/src/stores/memory-store.ts'
import { testSource } from './test-source.ts'

export interface FacadeWorld {
  readonly engine: Engine
  readonly source: ReturnType<typeof testSource>
}

export async function facadeWorld(): Promise<FacadeWorld> {
  const source = testSource()
  return { source, engine: await openEngine({ store: openMemoryStore(source), source }) }
}

/** The answer, where a refusal would be a mistake of the test. */
export function sure<T extends object>(answer: T | Refusal): T {
  if ('ok' in answer && !answer.ok) throw new Error(`Refused: ${JSON.stringify(answer)}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refusals are the only answers with ok: false
  return answer as T
}

export async function startIn(engine: Engine, id = 's'): Promise<SessionHandle> {
  const started: Outcome<{ readonly handle: SessionHandle }> = await engine.start({ id })
  if (!started.ok) throw new Error(started.message)
  return started.handle
}

export async function transcriptOf(session: SessionHandle): Promise<TranscriptPage> {
  return sure(await session.transcript({ limit: 1_000 }))
}

export async function contextOf(session: SessionHandle, at?: number): Promise<ContextView> {
  return sure(await session.context(at === undefined ? {} : { at }))
}

/** `id: text` of each message that a person reads. */
export async function linesOf(session: SessionHandle): Promise<readonly string[]> {
  const { entries } = await transcriptOf(session)
  return entries.flatMap((entry) => (entry.kind === 'message' ? [`${entry.id}: ${wordsOf(entry.parts)}`] : []))
}

/** The same of the context, summaries by `summary`. */
export async function contextLinesOf(session: SessionHandle): Promise<readonly string[]> {
  const { messages } = await contextOf(session)
  return messages.map(({ id, standsFor, parts }) => `${standsFor === 'summary' ? 'summary' : id}: ${wordsOf(parts)}`)
}

const wordsOf = (parts: ContextView['messages'][number]['parts']): string =>
  parts
    .map((part) => ('text' in part ? (typeof part.text === 'string' ? part.text : part.text.head) : part.type))
    .join(' ')
