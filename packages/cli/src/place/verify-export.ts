import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ListedHead, VerifyBreak } from '@refold/engine'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SaidBreak } from '../render/verify-words.ts'
import { interruptible } from './interruptible.ts'

interface VerifiedFile {
  readonly ok: boolean
  readonly streams: number
  readonly events: number
  readonly firstBreak: SaidBreak | null
}

/** Checks an exported file with no store at all; with a list of heads, those of its streams. */
export async function verifyExport(
  file: string,
  terminal: Terminal,
  heads: readonly ListedHead[] = [],
): Promise<VerifiedFile> {
  const { BundleBroken, checkBundle, describeBreak, HeadsCheck, parseSessionStream, systemSource } =
    await import('@refold/engine')
  const { size } = await stat(file)
  const progress = new Progress(terminal.errors, 'verify')
  const streams = new Set<string>()
  const listed = new HeadsCheck(heads)
  let events = 0
  let other: VerifyBreak | undefined
  try {
    await interruptible((signal) => {
      async function* bytes(): AsyncGenerator<Uint8Array> {
        let done = 0
        for await (const chunk of createReadStream(file)) {
          signal.throwIfAborted()
          if (!(chunk instanceof Uint8Array)) continue
          done += chunk.length
          progress.update(done, size)
          yield chunk
        }
      }
      return checkBundle(bytes(), systemSource.sha256, {
        declared: async ({ stream }) => void streams.add(stream),
        event: (raw) => {
          events += 1
          const found = listed.take(raw)
          if (found) other ??= describeBreak({ ...found, position: null })
        },
      })
    }, 'Stopped. Nothing was changed.')
  } catch (error) {
    if (!(error instanceof BundleBroken)) throw error
    const { line, problem, message, stream, revision } = error
    const session = stream === null ? null : (parseSessionStream(stream)?.session ?? null)
    const firstBreak = { stream, session, revision, position: null, problem, message, line }
    return { ok: false, streams: streams.size, events, firstBreak }
  } finally {
    await progress.close()
  }
  const [missing] = [...listed.missing(streams)].map(describeBreak)
  const found = other ?? missing
  return { ok: found === undefined, streams: streams.size, events, firstBreak: found ?? null }
}
