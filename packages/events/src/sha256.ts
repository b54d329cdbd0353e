/**
 * SHA-256 of UTF-8 text or of bytes, as 64 lowercase hex digits. Injected, so that this package runs anywhere: Node's
 * one-shot `crypto.hash` is several times faster than any implementation in JavaScript.
 */
export type Sha256 = (data: string | Uint8Array) => string
