import { z } from 'zod'
import { identifier } from '../identifier.ts'
import { parts, type Part } from '../parts.ts'

/** Roles that Refold knows; a foreign one is kept as it is and read like `system`. */
export type Role = 'user' | 'assistant' | 'tool' | 'system' | (string & {})

/** Who made the words, recorded when they arrive and never guessed from the text. */
export type Provenance = 'person' | 'engine' | 'model' | 'tool'

export type ShownTo = 'both' | 'person' | 'model'

export interface MessageAppended {
  readonly type: 'MessageAppended'
  readonly data: {
    readonly id: string
    readonly role: Role
    readonly parts: readonly Part[]
    readonly provenance: Provenance
    readonly shownTo: ShownTo
    /** A growing answer: rises with each partial text; absent on the completing event. */
    readonly partial?: number
    readonly turn?: string
    /** The id that a chat platform gave; a key against double delivery. */
    readonly platformId?: string
    /** The message's own time, epoch milliseconds; any finite number. */
    readonly at?: number
    /** Who wrote it, in words for people, where a chat has several authors. */
    readonly author?: string
    /** Overheard: said in a group, not to the agent. */
    readonly observed?: boolean
    /** Its turn failed; sent again only on request. */
    readonly failed?: boolean
  }
}

export interface MessageEdited {
  readonly type: 'MessageEdited'
  readonly data: { readonly message: string; readonly parts: readonly Part[]; readonly at?: number }
}

export interface Rewound {
  readonly type: 'Rewound'
  readonly data: {
    readonly undoId: string
    /** Message after which everything leaves; null: everything leaves. */
    readonly lastThatStays: string | null
    /** Imports only: just these messages and notes leave, whatever stands after them. */
    readonly only?: readonly string[]
    readonly reason: 'rewind' | 'edit' | 'import'
  }
}

export interface RewindUndone {
  readonly type: 'RewindUndone'
  readonly data: {
    readonly undoId: string
    /** Names what was appended since that rewind, which now leaves as an alternative. */
    readonly newUndoId: string
  }
}

export type MessageEvent = MessageAppended | MessageEdited | Rewound | RewindUndone

const time = z.number()

export const messageSchemas: { readonly [E in MessageEvent as E['type']]: z.ZodType<E['data']> } = {
  MessageAppended: z.strictObject({
    id: identifier,
    role: z.string().min(1),
    parts,
    provenance: z.enum(['person', 'engine', 'model', 'tool']),
    shownTo: z.enum(['both', 'person', 'model']),
    partial: z.int().nonnegative().exactOptional(),
    turn: identifier.exactOptional(),
    platformId: z.string().min(1).exactOptional(),
    at: time.exactOptional(),
    author: z.string().exactOptional(),
    observed: z.boolean().exactOptional(),
    failed: z.boolean().exactOptional(),
  }),
  MessageEdited: z.strictObject({ message: identifier, parts, at: time.exactOptional() }),
  Rewound: z.strictObject({
    undoId: z.string(),
    lastThatStays: identifier.nullable(),
    only: z.array(identifier).exactOptional(),
    reason: z.enum(['rewind', 'edit', 'import']),
  }),
  RewindUndone: z.strictObject({ undoId: z.string(), newUndoId: z.string() }),
}
