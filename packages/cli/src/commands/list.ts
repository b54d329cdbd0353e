import { command, type Command } from '../command.ts'
import { counted } from '../output/amount.ts'
import { nextCommand } from '../place/next-command.ts'
import { useEngine } from '../place/use-engine.ts'
import { sessionRowJson } from '../render/session-row-json.ts'
import { choice, count, flag, text } from '../words/option.ts'
import { present } from '../words/present.ts'

const list: Command = command({
  description: `Lists sessions, newest activity first: one line each, whatever its segments.
Leaves out archived and hidden ones, delegates, and what an import could not place.`,
  operands: {},
  options: {
    search: text('Q', 'only sessions with this in title, preview or ids'),
    archived: flag('archived ones, too'),
    all: flag('all there are: archived, hidden, delegates, untyped ones and strays'),
    sort: choice('ORDER', ['activity', 'start', 'title'], 'what to order by'),
    limit: count('N', 'at most this many: else 50', 1),
    cursor: text('C', 'goes on where another list ended'),
  },
  examples: ['refold list', 'refold list --search sensor --limit 10', 'refold list --all --json'],
  run: ({ options, place }) =>
    useEngine(place, async (engine) => {
      const page = await engine.list(present(options))
      if ('ok' in page) return page
      const { sessions, total, cursor } = page
      return {
        json: { sessions: sessions.map(sessionRowJson), total, cursor },
        people: async (look) => {
          if (sessions.length === 0) return 'No sessions.'
          const { sessionTable } = await import('../render/session-table.ts')
          const rest = cursor === null ? '' : ` More: ${nextCommand(place, ...wordsOf(options), '--cursor', cursor)}`
          const counts = `${sessions.length === total ? '' : `${sessions.length} of `}${counted(total, 'session')}.${rest}`
          return `${sessionTable(look, sessions)}\n${look.colours.dim(counts)}`
        },
      }
    }),
})

/** The same query in words, for a cursor belongs to one. */
function wordsOf(query: {
  readonly search: string | undefined
  readonly archived: boolean
  readonly all: boolean
  readonly sort: string | undefined
  readonly limit: number | undefined
}): readonly string[] {
  const { search, archived, all, sort, limit } = query
  return [
    'list',
    ...(search === undefined ? [] : ['--search', search]),
    ...(archived ? ['--archived'] : []),
    ...(all ? ['--all'] : []),
    ...(sort === undefined ? [] : ['--sort', sort]),
    ...(limit === undefined ? [] : ['--limit', String(limit)]),
  ]
}

export default list
