import { z } from 'zod'

/** UTF-8 bytes above which a text is stored once, by content hash, and events only refer to it. */
export const LARGE_TEXT_BYTES: number = 16 * 1024

/** Characters of a large text that its event still carries, for previews and for reading a log without its blobs. */
export const TEXT_HEAD_CHARACTERS: number = 200

/** A text over {@link LARGE_TEXT_BYTES}, kept in the blob store. */
export interface LargeText {
  /** SHA-256 of the UTF-8 bytes, 64 lowercase hex digits. */
  readonly blob: string
  /** Length of the whole text in UTF-8 bytes. */
  readonly bytes: number
  /** The first {@link TEXT_HEAD_CHARACTERS} characters. */
  readonly head: string
}

/** A text as events carry it: inline, or by reference. */
export type Text = string | LargeText

export const blobHash: z.ZodType<string> = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.int().nonnegative()

export const largeText: z.ZodType<LargeText> = z.strictObject({ blob: blobHash, bytes: size, head: z.string() })

export const text: z.ZodType<Text> = z.union([z.string(), largeText])

export function isLarge(value: Text): value is LargeText {
  return typeof value !== 'string'
}

/** The text itself where it is inline, else its head. */
export function headOf(value: Text): string {
  return typeof value === 'string' ? value : value.head
}
