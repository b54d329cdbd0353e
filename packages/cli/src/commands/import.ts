import type { HistoryFormat } from '@refold/interop'
import { command, type Command } from '../command.ts'
import { importHistories } from '../histories/import-histories.ts'
import { useOrMakeEngine } from '../place/use-engine.ts'
import { importWords } from '../render/import-words.ts'
import { operands } from '../words/operand.ts'
import { choice } from '../words/option.ts'
import { historyFormats, resolveHistories } from '../histories/resolve-histories.ts'

const importCommand: Command = command({
  description: `Reads other programs' histories, and Refold's own exports, into the store, which is made where there is none. The
files are only read, also while their program writes. Running it again adds only what is new. An export is checked whole first.`,
  operands: { paths: operands('PATH', 'a history, or a folder that holds some') },
  options: {
    from: choice<'auto' | HistoryFormat>('FORMAT', ['auto', ...historyFormats], 'whose history it is: else found out'),
  },
  examples: ['refold import ~/.hermes/state.db', 'refold import ~/.hermes --json', 'refold import release-notes.jsonl'],
  run: async ({ operands, options, place, terminal }) => {
    const histories = await resolveHistories(operands.paths, options.from ?? 'auto', place.folder)
    return useOrMakeEngine(place, async (engine) => {
      const sources = await importHistories(engine, histories, terminal)
      return { json: { sources }, people: (look) => importWords(look, sources) }
    })
  },
})

export default importCommand
