import { z } from 'zod'
import { identifier } from '../identifier.ts'
import { parts, type Part } from '../parts.ts'
import { text, type Text } from '../text.ts'

/** How one message looks in the context where that differs from what a person reads. */
export interface WireForm {
  readonly message: string
  readonly parts: readonly Part[]
}

export interface Compacted {
  readonly type: 'Compacted'
  readonly data: {
    readonly compactionId: string
    /** Revision that its author had read up to when it began. */
    readonly base: number
    /** Last revision that it covers: messages up to here are summarised or kept, later ones stay live after it. */
    readonly watermark: number
    /** Digest of the context at the watermark, as its author held it. */
    readonly held: string
    /** Ids of the covered range that stay word for word, in their order. */
    readonly kept: readonly string[]
    readonly summary: Text
    /** Role that the summary takes in the context. */
    readonly summaryRole: 'user' | 'assistant' | 'system'
    /** Kept message whose wire form already holds the summary, so that it is not sent apart. */
    readonly carrier?: string
    readonly wireForms: readonly WireForm[]
    /** How many messages the summary stands for. */
    readonly covers: number
    /** Context size in bytes by the engine's measure, and token counts as the caller gave them. */
    readonly sizes: {
      readonly bytesBefore: number
      readonly bytesAfter: number
      readonly tokensBefore?: number
      readonly tokensAfter?: number
    }
    readonly model?: string
  }
}

export interface CompactionUndone {
  readonly type: 'CompactionUndone'
  readonly data: { readonly compactionId: string }
}

export interface CompactionFailed {
  readonly type: 'CompactionFailed'
  readonly data: {
    readonly reason: string
    /** Epoch milliseconds before which nobody should try again. */ readonly cooldownUntil?: number
  }
}

export interface WireFormSet {
  readonly type: 'WireFormSet'
  readonly data: {
    readonly message: string
    /** Null: the message looks to the model as it does to people again. */
    readonly parts: readonly Part[] | null
    readonly why: string
  }
}

export interface Rotated {
  readonly type: 'Rotated'
  readonly data: {
    readonly from: string
    readonly to: string
    readonly reason: string
    readonly at?: number
    /** Revision of the claim on the new segment's id, on stores without transactions. */
    readonly claimRevision?: number
  }
}

export type ContextEvent = Compacted | CompactionUndone | CompactionFailed | WireFormSet | Rotated

const revision = z.int().nonnegative()
const count = z.number().nonnegative()

export const contextSchemas: { readonly [E in ContextEvent as E['type']]: z.ZodType<E['data']> } = {
  Compacted: z.strictObject({
    compactionId: z.string(),
    base: revision,
    watermark: revision,
    held: z.string(),
    kept: z.array(identifier),
    summary: text,
    summaryRole: z.enum(['user', 'assistant', 'system']),
    carrier: identifier.exactOptional(),
    wireForms: z.array(z.strictObject({ message: identifier, parts })),
    covers: z.int().nonnegative(),
    sizes: z.strictObject({
      bytesBefore: count,
      bytesAfter: count,
      tokensBefore: count.exactOptional(),
      tokensAfter: count.exactOptional(),
    }),
    model: z.string().exactOptional(),
  }),
  CompactionUndone: z.strictObject({ compactionId: z.string() }),
  CompactionFailed: z.strictObject({ reason: z.string(), cooldownUntil: z.number().exactOptional() }),
  WireFormSet: z.strictObject({ message: identifier, parts: parts.nullable(), why: z.string() }),
  Rotated: z.strictObject({
    from: identifier,
    to: identifier,
    reason: z.string(),
    at: z.number().exactOptional(),
    claimRevision: revision.exactOptional(),
  }),
}
