import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { isDamage } from '../views/damage.ts'
import { finding, type Finding } from './finding.ts'

/** The files of a store that lies on a disk. */
export interface StoreFiles {
  readonly log: string
  readonly views: string
  readonly search: string
}

/** Pages of the log, and what lies beside it. */
export function examineFiles({ log, views, search }: StoreFiles): readonly Finding[] {
  const found: Finding[] = []
  const problem = pageProblem(log)
  if (problem !== undefined) found.push(finding('pages-damaged', `${log} (${problem}):`, { file: log }))
  for (const file of [views, search].map(leftover).filter((one) => existsSync(one)))
    found.push(finding('rebuild-leftover', `${file}:`, { file }))
  const aside = `${basename(log)}-wal.foreign`
  for (const name of readdirSync(dirname(log)).filter((one) => one.startsWith(aside)))
    found.push(finding('log-set-aside', `${join(dirname(log), name)}:`, { file: join(dirname(log), name) }))
  return found
}

/** Where a rebuild of a file works. */
export const leftover = (file: string): string => `${file}-rebuild`

function pageProblem(file: string): string | undefined {
  try {
    const database = new Database(file, { readonly: true })
    try {
      const [first] = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all()
      return first === 'ok' ? undefined : (first ?? 'SQLite does not say how it is')
    } finally {
      database.close()
    }
  } catch (problem) {
    if (!isDamage(problem)) throw problem
    return problem instanceof Error ? problem.message : String(problem)
  }
}
