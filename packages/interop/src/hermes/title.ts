import type { SessionRow } from './session-row.ts'

/**
 * The title that a person or the title job gave. Rotations used to number it on: if the tip is called
 * `base #N` and earlier segments `base` or `base #M`, the earliest of those names is meant. A tip without a
 * title has that of the newest segment before it.
 */
export function titleOf(segments: readonly SessionRow[]): {
  readonly title: string | null
  readonly source: string | null
} {
  const titled = segments.filter((segment) => segment.title !== null)
  const last = titled.at(-1)
  if (last?.title == null) return { title: null, source: null }
  const base = baseOf(last.title)
  const first =
    base === null ? last : (titled.find(({ title }) => title === base || baseOf(title ?? '') === base) ?? last)
  return { title: first.title, source: first.titleSource }
}

function baseOf(title: string): string | null {
  return /^(.+) #\d+$/s.exec(title)?.[1] ?? null
}

/** Titles are unique among conversations. Of several with one title the newest keeps it; answers loser → keeper. */
export function doubleTitles(
  conversations: Iterable<{ readonly rootId: string; readonly segments: readonly SessionRow[] }>,
): ReadonlyMap<string, string> {
  const holders = new Map<string, { readonly rootId: string; readonly startedAt: number }>()
  const losers = new Map<string, string>()
  for (const { rootId, segments } of conversations) {
    const { title } = titleOf(segments)
    if (title === null) continue
    const startedAt = segments[0]?.startedAt ?? 0
    const holder = holders.get(title)
    if (holder !== undefined && holder.startedAt > startedAt) {
      losers.set(rootId, holder.rootId)
      continue
    }
    if (holder !== undefined) losers.set(holder.rootId, rootId)
    holders.set(title, { rootId, startedAt })
  }
  return losers
}
