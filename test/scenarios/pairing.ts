import type { ContextMessage } from '@refold/engine'

/** Ids of calls and results that a provider would refuse: results without a call before them, calls not answered right behind. */
export function unpaired(messages: readonly ContextMessage[]): readonly string[] {
  const wrong: string[] = []
  let open = new Set<string>()
  for (const { role, parts } of messages) {
    const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
    for (const result of results) if (!open.delete(result)) wrong.push(result)
    if (role === 'tool') continue
    wrong.push(...open)
    open = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])))
  }
  return [...wrong, ...open]
}

const says = (part: ContextMessage['parts'][number]): boolean => !('text' in part) || part.text !== ''

/** Ids of messages that say nothing: neither words nor calls nor anything attached. */
export function empty(messages: readonly ContextMessage[]): readonly string[] {
  return messages.filter(({ parts }) => !parts.some(says)).map(({ id }) => id)
}
