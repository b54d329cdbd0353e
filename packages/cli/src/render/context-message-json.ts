import type { ContextMessage } from '@refold/engine'
import { messageContent } from './message-content.ts'

/** A message that the model is sent, as `--json` prints it. */
export function contextMessageJson({ role, parts, standsFor, id, repair }: ContextMessage): object {
  return { role, ...messageContent(parts), standsFor, id, ...(repair === true && { repair }) }
}
