import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Terminal } from '../output/terminal.ts'
import type { Place } from '../place/place.ts'
import { BadInput } from './bad-input.ts'
import { decodeAll, readAll } from './read-all.ts'

/** The text of a file, relative to where the person stands; `-` is standard input. */
export async function readNamed(name: string, place: Place, terminal: Terminal): Promise<string> {
  if (name === '-') return readAll(terminal.input)
  const file = resolve(place.folder, name)
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const message = `${file} cannot be read (${problem}). Nothing was written.`
    throw new BadInput('file-not-readable', message, { file }, { cause: error })
  }
  return decodeAll(bytes, file)
}
