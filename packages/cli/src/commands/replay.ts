import type { Engine, ReplayedList, Refusal } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { counted } from '../output/amount.ts'
import { isoTime, localTime } from '../output/moment.ts'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from '../place/interruptible.ts'
import { nextCommand } from '../place/next-command.ts'
import { useEngine } from '../place/use-engine.ts'
import { sessionListWords } from '../render/session-list.ts'
import { sessionRowJson } from '../render/session-row-json.ts'
import { listing, listingWords, type Listing } from '../words/listing.ts'
import { point, pointOf, type PointWord } from '../words/point.ts'
import { present } from '../words/present.ts'

const replay: Command = command({
  description: `Folds the log anew, in memory and beside all stored views, and lists the sessions as they were at a point of it: also
such as were deleted since. What was erased stays so.`,
  operands: {},
  options: {
    until: point('POINT', 'a position in the log, a time such as 2026-06-19T13:11:08Z, or how long ago, such as -2h'),
    ...listing,
  },
  examples: ['refold replay', 'refold replay --until 2026-06-19 --all', 'refold replay --until 812 --json'],
  run: ({ options: { until, ...options }, place, terminal }) =>
    useEngine(place, async (engine) => {
      const page = await replayed(engine, until, options, terminal)
      if ('ok' in page) return page
      const { sessions, total, cursor } = page
      const { events, position, at } = page.replay
      return {
        json: {
          sessions: sessions.map(sessionRowJson),
          total,
          cursor,
          replay: { events, position, at: at === null ? null : isoTime(at) },
        },
        people: async (look) => {
          const when = at === null ? '' : `, ${localTime(at)}`
          const what = `Replay of ${counted(events, 'event')} up to position ${position}${when}:`
          const again = ['replay', '--until', String(position), ...listingWords(options)]
          const words = await sessionListWords(look, page, (next) => nextCommand(place, ...again, '--cursor', next))
          return `${look.colours.dim(what)}\n${words}`
        },
      }
    }),
})

async function replayed(
  engine: Engine,
  until: PointWord | undefined,
  list: Listing & { readonly cursor: string | undefined },
  terminal: Terminal,
): Promise<ReplayedList | Refusal> {
  const { systemSource } = await import('@refold/engine')
  const progress = new Progress(terminal.errors, 'replay')
  const end = until === undefined ? {} : { until: pointOf(until, systemSource.now()) }
  try {
    return await interruptible(
      (signal) =>
        engine.replay({
          ...end,
          list: present(list),
          signal,
          onProgress: ({ position, head }) => progress.update(position, head),
        }),
      'Stopped. Nothing was written.',
    )
  } finally {
    await progress.close()
  }
}

export default replay
