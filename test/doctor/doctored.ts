import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { doctorOfFile, openEngine, viewsFileOf, type DoctorReport } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'

/** Longer than what stays in an event. */
export const LONG = 'a long text '.repeat(2_000)

/** A store with a bit of everything, its views and its search index up to date, and nobody who has it open. */
export async function sampleStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'refold-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'agent.db')
  const engine = await openEngine({ file, durability: 'system' })
  const one = await startIn(engine, 'one')
  sure(await one.append({ id: 'm1', role: 'user', text: 'hello' }))
  sure(await one.append({ id: 'm2', role: 'assistant', text: LONG }))
  sure(await one.rename('First', { by: 'person' }))
  sure(await one.bindRoute({ route: 'chat/1' }))
  const two = await startIn(engine, 'two')
  sure(await two.append({ id: 'm1', role: 'user', text: 'another' }))
  sure(await two.rename('Second', { by: 'person' }))
  await engine.rebuild()
  await engine.close()
  return file
}

/** Writes past the store. */
export function tamper(file: string, sql: string, ...values: readonly unknown[]): void {
  const database = new Database(file)
  try {
    const { changes } = database.prepare(sql).run(...values)
    if (changes === 0) throw new Error(`Nothing was changed by: ${sql}`)
  } finally {
    database.close()
  }
}

export const tamperViews = (file: string, sql: string, ...values: readonly unknown[]): void =>
  tamper(viewsFileOf(file), sql, ...values)

/** The codes that a check-up of the file finds, and whether it calls the store healthy. */
export async function codesOf(
  file: string,
): Promise<{ readonly ok: boolean; readonly counts: DoctorReport['counts'] }> {
  const { ok, counts } = await doctorOfFile(file)
  return { ok, counts }
}

/** What a repair did; afterwards nothing is wrong, and a second look agrees. */
export async function repaired(file: string): Promise<readonly string[]> {
  const { ok, counts, mended } = await doctorOfFile(file, { repair: true })
  const second = await doctorOfFile(file)
  if (!ok || !second.ok) throw new Error(`Still damaged: ${JSON.stringify(counts)} ${JSON.stringify(second.counts)}`)
  return mended.map(({ action }) => action)
}
