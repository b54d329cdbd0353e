// Installs what the lock file names, with the pinned pnpm, and says so when that will take a while.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (!existsSync('node_modules/.modules.yaml'))
  console.error('Setting up: fetching packages and compiling SQLite, about a minute …')
const install = ['--yes', 'pnpm@10.34.8', 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false']
const runNpx = (...words) =>
  spawnSync('npx', words, { stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
const { status, error } = runNpx(...install, '--reporter=silent')
if (error) console.error(`npx could not be started: ${error.message}`)
else if (status !== 0) {
  console.error('Setting up failed; what follows is what the package manager says of it.')
  runNpx(...install, '--reporter=append-only', '--loglevel=info')
}
process.exitCode = status ?? 1
