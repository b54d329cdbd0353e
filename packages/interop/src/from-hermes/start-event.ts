import type { Json, Origin, SessionStarted } from '@refold/events'
import type { HermesConversation } from '../hermes/conversation.ts'
import { isEmptyJson } from '../importing/to-json.ts'
import { sessionOf, type HermesImport } from './hermes-import.ts'
import { milliseconds } from './milliseconds.ts'
import { cutOf } from './origin-places.ts'

/** How a conversation began. Written once. */
export async function startEvent(
  run: HermesImport,
  conversation: HermesConversation,
  session: string,
): Promise<SessionStarted> {
  const { rootId, segments, startedAt } = conversation
  const details = detailsOf(conversation)
  const surface = segments[0]?.source
  return {
    type: 'SessionStarted',
    data: {
      session,
      origin: await originOf(run, conversation),
      ...(surface === undefined ? {} : { surface }),
      ...milliseconds(startedAt),
      importedFrom: { tool: 'hermes', session: rootId, ...(isEmptyJson(details) ? {} : { details }) },
    },
  }
}

async function originOf(run: HermesImport, conversation: HermesConversation): Promise<Origin> {
  const { origin } = conversation
  switch (origin.kind) {
    case 'root':
      return { kind: 'root' }
    case 'delegate':
      return { kind: 'delegate', session: origin.rootId === null ? null : sessionOf(run, origin.rootId) }
    case 'reset':
    case 'untyped':
      return { kind: origin.kind, session: sessionOf(run, origin.rootId) }
    case 'branch':
    case 'stray':
      return { kind: origin.kind, session: sessionOf(run, origin.rootId), cut: await cutOf(run, conversation) }
    default: {
      const never: never = origin
      return never
    }
  }
}

/** What the source says of the beginning and no field holds. */
function detailsOf({ origin }: HermesConversation): Json {
  const told: { readonly [name: string]: string | null } =
    origin.kind === 'root'
      ? { danglingParent: origin.danglingParent, afterResetOf: origin.afterResetOf }
      : origin.kind === 'delegate'
        ? { parent: origin.sessionId, mark: origin.mark }
        : { parent: origin.sessionId }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))
}
