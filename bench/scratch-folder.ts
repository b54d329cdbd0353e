import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder on the disk that the checkout is on (a temporary folder may be in memory, where nothing is durable). */
export async function inScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(process.cwd(), '.bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
