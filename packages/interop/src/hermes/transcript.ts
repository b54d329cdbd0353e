import type { HermesConversation } from './conversation.ts'
import type { HermesMessage } from './message.ts'

/** What a person reads of a conversation, with what it begins with of its origin. */
export function shownMessages(conversation: HermesConversation): readonly HermesMessage[] {
  return [...conversation.inherited, ...conversation.items].filter(
    (item): item is HermesMessage => item.kind === 'message' && item.shownTo === 'both' && !item.undone,
  )
}
