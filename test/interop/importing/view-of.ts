import type { Engine, SessionHandle, SessionRow } from '@refold/engine'
import { contextMessageJson, entryJson } from '@refold/projections'
import type { Json } from '@refold/events'

type JsonObject = { readonly [field: string]: Json }

export async function handleOf(engine: Engine, session: string): Promise<SessionHandle> {
  const found = await engine.session(session)
  if (!found.ok) throw new Error(`There is no session ${session}`)
  return found.handle
}

export async function rowsOf(engine: Engine): Promise<readonly SessionRow[]> {
  const list = await engine.list({ all: true, archived: true, limit: 100_000 })
  if (!('sessions' in list)) throw new Error('There is no list')
  return list.sessions
}

export async function entriesOf(engine: Engine, session: string): Promise<readonly JsonObject[]> {
  const page = await (await handleOf(engine, session)).transcript({ limit: 100_000 })
  if (!('entries' in page)) throw new Error(`There is no transcript of ${session}`)
  return page.entries.map(entryJson)
}

export async function messagesOf(engine: Engine, session: string): Promise<readonly JsonObject[]> {
  return (await entriesOf(engine, session)).filter(({ kind }) => kind === 'message')
}

export async function contextOf(engine: Engine, session: string): Promise<readonly JsonObject[]> {
  const view = await (await handleOf(engine, session)).context()
  if (!('messages' in view)) throw new Error(`There is no context of ${session}`)
  return view.messages.map(contextMessageJson)
}

const withoutId = (said: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(said).filter(([field]) => field !== 'id'))

/** What was said, as `role: text`. */
export const wordsOf = ({ role, text }: JsonObject): string =>
  `${typeof role === 'string' ? role : ''}: ${typeof text === 'string' ? text : ''}`

/** All that people and models see of an engine's sessions, without what depends on the way there: ids, markers, days. */
export async function viewOf(engine: Engine): Promise<Json> {
  const sessions: { [session: string]: Json } = {}
  for (const row of await rowsOf(engine)) {
    const messages = await messagesOf(engine, row.id)
    const context = await contextOf(engine, row.id)
    const { id, tip, segments, title, status, archived, pinned, hidden, workspace, model, origin, usage } = row
    sessions[id] = JSON.parse(
      JSON.stringify({
        row: { id, tip, segments, title, status, archived, pinned, hidden, workspace, model, messages: row.messages },
        origin: origin.kind,
        usage: { ...usage, costUsd: Math.round(usage.costUsd * 1e6) },
        transcript: messages.map(withoutId),
        context: context.map(withoutId),
      }),
    )
  }
  return sessions
}
