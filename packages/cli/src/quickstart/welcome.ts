import type { Engine } from '@refold/engine'
import type { HistoryReport } from '@refold/interop'
import type { Answer } from '../output/answer.ts'
import { counted } from '../output/amount.ts'
import type { RefusalLike } from '../output/failure.ts'
import { safeLine } from '../output/safe-text.ts'
import { nextCommand } from '../place/next-command.ts'
import type { Place } from '../place/place.ts'
import { entryJson } from '../render/entry-json.ts'
import { importWords } from '../render/import-words.ts'
import { sessionRowJson } from '../render/session-row-json.ts'
import { sessionTable } from '../render/session-table.ts'
import { transcriptWords } from '../render/transcript-words.ts'

const listed = 20
const shown = 12

/** What there is now, the end of the newest transcript, and what to do next. */
export async function welcome(
  engine: Engine,
  place: Place,
  sources: readonly HistoryReport[],
  isExample: boolean,
): Promise<Answer | RefusalLike> {
  const list = await engine.list({ limit: listed })
  if ('ok' in list) return list
  const newest = list.sessions[0]
  const found = newest === undefined ? undefined : await engine.session(newest.id)
  if (found?.ok === false) return found
  const page = found === undefined ? undefined : await found.handle.transcript({ limit: shown })
  if (page !== undefined && 'ok' in page) return page
  const transcript = page === undefined ? null : { ...page, entries: page.entries.map(entryJson) }
  return {
    json: {
      store: place.file,
      example: isExample,
      sources,
      sessions: list.sessions.map(sessionRowJson),
      total: list.total,
      transcript,
    },
    people: (look) => {
      const { bold, dim } = look.colours
      const made = 'No history was found on this machine, so this is a small example that Refold made itself.'
      const counts =
        list.total > list.sessions.length ? `${list.sessions.length} of ${counted(list.total, 'session')}.` : ''
      return [
        isExample ? made : importWords(look, sources),
        list.sessions.length === 0 ? 'There are no sessions.' : sessionTable(look, list.sessions),
        dim(counts),
        ...(newest === undefined || page === undefined
          ? []
          : [
              bold(`── ${safeLine(newest.title ?? newest.id)} ──`),
              page.cursor === null ? '' : dim(`… the newest ${counted(page.entries.length, 'entry', 'entries')}:`),
              transcriptWords(look, page.entries),
              nextSteps(place, safeLine(newest.title ?? newest.id)),
            ]),
      ]
        .filter((words) => words !== '')
        .join('\n\n')
    },
  }
}

function nextSteps(place: Place, session: string): string {
  const next = [['list', '--all'], ...['show', 'context', 'lineage'].map((name) => [name, session])]
  return ['Next:', ...next.map((words) => `  ${nextCommand(place, ...words)}`)].join('\n')
}
