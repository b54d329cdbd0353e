import { command, type Command } from '../command.ts'
import { safeLine } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'

const lineage: Command = command({
  description: 'Shows how a session hangs together with others: its segments, where it comes from, what came from it.',
  operands: { session: sessionOperand },
  options: {},
  examples: ['refold lineage fingerprint-scanner', 'refold lineage 20260619 --json'],
  run: ({ operands, place }) =>
    useSession(place, operands.session, async (handle) => {
      const view = await handle.lineage()
      if ('ok' in view) return view
      const { session, segments, parents, children } = view
      return {
        json: { session, segments, parents, children },
        people: ({ colours }) => {
          const edges = (edges: typeof parents): readonly string[] =>
            edges.map(({ kind, session }) => `  ${kind}  ${session === null ? 'unknown' : safeLine(session)}`)
          return [
            colours.bold(safeLine(session)),
            `segments\n${segments.map((segment) => `  ${safeLine(segment)}`).join('\n')}`,
            ...(parents.length > 0 ? [`comes from\n${edges(parents).join('\n')}`] : []),
            ...(children.length > 0 ? [`leads to\n${edges(children).join('\n')}`] : []),
          ].join('\n')
        },
      }
    }),
})

export default lineage
