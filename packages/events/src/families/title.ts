import { z } from 'zod'

/** Ranked: a person's title is never replaced by a model's, a branch's number or a derived one. */
export type TitleAuthor = 'person' | 'model' | 'branch' | 'derived'

export interface Renamed {
  readonly type: 'Renamed'
  readonly data: {
    /** Null takes the title away. */
    readonly title: string | null
    readonly by: TitleAuthor
    /** Revision of the claim on the title, on stores without transactions. */
    readonly claimRevision?: number
  }
}

export type TitleEvent = Renamed

export const titleSchemas: { readonly [E in TitleEvent as E['type']]: z.ZodType<E['data']> } = {
  Renamed: z.strictObject({
    title: z.string().min(1).nullable(),
    by: z.enum(['person', 'model', 'branch', 'derived']),
    claimRevision: z.int().nonnegative().exactOptional(),
  }),
}
