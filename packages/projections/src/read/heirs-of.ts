import type { TableReaders } from '../tables.ts'
import { childrenOf } from './delegates-under.ts'
import { lookupMessage, type FoundMessage, type MessageReaders } from './lookup-message.ts'

/** A session that began with a message, as it has it now. */
export interface Heir {
  readonly session: string
  readonly kind: 'branch' | 'stray'
  /** Whether its transcript shows it. */
  readonly shown: boolean
}

/**
 * Sessions that inherit one message, branches of branches too, in the order of their start; deleted ones are passed through
 * and left out. Costs a few look-ups a branch.
 */
export function heirsOf(
  rows: MessageReaders & Pick<TableReaders, 'edges' | 'tips'>,
  stream: string,
  { id, first }: FoundMessage,
): readonly Heir[] {
  const heirs: Heir[] = []
  const seen = new Set([stream])
  for (const parent of seen)
    for (const { stream: child, session, kind } of childrenOf(rows, parent)) {
      if ((kind !== 'branch' && kind !== 'stray') || seen.has(child)) continue
      const found = lookupMessage(rows, child, id)
      if (found?.first.stream !== first.stream || found.first.revision !== first.revision) continue
      seen.add(child)
      if (rows.tips.get(child)?.deleted === false)
        heirs.push({ session, kind, shown: !found.hidden && found.shownTo !== 'model' })
    }
  return heirs
}
