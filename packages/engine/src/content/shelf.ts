import {
  LARGE_TEXT_BYTES,
  TEXT_HEAD_CHARACTERS,
  type Blob,
  type LargeText,
  type Sha256,
  type Text,
} from '@refold/events'
import { blobHashesIn } from './blobs-in.ts'

const encoder = new TextEncoder()

/** Collects what is too large to stand in an event. Its blobs go into the append of the events that refer to them. */
export class Shelf {
  readonly #sha256: Sha256
  readonly #blobs = new Map<string, Uint8Array>()
  readonly #named = new Set<string>()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** The text itself, or a reference when it has over {@link LARGE_TEXT_BYTES} in UTF-8. Lone surrogates are replaced in large ones. */
  text(text: Text): Text {
    // Untyped callers may give anything here; the event's schema refuses it later.
    if (typeof text !== 'string') for (const hash of blobHashesIn(text)) this.#named.add(hash)
    if (typeof text !== 'string' || text.length * 3 <= LARGE_TEXT_BYTES) return text
    const bytes = encoder.encode(text)
    return bytes.length > LARGE_TEXT_BYTES ? this.#large(text, bytes) : text
  }

  /** A reference to this text, whatever its length. */
  large(text: string): LargeText {
    return this.#large(text, encoder.encode(text))
  }

  bytes(bytes: Uint8Array): string {
    const hash = this.#sha256(bytes)
    this.#blobs.set(hash, bytes)
    return hash
  }

  /** Takes a blob that its giver has hashed. */
  put({ hash, bytes }: Blob): void {
    this.#blobs.set(hash, bytes)
  }

  /** Hashes of texts that the caller named without giving them: the store has them, or the command refers to nothing. */
  named(): readonly string[] {
    return [...this.#named].filter((hash) => !this.#blobs.has(hash))
  }

  blobs(): readonly Blob[] {
    return [...this.#blobs].map(([hash, bytes]) => ({ hash, bytes }))
  }

  #large(text: string, bytes: Uint8Array): LargeText {
    return { blob: this.bytes(bytes), bytes: bytes.length, head: headOfText(text) }
  }
}

/** Whole characters only: a head never ends in half a surrogate pair. */
function headOfText(text: string): string {
  return Array.from(text.slice(0, TEXT_HEAD_CHARACTERS * 2))
    .slice(0, TEXT_HEAD_CHARACTERS)
    .join('')
    .toWellFormed()
}
