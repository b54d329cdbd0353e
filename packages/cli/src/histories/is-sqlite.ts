import { open } from 'node:fs/promises'

const magic = 'SQLite format 3\0'

/** Whether a file begins as every SQLite database does; read without opening it as one. */
export async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === magic
  } finally {
    await handle.close()
  }
}
