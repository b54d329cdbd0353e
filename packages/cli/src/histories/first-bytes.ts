import { open } from 'node:fs/promises'

/** Whether a file begins as every SQLite database does; read without opening it as one. */
export const isSqlite = (file: string): Promise<boolean> => beginsWith(file, 'SQLite format 3\0')

/** Whether a file begins as an export of Refold's own does. */
export const isExport = (file: string): Promise<boolean> => beginsWith(file, '{"refold":"export"')

async function beginsWith(file: string, beginning: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginning.length), 0, beginning.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === beginning
  } finally {
    await handle.close()
  }
}
