import { testWorlds } from './run-worlds.ts'

testWorlds('sqlite', 'test/worlds/sqlite.test.ts', { seeds: [11], runs: 6, commands: 40 })
