import { command, type Command } from '../command.ts'
import { nextCommand } from '../place/next-command.ts'
import { useEngine } from '../place/use-engine.ts'
import { sessionListWords } from '../render/session-list.ts'
import { sessionRowJson } from '../render/session-row-json.ts'
import { listing, listingWords } from '../words/listing.ts'
import { present } from '../words/present.ts'

const list: Command = command({
  description: `Lists sessions, newest activity first: one line each, whatever its segments.
Leaves out archived and hidden ones, delegates, and what an import could not place.`,
  operands: {},
  options: listing,
  examples: ['refold list', 'refold list --search sensor --limit 10', 'refold list --all --json'],
  run: ({ options, place }) =>
    useEngine(place, async (engine) => {
      const page = await engine.list(present(options))
      if ('ok' in page) return page
      const { sessions, total, cursor } = page
      return {
        json: { sessions: sessions.map(sessionRowJson), total, cursor },
        people: (look) =>
          sessionListWords(look, page, (next) =>
            nextCommand(place, 'list', ...listingWords(options), '--cursor', next),
          ),
      }
    }),
})

export default list
