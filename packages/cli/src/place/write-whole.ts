import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { BadInput } from '../input/bad-input.ts'
import type { Place } from './place.ts'

/**
 * Writes a file that appears when it is complete and on disk: under another name first, readable by its owner only. `exists`
 * where the name is taken and may not be. Whatever goes wrong, nothing of it stays.
 */
export async function writeWhole(
  place: Place,
  name: string,
  {
    text,
    force,
    signal,
  }: { readonly text: AsyncIterable<string>; readonly force: boolean; readonly signal: AbortSignal },
): Promise<{ readonly file: string; readonly bytes: number } | 'exists'> {
  const file = resolve(place.folder, name)
  const partial = `${file}.${process.pid}.partial`
  const refuse = (cause: unknown): never => {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new BadInput('file-not-writable', `${file} cannot be written (${problem}).`, { file }, { cause })
  }
  const handle = await open(partial, 'wx', 0o600).catch(refuse)
  let bytes = 0
  try {
    try {
      for await (const piece of text) {
        signal.throwIfAborted()
        bytes += (await handle.write(piece).catch(refuse)).bytesWritten
      }
      await handle.sync().catch(refuse)
    } finally {
      await handle.close()
    }
    if (!force && !(await takeName(partial, file))) return 'exists'
    if (force) await rename(partial, file).catch(refuse)
    await syncFolder(dirname(file))
    return { file, bytes }
  } finally {
    await unlink(partial).catch(() => undefined) // it has its name, or is not wanted
  }
}

/** Gives the file its name unless another has it: a rename would replace that without asking. */
async function takeName(partial: string, file: string): Promise<boolean> {
  try {
    await link(partial, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined) // not every system opens folders
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
