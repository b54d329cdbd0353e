// Imports a history into a store, and says so with a line after each commit, until it is done or killed.
import { openEngine, systemSource } from '@refold/engine'
import { importHistory } from '@refold/interop'

const [, , history, file, now] = process.argv
const source = { ...systemSource, now: () => Number(now) }
const engine = await openEngine({ file, durability: 'system', source })
engine.store.onCommit(() => process.stdout.write('commit\n'))
await importHistory(engine, history, { source })
await engine.close()
process.stdout.write('done\n')
