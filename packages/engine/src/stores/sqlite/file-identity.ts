import { statSync } from 'node:fs'
import { RefoldError } from '@refold/events'

/** Device and inode: what a path stood for when it was opened. */
export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
}

export function identityOf(file: string): FileIdentity | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat && { device: stat.dev, inode: stat.ino }
}

/** Throws `store-replaced` when the path no longer leads to the file that is open: what is written there would be lost. */
export function assertSameFile(file: string, opened: FileIdentity): void {
  const now = identityOf(file)
  if (now?.device !== opened.device || now.inode !== opened.inode) throw new RefoldError('store-replaced', { file })
}
