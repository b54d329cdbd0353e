import { eventJsonSchemas } from '@refold/events'
import { command, type Command } from '../command.ts'

const schema: Command = command({
  description: 'Prints JSON Schema (2020-12) of the data of every event, by type, for programs in other languages.',
  operands: {},
  options: {},
  examples: ['refold schema > events.schema.json', "refold schema --json | jq '.events.Renamed'"],
  run: async () => {
    const json = { events: eventJsonSchemas() }
    return { json, people: () => JSON.stringify(json, null, 2) }
  },
})

export default schema
