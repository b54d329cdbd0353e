import { resolve } from 'node:path'
import { BadInput } from '../input/bad-input.ts'
import type { Place } from './place.ts'

/** Throws where a file to be written is one of the store's own: no `--force` means that. */
export async function refuseStore(place: Place, file: string): Promise<void> {
  const { isFileOfStore } = await import('@refold/engine')
  if (isFileOfStore(place.file, resolve(place.folder, file)))
    throw new BadInput('file-exists', `${file} is the store itself, or beside it in use by it. Name another file.`, {
      file,
    })
}
