import { command, type Command } from '../command.ts'
import { safeLine } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { differenceJson } from '../render/difference-json.ts'
import { sessionOperand } from '../words/operand.ts'
import { count } from '../words/option.ts'
import { past } from '../words/past.ts'
import { pointOf, pointOperand, pointWords } from '../words/point.ts'

const diff: Command = command({
  description: `Shows what became of a session between two points: messages gained, lost and changed, what came into the model's context
and what went out of it and why, title, settings, tags and usage.`,
  operands: {
    session: sessionOperand,
    a: pointOperand('A', pointWords),
    b: pointOperand('B', 'the same, or now'),
  },
  options: {
    limit: count('N', 'at most this many of each kind: else 100', 1),
    clock: {
      ...past.clock,
      help: 'which times a time goes by; those of the messages are for imported sessions',
    },
  },
  examples: [
    'refold diff fingerprint-scanner 12 57',
    'refold diff 20260619 2026-06-19T14:00:00Z now --json',
    'refold diff release 2h now',
  ],
  run: async ({ operands, options: { limit, clock }, place }) => {
    const { differenceLines, systemSource } = await import('@refold/engine')
    const now = systemSource.now()
    const [from, to] = [pointOf(operands.a, now, clock), pointOf(operands.b, now, clock)]
    return useSession(place, operands.session, async (handle) => {
      const difference = await handle.diff(from, to, limit === undefined ? {} : { limit })
      if ('ok' in difference) return difference
      return {
        json: differenceJson(difference),
        people: ({ colours }) => {
          const painted = { '+': colours.green, '-': colours.yellow, '~': colours.cyan }
          return differenceLines(difference)
            .map((line) => {
              const [indent = '', mark] = /^ *([-+~])?/.exec(line) ?? []
              const words = safeLine(line)
              if (mark === '+' || mark === '-' || mark === '~') return `  ${painted[mark](words)}`
              return `${indent}${words}`
            })
            .join('\n')
        },
      }
    })
  },
})

export default diff
