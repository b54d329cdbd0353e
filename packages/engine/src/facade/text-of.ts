import { headOf, type Part } from '@refold/events'

/**
 * What a message says in words: its texts and tool results, a line each. Reasoning, calls and attachments are left out.
 * Takes a message of a context, of a transcript, or anything else with parts.
 */
export function textOf({ parts }: { readonly parts: readonly Part[] }): string {
  return parts
    .flatMap((part) => (part.type === 'text' || part.type === 'tool-result' ? [headOf(part.text)] : []))
    .join('\n')
}
