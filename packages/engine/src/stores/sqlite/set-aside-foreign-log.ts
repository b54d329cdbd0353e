import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { RefoldError } from '@refold/events'

/** Where a file's header says whether it is written with a side log (2) or without one (1). */
const HEADER = { at: 18, withoutSideLog: 1 } as const

/**
 * Takes a write-ahead log out of the way that belongs to another file: a backup has none and says so, so one beside it is that
 * of the file whose place it took, and SQLite would apply it to the backup, unasked. Nothing is deleted: it is kept as
 * `NAME-wal.foreign`. Throws `store-damaged` where it cannot be moved.
 */
export function setAsideForeignLog(file: string): void {
  const log = `${file}-wal`
  if (!isWithoutSideLog(file) || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  try {
    renameSync(log, unusedName(`${log}.foreign`))
    rmSync(`${file}-shm`, { force: true })
  } catch (cause) {
    const problem = `${log} is another file's and cannot be moved away: do that by hand`
    throw new RefoldError('store-damaged', { file, problem }, { cause })
  }
}

function isWithoutSideLog(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const versions = Buffer.alloc(2)
    const read = readSync(descriptor, versions, 0, 2, HEADER.at)
    return read === 2 && versions.every((version) => version === HEADER.withoutSideLog)
  } finally {
    closeSync(descriptor)
  }
}

function unusedName(name: string): string {
  let unused = name
  for (let number = 2; existsSync(unused); number += 1) unused = `${name}-${number}`
  return unused
}
