import { command, type Command } from '../command.ts'
import { nextCommand } from '../place/next-command.ts'
import { useSession } from '../place/use-engine.ts'
import { entryJson } from '../render/entry-json.ts'
import { transcriptMarkdown } from '../render/transcript-markdown.ts'
import { transcriptWords } from '../render/transcript-words.ts'
import { sessionOperand } from '../words/operand.ts'
import { count, flag, text } from '../words/option.ts'
import { past, pastOf } from '../words/past.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'

const show: Command = command({
  description:
    'Shows the transcript: what a person reads, whatever the model is sent. The newest entries, oldest first.',
  operands: { session: sessionOperand },
  options: {
    limit: count('N', 'at most this many entries: else 100', 1),
    cursor: text('C', 'goes back to older ones'),
    markdown: flag('as a Markdown document'),
    ...past,
  },
  examples: [
    'refold show fingerprint-scanner',
    'refold show 20260619 --limit 10',
    'refold show release --markdown > a.md',
    'refold show release --at 2026-06-19T13:11:08Z',
  ],
  run: async ({ operands, options, place, terminal }) => {
    const { markdown, at, clock, ...query } = options
    if (markdown && terminal.json) throw new UsageError('--markdown and --json exclude each other.')
    return useSession(place, operands.session, async (handle) => {
      const page = await handle.transcript({ ...present(query), ...(await pastOf({ at, clock })) })
      if ('ok' in page) return page
      const { session, revision, entries, cursor } = page
      return {
        json: { session, revision, entries: entries.map(entryJson), cursor },
        people: (look) => {
          if (markdown) return transcriptMarkdown(session, entries)
          if (revision < 0) return `Session ${session} had not begun then.`
          if (entries.length === 0) return `Session ${session} has no entries.`
          const then = at === undefined ? [] : ['--at', String(revision)]
          const older =
            cursor === null ? '' : `Older: ${nextCommand(place, 'show', session, ...then, '--cursor', cursor)}`
          return [look.colours.dim(older), transcriptWords(look, entries)].filter(Boolean).join('\n\n')
        },
      }
    })
  },
})

export default show
