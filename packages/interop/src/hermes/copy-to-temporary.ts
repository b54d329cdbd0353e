import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaveWalMode } from './wal-mode.ts'

export interface TemporaryCopy {
  readonly path: string
  readonly unsettled: boolean
  remove(): void
}

const attempts = 5

/**
 * Copies a database with its log into a folder that only this user can read. A copy is good if neither file
 * changed meanwhile; a writer that never pauses leaves an `unsettled` one after a few attempts.
 */
export function copyToTemporary(path: string): TemporaryCopy {
  const folder = mkdtempSync(join(tmpdir(), 'refold-hermes-'))
  const target = join(folder, 'state.db')
  let settled = false
  for (let attempt = 0; attempt < attempts && !settled; attempt++) {
    const before = stamp(path)
    for (const end of ['', '-wal', '-journal']) copyPart(path + end, target + end)
    settled = stamp(path) === before
  }
  if (!existsSync(`${target}-wal`)) leaveWalMode(target)
  return {
    path: target,
    unsettled: !settled,
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function copyPart(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to, constants.COPYFILE_FICLONE)
  else rmSync(to, { force: true })
}

function stamp(path: string): string {
  return ['', '-wal', '-journal']
    .map((end) => {
      const found = statSync(path + end, { bigint: true, throwIfNoEntry: false })
      return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`
    })
    .join(' ')
}
