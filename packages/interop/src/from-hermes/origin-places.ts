import { messageEventId, sessionStream, type Cut, type MessageRef } from '@refold/events'
import type { HermesConversation, HermesItem } from '../hermes/conversation.ts'
import type { HermesImport } from './hermes-import.ts'

/** Where the messages of a conversation are, for those that begin with them. */
export interface OriginPlaces {
  readonly session: string
  /** By key: the message's id and the session whose own log holds it. */
  readonly messages: ReadonlyMap<string, Pick<MessageRef, 'message' | 'session'>>
  /** Compactions by the key of the last entry before them. */
  readonly compactions: ReadonlyMap<string, { readonly eventId: string; readonly covered: ReadonlySet<string> }>
}

export function originPlaces(
  conversation: HermesConversation,
  session: string,
  ids: ReadonlyMap<string, string>,
  inherited: OriginPlaces | undefined,
  compactedId: (key: string) => string,
): OriginPlaces {
  const own = [...ids].map(([key, message]) => [key, { message, session }] as const)
  const compactions = new Map<string, { readonly eventId: string; readonly covered: ReadonlySet<string> }>()
  let last: string | undefined
  for (const item of [...conversation.inherited, ...conversation.items]) {
    if (item.kind === 'message' || item.kind === 'notice') last = item.key
    if (item.kind === 'compaction' && last !== undefined)
      compactions.set(last, { eventId: compactedId(item.key), covered: new Set(item.covered) })
  }
  return { session, messages: new Map([...(inherited?.messages ?? []), ...own]), compactions }
}

/**
 * How much of its origin a branch or stray begins with, as the origin stood when its last shared message was new: with the
 * compaction right after that, unless the branch holds a copy of what it covers.
 */
export async function cutOf(run: HermesImport, conversation: HermesConversation): Promise<Cut> {
  const { engine, sha256 } = run.place
  const { origin, inherited } = conversation
  const from = origin.kind === 'branch' || origin.kind === 'stray' ? run.origins.get(origin.rootId) : undefined
  const streamOf = (session: string): string => sessionStream({ namespace: engine.namespace, session })
  const shared = inherited.findLast((item) => item.kind === 'message' && from?.messages.has(item.key) === true)
  const ref = shared?.kind === 'message' ? from?.messages.get(shared.key) : undefined
  if (from === undefined || shared?.kind !== 'message' || ref === undefined) return { asOf: 0, through: null }
  const stream = streamOf(ref.session)
  const found = await engine.store.find(stream, messageEventId(sha256, stream, ref.message))
  if (found === undefined) return { asOf: 0, through: null }
  const through = { ...ref, revision: found.revision }
  const own = ref.session === from.session ? found.revision : 0
  const last = inherited.findLast((item) => item.kind === 'message' || item.kind === 'notice')
  const compaction = from.compactions.get(last === undefined ? '' : last.key)
  if (compaction === undefined || holdsAny(conversation, inherited, compaction.covered)) return { asOf: own, through }
  const compacted = await engine.store.find(streamOf(from.session), compaction.eventId)
  return { asOf: Math.max(own, compacted?.revision ?? 0), through }
}

/** Notices behind the last shared message, which a cut cannot name. */
export function noticesBehindCut({ inherited }: HermesConversation): readonly HermesItem[] {
  return inherited.slice(inherited.findLastIndex((item) => item.kind === 'message') + 1)
}

function holdsAny(
  { segments }: HermesConversation,
  inherited: readonly HermesItem[],
  covered: ReadonlySet<string>,
): boolean {
  const first = segments[0]?.id
  return inherited.some(
    (item) =>
      item.kind === 'message' && covered.has(item.key) && item.rows.some(({ sessionId }) => sessionId === first),
  )
}
