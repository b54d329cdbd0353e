import { command, type Command } from '../command.ts'
import { counted } from '../output/amount.ts'
import { done } from '../output/done.ts'
import { useEngine } from '../place/use-engine.ts'
import { operand } from '../words/operand.ts'
import { commandOptions, writing } from '../words/writing.ts'

const restore: Command = command({
  description: `Brings back a deleted session and the delegates that the same deletion took. A title that was taken meanwhile comes
back numbered; a route that was taken does not.`,
  operands: { session: operand('SESSION', 'id of the deleted session') },
  options: writing,
  examples: ['refold restore 20260619_131108_c3c5fd'],
  run: ({ operands, options, place }) =>
    useEngine(place, async (engine) =>
      done(
        await engine.restore(operands.session, commandOptions(options)),
        ({ restored, retitled }) =>
          [
            `Brought back ${counted(restored.length, 'session')}.`,
            ...retitled.map(({ session, was, title }) => `“${was}” was taken; ${session} is called “${title}”.`),
          ].join('\n'),
        ({ restored, retitled, routesLost }) => ({ restored, retitled, routesLost }),
      ),
    ),
})

export default restore
