import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { HistoryFormat } from '@refold/interop'
import { BadInput } from '../input/bad-input.ts'
import { storesIn } from './find-histories.ts'
import { isExport, isSqlite } from './first-bytes.ts'

/** Programs whose histories can be read. */
export const historyFormats: readonly HistoryFormat[] = ['hermes', 'refold']

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
    throw notReadable(place, error)
  })
  if (found.isDirectory()) {
    const stores = await storesIn(place)
    if (stores.length > 0) return stores
    throw noHistory(place, 'holds no history that Refold can read. Name the file itself')
  }
  const isOne = await Promise.all([isSqlite(place), isExport(place)]).catch((error: unknown) => {
    throw notReadable(place, error)
  })
  if (!isOne.includes(true))
    throw noHistory(
      place,
      'is no history that Refold can read: Hermes keeps one in `state.db`, and `refold export` writes one',
    )
  return [place]
}

function notReadable(file: string, cause: unknown): BadInput {
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new BadInput('file-not-readable', `${file} cannot be read (${problem}).`, { file }, { cause })
}

export function noHistory(file: string, why: string, cause?: unknown): BadInput {
  return new BadInput('unknown-history', `${file} ${why}. Nothing was written.`, { file }, { cause })
}
