import { z } from 'zod'

/** Tokens by kind. Increments; a kind that is absent is zero. */
export interface TokenCounts {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

export interface UsageRecorded {
  readonly type: 'UsageRecorded'
  readonly data: {
    /** Message or request that it belongs to; the key against counting it twice. */
    readonly key: string
    readonly model?: string
    readonly provider?: string
    /** Absent for the main loop; else such as `compaction` or `title`. */
    readonly task?: string
    readonly tokens: TokenCounts
    readonly calls?: number
    /** US dollars; `costBasis` says how sure they are. */
    readonly costUsd?: number
    readonly costBasis?: 'estimated' | 'billed' | 'included' | 'unknown'
    /** When it was used, epoch milliseconds. */
    readonly at?: number
  }
}

export type AccountingEvent = UsageRecorded

/** Importers may correct a total downwards, so increments have a sign. */
const increment = z.number().exactOptional()

export const accountingSchemas: { readonly [E in AccountingEvent as E['type']]: z.ZodType<E['data']> } = {
  UsageRecorded: z.strictObject({
    key: z.string().min(1),
    model: z.string().exactOptional(),
    provider: z.string().exactOptional(),
    task: z.string().exactOptional(),
    tokens: z.strictObject({
      input: increment,
      output: increment,
      cacheRead: increment,
      cacheWrite: increment,
      reasoning: increment,
    }),
    calls: increment,
    costUsd: increment,
    costBasis: z.enum(['estimated', 'billed', 'included', 'unknown']).exactOptional(),
    at: z.number().exactOptional(),
  }),
}
