// Installs what the lock file names, with the pinned pnpm, and says so when that will take a while.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (!existsSync('node_modules/.modules.yaml'))
  console.error('Setting up: fetching packages and compiling SQLite, about a minute …')
const pnpm = ['--yes', 'pnpm@10.34.8', 'install', '--frozen-lockfile', '--reporter=silent']
const { status, error } = spawnSync('npx', pnpm, {
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
})
if (error) console.error(`npx could not be started: ${error.message}`)
else if (status !== 0) {
  console.error('Setting up failed; what follows is what the package manager says of it.')
  spawnSync('npx', pnpm.with(-1, '--reporter=append-only'), {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
}
process.exitCode = status ?? 1
