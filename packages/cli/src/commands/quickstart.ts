import { join } from 'node:path'
import { command, type Command } from '../command.ts'
import { findHistories } from '../histories/find-histories.ts'
import { importHistories } from '../histories/import-histories.ts'
import { resolveHistories } from '../histories/resolve-histories.ts'
import { useOrMakeEngine } from '../place/use-engine.ts'
import { makeExample } from '../quickstart/example-history.ts'
import { putExampleAway } from '../quickstart/put-example-away.ts'
import { welcome } from '../quickstart/welcome.ts'
import { operandsOrNone } from '../words/operand.ts'

const quickstart: Command = command({
  description: `Imports histories into .refold/refold.db below this folder, lists what there is and shows the newest transcript.
Without a path it looks for histories on this machine (Hermes' store and those of its profiles); where there is none it
makes a small example. Running it again adds only what is new.`,
  operands: { paths: operandsOrNone('PATH', 'histories, or folders that hold some') },
  options: {},
  examples: ['refold quickstart', 'refold quickstart ~/.hermes/state.db', 'npm start -- backup/state.db'],
  run: async ({ operands, place, terminal }) => {
    const file = place.isChosen ? place.file : join(place.folder, '.refold', 'refold.db')
    const chosen = { ...place, file, isChosen: true }
    const paths = operands.paths.length > 0 ? operands.paths : await findHistories(place.home, place.environment)
    const histories = await resolveHistories(paths, 'auto', place.folder)
    return useOrMakeEngine(chosen, async (engine) => {
      const sources = await importHistories(engine, histories, terminal)
      if (histories.length > 0) await putExampleAway(engine)
      const isExample = histories.length === 0 && (await makeExample(engine))
      return welcome(engine, chosen, sources, isExample)
    })
  },
})

export default quickstart
