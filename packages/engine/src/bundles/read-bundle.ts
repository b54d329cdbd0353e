import { createHash } from 'node:crypto'
import { BUNDLE_VERSION, bundleLine, type BundleLine } from '@refold/events'
import { BundleBroken } from './bundle-broken.ts'

export interface NumberedLine {
  /** From 1. */
  readonly line: number
  readonly value: BundleLine
}

/** A file's bytes, from its beginning. */
export type Bytes = AsyncIterable<Uint8Array>

/** The lines of an export, one at a time, each checked for its form, the last for what it says of all. Throws {@link BundleBroken}. */
export async function* readBundle(bytes: Bytes): AsyncGenerator<NumberedLine> {
  const digest = createHash('sha256')
  let line = 0
  let events = 0
  let blobs = 0
  let hasEnded = false
  for await (const text of linesOf(bytes)) {
    line += 1
    if (hasEnded) throw new BundleBroken(line, 'malformed', 'something follows the end of the export.')
    const value = parseLine(line, text)
    if ((line === 1) !== 'refold' in value)
      throw new BundleBroken(line, 'malformed', 'an export begins with its manifest, and has one.')
    if ('refold' in value && value.version > BUNDLE_VERSION)
      throw new BundleBroken(line, 'newer', `the export has format ${value.version}; update Refold.`)
    if ('event' in value) events += 1
    if ('base64' in value) blobs += 1
    if ('end' in value) {
      hasEnded = true
      const { end } = value
      if (end.events !== events || end.blobs !== blobs || end.sha256 !== digest.digest('hex'))
        throw new BundleBroken(line, 'other-count', 'the lines before are not those that were exported.')
    } else digest.update(text).update('\n')
    yield { line, value }
  }
  if (!hasEnded) throw new BundleBroken(line + 1, 'truncated', 'the file ends before the end of the export.')
}

function parseLine(line: number, bytes: Uint8Array): BundleLine {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw new BundleBroken(line, 'malformed', 'this is no JSON in UTF-8.', {}, { cause })
  }
  const parsed = bundleLine.safeParse(json)
  if (!parsed.success)
    throw new BundleBroken(line, 'malformed', 'this is no line of an export.', {}, { cause: parsed.error })
  return parsed.data
}

/** Lines without their line feed; a last one without any is one, too. */
async function* linesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = []
  for await (const chunk of bytes) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
