import { testWorlds } from './run-worlds.ts'

testWorlds('memory', 'test/worlds/memory.test.ts', { seeds: [1, 2], runs: 25, commands: 60 })
