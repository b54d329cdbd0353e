import { open } from 'node:fs/promises'
import { UnknownHistory, type HistoryFormat } from './history-report.ts'

const sqlite = 'SQLite format 3\0'

/** Whose history a file holds, by its first bytes. Throws {@link UnknownHistory}, and what the file system throws. */
export async function formatOf(path: string): Promise<HistoryFormat> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sqlite.length), 0, sqlite.length, 0)
    if (bytesRead === sqlite.length && buffer.toString('latin1') === sqlite) return 'hermes'
    throw new UnknownHistory(path)
  } finally {
    await file.close()
  }
}
