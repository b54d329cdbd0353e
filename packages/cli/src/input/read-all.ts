import { BadInput } from './bad-input.ts'

/** The whole input as text, byte for byte; refused where it is not UTF-8. */
export async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(chunk)
  return decodeAll(Buffer.concat(chunks), 'standard input')
}

export function decodeAll(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new BadInput('bad-input', `${name} is not UTF-8 text. Nothing was written.`, { name }, { cause: error })
  }
}
