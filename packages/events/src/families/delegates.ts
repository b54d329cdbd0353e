import { z } from 'zod'
import { identifier } from '../identifier.ts'
import { text, type Text } from '../text.ts'

export interface DelegateSpawned {
  readonly type: 'DelegateSpawned'
  readonly data: { readonly session: string; readonly toolCallId?: string; readonly task?: Text }
}

export interface DelegateReported {
  readonly type: 'DelegateReported'
  readonly data: {
    readonly session: string
    /** Tells several reports of one delegate apart. */
    readonly run: string
    readonly outcome: 'done' | 'failed' | 'cancelled'
    readonly message?: Text
    /** Id of the message that brought it to the model; absent where it is only to be read (after a reset or end). */
    readonly injectedAs?: string
  }
}

export type DelegateEvent = DelegateSpawned | DelegateReported

export const delegateSchemas: { readonly [E in DelegateEvent as E['type']]: z.ZodType<E['data']> } = {
  DelegateSpawned: z.strictObject({
    session: identifier,
    toolCallId: z.string().exactOptional(),
    task: text.exactOptional(),
  }),
  DelegateReported: z.strictObject({
    session: identifier,
    run: z.string(),
    outcome: z.enum(['done', 'failed', 'cancelled']),
    message: text.exactOptional(),
    injectedAs: identifier.exactOptional(),
  }),
}
