import { z } from 'zod'
import { json, type Json } from '../json.ts'
import { text, type Text } from '../text.ts'

/** What a host or a foreign program has to say and Refold has no event for. */
export interface Noted {
  readonly type: 'Noted'
  readonly data: {
    readonly note: string
    readonly kind: string
    readonly shownTo: 'person' | 'model' | 'both' | 'none'
    /** Words for those it is shown to. */
    readonly text?: Text
    readonly data?: Json
    readonly at?: number
  }
}

export type NoteEvent = Noted

export const noteSchemas: { readonly [E in NoteEvent as E['type']]: z.ZodType<E['data']> } = {
  Noted: z.strictObject({
    note: z.string().min(1),
    kind: z.string().min(1),
    shownTo: z.enum(['person', 'model', 'both', 'none']),
    text: text.exactOptional(),
    data: json.exactOptional(),
    at: z.number().exactOptional(),
  }),
}
