import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { BadInput } from '../input/bad-input.ts'
import { storesIn } from './find-histories.ts'

/** Programs whose histories can be read. */
export const historyFormats = ['hermes'] as const

export type HistoryFormat = (typeof historyFormats)[number]

export interface History {
  /** As it was named, for the report. */
  readonly named: string
  readonly file: string
  readonly format: HistoryFormat | 'auto'
}

/** The files that paths name, each once; all are looked for before anything is read. */
export async function resolveHistories(
  paths: readonly string[],
  format: HistoryFormat | 'auto',
  folder: string,
): Promise<readonly History[]> {
  const found = new Map<string, History>()
  for (const path of paths) {
    const place = resolve(folder, path)
    for (const file of await filesAt(place)) {
      const named = file === place ? path : join(path, relative(place, file))
      if (!found.has(file)) found.set(file, { named, file, format })
    }
  }
  return [...found.values()]
}

async function filesAt(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error)
    throw new BadInput('file-not-readable', `${place} cannot be read (${problem}).`, { file: place }, { cause: error })
  })
  if (!found.isDirectory()) return [place]
  const stores = await storesIn(place)
  if (stores.length > 0) return stores
  throw new BadInput('no-history', `${place} holds no history that Refold can read. Name the file itself.`, {
    file: place,
  })
}
