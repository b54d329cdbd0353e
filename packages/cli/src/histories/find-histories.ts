import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../place/environment.ts'

/** Histories of programs that this machine has: Hermes' store and those of its profiles. */
export async function findHistories(home: string, environment: Environment): Promise<readonly string[]> {
  return storesIn(environment['HERMES_HOME'] || join(home, '.hermes'))
}

/** Hermes' stores in a folder: its own and its profiles'. */
export async function storesIn(folder: string): Promise<readonly string[]> {
  const profiles = join(folder, 'profiles')
  const names = await readdir(profiles).catch(() => [])
  const candidates = [folder, ...names.sort((a, b) => (a < b ? -1 : 1)).map((name) => join(profiles, name))].map(
    (place) => join(place, 'state.db'),
  )
  const there = await Promise.all(candidates.map(isFile))
  return candidates.filter((_, at) => there[at] === true)
}

export const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
