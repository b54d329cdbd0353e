import type { EventRef } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { childrenOf } from './delegates-under.ts'
import { formsBetween, refOf } from './entry-forms.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'
import { settingAt } from './setting-at.ts'
import { walkEntries } from './walk-entries.ts'

export type NeededReaders = Pick<
  TableReaders,
  'edges' | 'tips' | 'transcripts' | 'entries' | 'rewinds' | 'versions' | 'wireForms' | 'settings'
>

/** An event that a session begins with, and the session whose transcript or context is folded from it. */
export interface NeededEvent extends EventRef {
  readonly by: string
}

/**
 * What sessions outside of `streams` that branched from these, at any depth, begin with, as they begin with it: newest texts and
 * forms for the model of the entries that are shown at the cut, summaries, prompt and goal. Deleted sessions count as long as
 * they are not purged. Costs as much as those beginnings are long.
 */
export function neededByHeirs(rows: NeededReaders, streams: ReadonlySet<string>): readonly NeededEvent[] {
  const reached = new Set(streams)
  const needed: NeededEvent[] = []
  for (const parent of reached)
    for (const { stream, session, kind } of childrenOf(rows, parent)) {
      if ((kind !== 'branch' && kind !== 'stray') || reached.has(stream)) continue
      reached.add(stream)
      if (rows.tips.get(stream)?.purged === true) continue
      for (const ref of beginningOf(rows, stream)) if (streams.has(ref.stream)) needed.push({ ...ref, by: session })
    }
  return needed
}

function* beginningOf(rows: NeededReaders, stream: string): Generator<EventRef, void> {
  // Before its first own rewind, so that it can take back all of them.
  const levels = levelsOf(rows, stream, rows.transcripts.get(stream)?.since ?? 0)
  const hidden = hiddenIn(rows, levels)
  const [{ own: to }] = levels
  const walked = [...walkEntries(rows, { levels, hidden, from: 0, to, chunk: 256 })]
  const formsOf = formsBetween(rows, levels, 0, to)
  for (const one of walked) {
    const { content, wire } = formsOf(one)
    yield refOf(levels, content)
    if (wire) yield refOf(levels, wire)
  }
  yield* settingsOf(rows, levels)
}

function* settingsOf(rows: NeededReaders, levels: readonly Level[]): Generator<EventRef, void> {
  for (const name of ['system-prompt', 'goal', 'workspace', 'model']) {
    const row = settingAt(rows, levels, name)
    if (row) yield { stream: row.stream, revision: row.revision }
  }
}
