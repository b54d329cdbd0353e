import { resolve } from 'node:path'
import type { SearchPage, SearchQuery } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { counted } from '../output/amount.ts'
import type { Look } from '../output/look.ts'
import { isoTime } from '../output/moment.ts'
import { Progress } from '../output/progress.ts'
import { safeLine } from '../output/safe-text.ts'
import { interruptible } from '../place/interruptible.ts'
import { nextCommand } from '../place/next-command.ts'
import type { Place } from '../place/place.ts'
import { useEngine } from '../place/use-engine.ts'
import { searchHitJson } from '../render/search-hit-json.ts'
import { operands } from '../words/operand.ts'
import { count, flag, text, time } from '../words/option.ts'
import { present } from '../words/present.ts'

const search: Command = command({
  description: `Finds messages by what they say: prompts, answers, what tools were given and gave back. All words must be there;
"a phrase", -without, one OR other, begin*. What no transcript shows is not found; what was summarised is.`,
  operands: { words: operands('QUERY', 'what to look for; behind -- also what begins with a dash') },
  options: {
    session: text('S', 'only in this session'),
    role: text('R', 'only messages of this role: user, assistant, tool'),
    tool: text('T', 'only calls of this tool and what it gave back'),
    cwd: text('D', 'only in sessions that work in this folder'),
    from: time('A', 'only messages from this time on'),
    to: time('B', 'only messages before this time'),
    archived: flag('only archived sessions; else both'),
    limit: count('N', 'at most this many messages: else 50', 1),
    cursor: text('C', 'goes on where another page ended'),
  },
  examples: [
    'refold search fingerprint sensor',
    'refold search \'"cold start" -test\' --role user --from 2026-06-01',
    'refold search 分词 --tool bash --json',
  ],
  run: ({ operands: { words }, options: { cwd, archived, ...given }, place, terminal }) =>
    useEngine(place, async (engine) => {
      const sought = words.join(' ')
      const workspace = cwd === undefined ? undefined : resolve(place.folder, cwd)
      const limits = present({ ...given, workspace, archived: archived ? true : undefined })
      const page = await withProgress(new Progress(terminal.errors, 'Indexing'), (onProgress) =>
        interruptible((signal) => engine.search(sought, limits, { onProgress, signal })),
      )
      if ('ok' in page) return page
      const { limit: _limit, cursor: _cursor, ...scope } = limits
      const isLimited = Object.keys(scope).length > 0
      return {
        json: {
          hits: page.hits.map(searchHitJson),
          cursor: page.cursor,
          ...(isLimited && { scope: scopeJson(scope) }),
        },
        people: async (look) => {
          const limitedTo = isLimited ? look.colours.dim(`Limited to ${scopeWords(scope)}.`) : ''
          return [await foundWords(look, place, page, [sought, limits]), limitedTo].filter(Boolean).join('\n')
        },
      }
    }),
})

async function withProgress<T>(
  progress: Progress,
  work: (onProgress: (at: { readonly position: number; readonly head: number }) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work(({ position, head }) => progress.update(position, head))
  } finally {
    await progress.close()
  }
}

async function foundWords(
  look: Look,
  place: Place,
  { hits, cursor }: SearchPage,
  [sought, limits]: readonly [string, SearchQuery],
): Promise<string> {
  const [first] = hits
  if (!first) return 'Nothing found.'
  const { searchHits } = await import('../render/search-hits.ts')
  const sessions = new Set(hits.map(({ session }) => session)).size
  const more =
    cursor === null
      ? ''
      : ` More: ${nextCommand(place, 'search', ...wordsOf(limits), '--cursor', cursor, '--', sought)}`
  const around = nextCommand(place, 'show', first.session, '--limit', '20', '--cursor', first.anchor)
  const counts = `${counted(hits.length, 'message')} in ${counted(sessions, 'session')}.${more}`
  return `${searchHits(look, hits)}\n\n${look.colours.dim(`${counts}\nAround the first: ${around}`)}`
}

type Scope = Omit<SearchQuery, 'limit' | 'cursor'>

/** What the search was limited to, in the words of the command line. */
const scopeJson = ({ workspace, from, to, ...rest }: Scope): object => ({
  ...rest,
  ...(workspace === undefined ? {} : { cwd: workspace }),
  ...(from === undefined ? {} : { from: isoTime(from) }),
  ...(to === undefined ? {} : { to: isoTime(to) }),
})

const scopeWords = (scope: Scope): string =>
  Object.entries(scopeJson(scope))
    .map(([name, value]) => safeLine(value === true ? name : `${name} ${String(value)}`))
    .join(', ')

const said = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [name, String(value)]

/** The same query in words, for a cursor belongs to one. */
function wordsOf({ session, role, tool, workspace, from, to, archived, limit }: SearchQuery): readonly string[] {
  return [
    ...said('--session', session),
    ...said('--role', role),
    ...said('--tool', tool),
    ...said('--cwd', workspace),
    ...said('--from', from),
    ...said('--to', to),
    ...(archived === true ? ['--archived'] : []),
    ...said('--limit', limit),
  ]
}

export default search
