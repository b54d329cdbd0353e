import type { CompactAnswer, CompactInput, Engine, MessageInput, Outcome, SessionHandle } from '@refold/engine'
import { contextOf, sure, transcriptOf } from '../support/facade-world.ts'

/** `U1`, `A1`, `U2`, …: questions and answers long enough that a summary is shorter. */
export function turns(from: number, to: number): readonly (MessageInput & { readonly id: string })[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((n) => [
    { id: `U${n}`, role: 'user', text: `Question ${n}: why does the sensor of line ${n} fail so often?` },
    { id: `A${n}`, role: 'assistant', text: `Answer ${n}: because its cable runs beside the motor of line ${n}.` },
  ])
}

/** A compaction of all that its author has just read. */
export async function honest(session: SessionHandle, keep: readonly string[] = []): Promise<CompactInput> {
  const { revision, digest } = await contextOf(session)
  return { base: revision, watermark: revision, held: digest, keep, summary: 'Cables.' }
}

export async function compact(session: SessionHandle, keep: readonly string[] = []): Promise<Outcome<CompactAnswer>> {
  return session.compact(await honest(session, keep))
}

/** Ids of the messages that a person reads. */
export async function readBy(session: SessionHandle): Promise<readonly string[]> {
  const { entries } = await transcriptOf(session)
  return entries.flatMap((entry) => (entry.kind === 'message' ? [entry.id] : []))
}

/** Ids of what the model is sent; `summary` for one. */
export async function sentTo(session: SessionHandle): Promise<readonly string[]> {
  const { messages } = await contextOf(session)
  return messages.map(({ standsFor, id }) => (standsFor === 'summary' ? 'summary' : id))
}

export async function open(engine: Engine, name: string): Promise<SessionHandle> {
  return sure(await engine.session(name)).handle
}

/** Everything that can be read of a session, to compare before and after. */
export async function allReads(session: SessionHandle): Promise<object> {
  return {
    transcript: await session.transcript({ limit: 1_000 }),
    context: await session.context(),
    lineage: await session.lineage(),
    usage: await session.usage({ withDelegates: true }),
    settings: await session.settings(),
  }
}

export async function logHead(engine: Engine): Promise<number> {
  return (await engine.store.logHead()).position
}
