import { command, type Command } from '../command.ts'
import { readJson } from '../input/read-json.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { choice, requiredText, text, time } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

const note: Command = command({
  description: "Writes down a host's own fact, for which Refold has no event.",
  operands: { session: sessionOperand },
  options: {
    kind: requiredText('KIND', 'what kind of fact, in your own words'),
    text: text('T', 'words for those it is shown to'),
    data: text('JSON', 'anything, as JSON'),
    shownTo: choice('WHOM', ['person', 'model', 'both', 'none'], 'who sees it: else none'),
    id: text('ID', 'id of the note: else derived from the key'),
    at: time('TIME', 'when it happened, by its own account'),
    ...writing,
  },
  examples: ['refold note fingerprint-scanner --kind ci.failed --shown-to person --text "Build 17 is red"'],
  run: async ({ operands, options, place }) => {
    const { id, data, ...rest } = options
    const parsed = data === undefined ? undefined : readJson(data, '--data')
    return useSession(place, operands.session, async (handle) =>
      done(
        await handle.note(present({ ...rest, note: id, data: parsed })),
        ({ session }) => `Noted in ${session}.`,
        ({ note }) => ({ note }),
      ),
    )
  },
})

export default note
