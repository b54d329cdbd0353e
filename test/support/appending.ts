import { append } from '../../packages/engine/src/commands/append.ts'
import type { AppendInput, AppendAnswer } from '../../packages/engine/src/commands/append.ts'
import type { MessageInput } from '../../packages/engine/src/commands/message-input.ts'
import { prepareMessages } from '../../packages/engine/src/commands/prepare-message.ts'
import { Shelf } from '../../packages/engine/src/content/shelf.ts'
import type { Desk } from '../../packages/engine/src/deciding/desk.ts'
import type { Deciding } from '../../packages/engine/src/deciding/plan.ts'
import { sha256 } from './sha256.ts'

/** The append command with its messages prepared, as the facade prepares them. */
export function appending(
  session: string,
  messages: readonly MessageInput[],
  input: AppendInput & { readonly ownSince?: number } = {},
): (desk: Desk) => Deciding<AppendAnswer> {
  return (desk) => {
    const shelf = new Shelf(sha256)
    const { turn } = input
    const prepared = prepareMessages(messages, {
      key: desk.key,
      shelf,
      sha256,
      ...(turn === undefined ? {} : { turn }),
    })
    return append(desk, session, { ...input, messages: prepared, blobs: shelf.blobs() })
  }
}
