const digits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Two lowercase digits a byte. */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += digits[byte] ?? ''
  return text
}
