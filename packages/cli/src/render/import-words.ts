import type { HistoryReport } from '@refold/interop'
import { counted } from '../output/amount.ts'
import type { Look } from '../output/look.ts'
import { safeLine } from '../output/safe-text.ts'

const shownWarnings = 10

/** What an import did, one line a source, and the first of what it could not take as it was. */
export function importWords(look: Look, sources: readonly HistoryReport[]): string {
  return sources.map((source) => sourceWords(look, source)).join('\n')
}

function sourceWords({ colours }: Look, source: HistoryReport): string {
  const brought =
    source.events === 0
      ? 'nothing new'
      : `${counted(source.messages, 'message')} in ${counted(source.events, 'event')} are new`
  const head = `${colours.bold(safeLine(source.path))}: ${counted(source.sessions, 'session')}, ${brought}`
  const { warnings } = source
  const lines = warnings
    .slice(0, shownWarnings)
    .map(
      ({ code, where, kept }) =>
        `  ${colours.yellow(code)} ${safeLine(where)}${kept === null ? '' : ` (${safeLine(kept)})`}`,
    )
  const more = warnings.length - lines.length
  return [head, ...lines, ...(more > 0 ? [`  … and ${counted(more, 'more warning')}; --json has them all`] : [])].join(
    '\n',
  )
}
