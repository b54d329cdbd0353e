import { command, type Command } from '../command.ts'
import { isoTime } from '../output/moment.ts'
import { safeLine } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { operand, sessionOperand } from '../words/operand.ts'

const why: Command = command({
  description: `Shows everything that touched one message (appended, edited, covered by a summary, rewound, inherited …), and where it
is shown now: its place in the transcript and in the model's context, or why it is not there, and which branches have it.`,
  operands: { session: sessionOperand, message: operand('MESSAGE', 'id of the message, or of a note') },
  options: {},
  examples: ['refold why fingerprint-scanner m3', 'refold why 20260619 m3 --json'],
  run: ({ operands, place }) =>
    useSession(place, operands.session, async (handle) => {
      const view = await handle.why(operands.message)
      if ('ok' in view) return view
      const { events, ...rest } = view
      const { whyLines } = await import('@refold/engine')
      return {
        json: { ...rest, events: events.map(({ at, ...event }) => ({ ...event, at: isoTime(at) })) },
        people: () => whyLines(view).map(indentedLine).join('\n'),
      }
    }),
})

/** The line's own indentation, and nothing of what is quoted in it that a terminal would obey. */
function indentedLine(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${safeLine(line)}`
}

export default why
