import type { Part } from '@refold/events'

export type EntryKind =
  | 'message'
  | 'note'
  | 'compaction'
  | 'rotation'
  | 'delegate'
  | 'model'
  | 'branch'
  | 'end'
  | 'reopen'
  | 'alternative'

/** One thing in a session's list, message or mark. Moments are the model's own count of steps. */
export interface Entry {
  readonly kind: EntryKind
  readonly id: string
  readonly role: string
  readonly provenance: string
  readonly shownTo: 'both' | 'person' | 'model'
  readonly turn: string | null
  /** What is read now. */
  parts: readonly Part[]
  /** What makes a second append of the id the same, once complete. */
  said: string | null
  /** Texts so far of an answer that grows, by number. */
  readonly grown: Map<number, string>
  /** Those that a branch began with. */
  readonly grownBefore: ReadonlyMap<number, string>
  failed: boolean
  /** What the model reads instead, until the text changes; `parts` null: its text again. */
  wire: { readonly parts: readonly Part[] | null; readonly set: number } | null
  readonly born: number
  /** When its text changed last, and when it came or grew last. */
  told: number
  grew: number
}

export function newEntry(kind: EntryKind, id: string, now: number, fields: Partial<Entry> = {}): Entry {
  return {
    kind,
    id,
    role: 'system',
    provenance: 'engine',
    shownTo: 'person',
    turn: null,
    parts: [],
    said: null,
    grown: new Map(),
    grownBefore: new Map(),
    failed: false,
    wire: null,
    born: now,
    told: now,
    grew: now,
    ...fields,
  }
}

export const isMessage = ({ kind }: Entry): boolean => kind === 'message'
export const isShownMessage = ({ kind, shownTo }: Entry): boolean => kind === 'message' && shownTo !== 'model'
export const isUnfinished = ({ kind, said }: Entry): boolean => kind === 'message' && said === null

/** Messages and notes that the model may be sent. */
export function isForModel({ kind, shownTo, failed }: Entry): boolean {
  return (kind === 'message' || kind === 'note') && shownTo !== 'person' && !failed
}
