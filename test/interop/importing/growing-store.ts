import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HistoryReport } from '@refold/interop'
import { importHistory } from '@refold/interop'
import type { Json } from '@refold/events'
import Database from 'better-sqlite3'
import { makeStore, start, type Fields } from '../hermes/made-store.ts'
import { source, withEngine } from './engines.ts'
import { viewOf } from './view-of.ts'

/** Columns that the changes write. */
const session: Fields = {
  id: 's',
  source: 'cli',
  started_at: start,
  ended_at: null,
  end_reason: null,
  parent_session_id: null,
  model: 'aurora/sable-2',
  model_config: null,
  title: 'sensor',
  cwd: '/work',
  archived: 0,
  pinned: 0,
  input_tokens: 100,
  output_tokens: 10,
  estimated_cost_usd: 0.1,
}

const row = (id: number, role: string, content: string, more: Fields = {}): Fields => ({
  id,
  session_id: 's',
  role,
  content,
  timestamp: start + id * 10,
  active: 1,
  compacted: 0,
  tool_calls: null,
  tool_call_id: null,
  tool_name: null,
  ...more,
})

export const longOutput = 'a line of output\n'.repeat(60)

/** A chat of six messages, one of them the output of a tool. */
export function begunStore(): string {
  return makeStore({
    sessions: [session],
    messages: [
      row(1, 'user', 'Why does the sensor fail?'),
      row(2, 'assistant', 'I look.', { tool_calls: calls('call_1a2b3c4d5e6f7g8h') }),
      row(3, 'tool', longOutput, { tool_call_id: 'call_1a2b3c4d5e6f7g8h', tool_name: 'bash' }),
      row(4, 'assistant', 'It is the cable.'),
      row(5, 'user', 'And now?'),
      row(6, 'assistant', 'Replace it.'),
    ],
  })
}

const calls = (id: string): string =>
  JSON.stringify([{ id, function: { name: 'bash', arguments: '{"command":"ls"}' } }])

/** What a writer of the store does to it. */
export class StoreWriter {
  readonly #database: Database.Database

  constructor(path: string) {
    this.#database = new Database(path)
  }

  say(id: number, role: string, content: string, more: Fields = {}): void {
    this.#insert('messages', row(id, role, content, more))
  }

  begin(more: Fields): void {
    this.#insert('sessions', {
      ...session,
      title: null,
      input_tokens: 0,
      output_tokens: 0,
      estimated_cost_usd: 0,
      ...more,
    })
  }

  run(sql: string, ...values: readonly (string | number | null)[]): void {
    this.#database.prepare(sql).run(...values)
  }

  close(): void {
    this.#database.close()
  }

  #insert(table: string, fields: Fields): void {
    const names = Object.keys(fields)
    this.#database
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(fields))
  }
}

export type Change = (writer: StoreWriter) => void

export function change(path: string, ...changes: readonly Change[]): void {
  const writer = new StoreWriter(path)
  try {
    for (const one of changes) one(writer)
  } finally {
    writer.close()
  }
}

export interface Grown {
  /** What is seen after an import before and after the changes, and after one import of the changed store. */
  readonly inSteps: Json
  readonly atOnce: Json
  /** Of the second import, and of a third one of the same store. */
  readonly second: HistoryReport
  readonly third: HistoryReport
}

/** Imports a store before and after changes, and the changed store into another engine. */
export async function grow(...changes: readonly Change[]): Promise<Grown> {
  const path = begunStore()
  const before = join(mkdtempSync(join(tmpdir(), 'grown-hermes-')), 'state.db')
  copyFileSync(path, before)
  change(path, ...changes)
  const atOnce = await withEngine('memory', async (engine) => {
    await importHistory(engine, path, { source })
    return viewOf(engine)
  })
  return withEngine('memory', async (engine) => {
    await importHistory(engine, before, { source })
    const second = await importHistory(engine, path, { source })
    const inSteps = await viewOf(engine)
    const third = await importHistory(engine, path, { source })
    return { inSteps, atOnce, second, third }
  })
}
