import { command, type Command } from '../command.ts'
import { counted } from '../output/amount.ts'
import { done } from '../output/done.ts'
import { safeLine } from '../output/safe-text.ts'
import { nextCommand } from '../place/next-command.ts'
import { useEngine } from '../place/use-engine.ts'
import { operands } from '../words/operand.ts'
import { flag, text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { commandOptions, writing } from '../words/writing.ts'

const remove: Command = command({
  description: `Deletes sessions and the delegates that work for them, everywhere and at once; \`restore\` brings them back.
Their branches, resets and strays stay and keep all that they show. Takes ids only, no titles.`,
  operands: { sessions: operands('SESSION', 'ids of sessions, literally') },
  options: {
    dryRun: flag('shows what would be deleted and what would stay, and deletes nothing'),
    reason: text('R', 'why, to be written down with it'),
    ...writing,
  },
  examples: ['refold delete 20260619_131108_c3c5fd --dry-run', 'refold delete job-17 job-18'],
  run: ({ operands, options, place }) =>
    useEngine(place, async (engine) => {
      if (options.dryRun) {
        const plan = await engine.deletionPlan(operands.sessions)
        if (!plan.ok) return plan
        const { seeds, deletes, keeps } = plan
        return {
          json: { seeds, deletes, keeps },
          people: () =>
            [
              `Would delete ${counted(deletes.length, 'session')}:`,
              ...deletes.map((session) => `  ${safeLine(session)}`),
              ...(keeps.length > 0 ? ['Would stay:'] : []),
              ...keeps.map(({ session, because }) => `  ${safeLine(session)}  (${safeLine(because)})`),
            ].join('\n'),
        }
      }
      return done(
        await engine.delete(operands.sessions, { ...commandOptions(options), ...present({ reason: options.reason }) }),
        ({ session, deletes }) =>
          `Deleted ${counted(deletes.length, 'session')}. To bring back: ${nextCommand(place, 'restore', session)}`,
        ({ deletionId, seeds, deletes, keeps }) => ({ deletionId, seeds, deletes, keeps }),
      )
    }),
})

export default remove
