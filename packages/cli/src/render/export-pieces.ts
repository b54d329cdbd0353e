import type { Engine, Refusal, SessionHandle, TranscriptEntry } from '@refold/engine'
import { safeJson } from '../output/safe-text.ts'
import { entryJson } from './entry-json.ts'
import { transcriptMarkdown } from './transcript-markdown.ts'

/** Entries read at a time. */
const PAGE = 200

/** What an export writes, piece by piece. */
export async function exportPieces(
  engine: Engine,
  sessions: readonly string[] | 'all',
  format: 'jsonl' | 'md' | 'json',
): Promise<{ readonly text: AsyncIterable<string> } | Refusal> {
  if (format === 'jsonl' || sessions === 'all') {
    const exported = await engine.exportBundle(sessions)
    return exported.ok ? { text: exported.pieces } : exported
  }
  const found = await engine.session(sessions[0] ?? '')
  if (!found.ok) return found
  const { handle } = found
  const first = await handle.transcript({ limit: 1 })
  if ('ok' in first) return first
  const cursors = await cursorsOf(handle, first.revision)
  return { text: format === 'md' ? markdown(handle, first.revision, cursors) : shown(handle, first.revision, cursors) }
}

type Cursor = string | undefined

/** Where each page begins, from the oldest: pages lead back from the newest, and a document begins with the oldest. */
async function cursorsOf(handle: SessionHandle, at: number): Promise<readonly Cursor[]> {
  const cursors: Cursor[] = [undefined]
  for (let cursor: Cursor; ;) {
    const page = await handle.transcript({ limit: PAGE, at, ...(cursor !== undefined && { cursor }) })
    if ('ok' in page) throw new Error(page.message)
    if (page.cursor === null) return cursors.reverse()
    cursor = page.cursor
    cursors.push(cursor)
  }
}

async function* pages(
  handle: SessionHandle,
  at: number,
  cursors: readonly Cursor[],
): AsyncGenerator<readonly TranscriptEntry[]> {
  for (const cursor of cursors) {
    const page = await handle.transcript({ limit: PAGE, at, ...(cursor !== undefined && { cursor }) })
    if ('ok' in page) throw new Error(page.message)
    yield page.entries
  }
}

async function* markdown(handle: SessionHandle, at: number, cursors: readonly Cursor[]): AsyncGenerator<string> {
  let isFirst = true
  for await (const entries of pages(handle, at, cursors)) {
    const text = transcriptMarkdown(handle.id, entries)
    // Only the first page has the document's heading.
    yield isFirst ? `${text}\n` : `\n${text.slice(text.indexOf('\n\n') + 2)}\n`
    isFirst = false
  }
}

async function* shown(handle: SessionHandle, at: number, cursors: readonly Cursor[]): AsyncGenerator<string> {
  yield `{"session":${safeJson(JSON.stringify(handle.id))},"revision":${at},"entries":[`
  let isFirst = true
  for await (const entries of pages(handle, at, cursors))
    for (const entry of entries) {
      yield `${isFirst ? '' : ','}${safeJson(JSON.stringify(entryJson(entry)))}`
      isFirst = false
    }
  yield '],"cursor":null}\n'
}
