export interface Line {
  /** From 1. */
  readonly number: number
  readonly bytes: Uint8Array
}

const lineFeed = 10

/** Lines as they arrive, the last one also without a line feed; cuts at the byte, so that no character matters. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  let begun: Uint8Array[] = []
  for await (const chunk of input) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      number += 1
      yield { number, bytes: Buffer.concat([...begun, chunk.subarray(from, end)]) }
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield { number: number + 1, bytes: Buffer.concat(begun) }
}
