import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, openMemoryStore, systemSource, type Engine, type Source } from '@refold/engine'

/** The machine's hash and randomness, and a clock that stands after every time that the stores mean seriously. */
export const source: Source = { ...systemSource, now: () => 1_788_220_799_000 }

export type EngineKind = 'memory' | 'SQLite'

export const engineKinds: readonly EngineKind[] = ['memory', 'SQLite']

/** Runs something over a new engine and removes what it left. */
export async function withEngine<T>(kind: EngineKind, work: (engine: Engine) => Promise<T>): Promise<T> {
  const folder = kind === 'SQLite' ? mkdtempSync(join(tmpdir(), 'refold-import-')) : null
  const engine =
    folder === null
      ? await openEngine({ store: openMemoryStore(source), source })
      : await openEngine({ file: join(folder, 'refold.db'), durability: 'system', source })
  try {
    return await work(engine)
  } finally {
    await engine.close()
    if (folder !== null) rmSync(folder, { recursive: true })
  }
}
