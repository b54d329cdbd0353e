/** Entries `[from, to)`. Lists of them are sorted, and neither touch nor overlap. */
export interface EntryRange {
  readonly from: number
  readonly to: number
}

/** What is in one list of ranges and not in the other. */
export function without(ranges: readonly EntryRange[], others: readonly EntryRange[]): readonly EntryRange[] {
  const left: EntryRange[] = []
  for (const { from, to } of ranges) {
    let begin = from
    for (const other of others) {
      if (other.to <= begin || other.from >= to) continue
      if (other.from > begin) left.push({ from: begin, to: other.from })
      begin = Math.max(begin, other.to)
    }
    if (begin < to) left.push({ from: begin, to })
  }
  return left
}
