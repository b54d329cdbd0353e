export { commandTable, type CommandEntry } from './command-table.ts'
export type { Command, CommandGroup, Words } from './command.ts'
export { exitCode, type ExitCode } from './exit-code.ts'
export { run, type Surroundings } from './run.ts'
