import { open } from 'node:fs/promises'
import { UnknownHistory, type HistoryFormat } from './history-report.ts'

const sqlite = 'SQLite format 3\0'
const exported = '{"refold":"export"'

/** Whose history a file holds, by its first bytes. Throws {@link UnknownHistory}, and what the file system throws. */
export async function formatOf(path: string): Promise<HistoryFormat> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(exported.length), 0, exported.length, 0)
    const beginning = buffer.toString('latin1', 0, bytesRead)
    if (beginning.startsWith(sqlite)) return 'hermes'
    if (beginning === exported) return 'refold'
    throw new UnknownHistory(path)
  } finally {
    await file.close()
  }
}
