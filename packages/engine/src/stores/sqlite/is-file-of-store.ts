import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { identityOf, type FileIdentity } from './file-identity.ts'

/** What SQLite puts beside a database; its newest commits may be in the first alone. */
const SIDE_FILES = ['-wal', '-shm', '-journal']

/**
 * True where writing `target` anew would take something away from the store in `file`: it is the log itself, by whatever link
 * or spelling, or one of the side files that SQLite keeps for it.
 */
export function isFileOfStore(file: string, target: string): boolean {
  const [store, wanted] = [reached(file), reached(target)]
  if (store && wanted && store.device === wanted.device && store.inode === wanted.inode) return true
  const entry = entryOf(target)
  // SQLite follows a link to the log, and keeps its side files there.
  const names = [entryOf(file), realOf(file)]
  return names.some((name) => entry === name || SIDE_FILES.some((suffix) => entry === `${name}${suffix}`))
}

function reached(path: string): FileIdentity | undefined {
  try {
    return identityOf(path)
  } catch {
    return undefined // links in a circle, or a file in the place of a folder: whoever writes there is told
  }
}

/** The path with all links resolved but the last step, which is what a rename replaces. */
const entryOf = (path: string): string => join(realOf(dirname(resolve(path))), basename(path))

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path) // there is nothing yet
  }
}
