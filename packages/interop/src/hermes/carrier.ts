/** A row that holds a compaction's summary, and perhaps something a person or model said as well. */
export interface Carrier {
  readonly summary: string
  /** The words of the message that carries the summary; `null` when the row is the summary alone. */
  readonly human: string | null
}

const summaryStart = /^\[CONTEXT (?:COMPACTION|SUMMARY)/
const summaryEnd = /^--- END OF CONTEXT SUMMARY[^\n]*$/m
const priorHeader = /^\[PRIOR CONTEXT[^\n]*\n?/
const priorDelimiter = /(?:^|\n)[ \t]*\[END OF PRIOR CONTEXT[^\n]*\n+/

/**
 * Recognises a summary by its text, since older stores have no column for it. `flagged` is the column of
 * newer ones; it also admits a summary whose marks were changed.
 */
export function carrierIn(text: string, flagged: boolean): Carrier | null {
  if (summaryStart.test(text)) return leadingSummary(text)
  const delimiter = priorDelimiter.exec(text)
  if (delimiter !== null) {
    const summary = text.slice(delimiter.index + delimiter[0].length)
    if (flagged || summaryStart.test(summary)) {
      return { summary: summary.trimEnd(), human: text.slice(0, delimiter.index).replace(priorHeader, '').trim() }
    }
  }
  return flagged ? { summary: text, human: null } : null
}

function leadingSummary(text: string): Carrier {
  const end = summaryEnd.exec(text)
  if (end === null) return { summary: text.trimEnd(), human: null }
  const cut = end.index + end[0].length
  const human = text.slice(cut).trim()
  return { summary: text.slice(0, cut), human: human === '' ? null : human }
}
