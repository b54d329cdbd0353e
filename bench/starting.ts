import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from './history.ts'
import { under, type Line } from './line.ts'
import { median, seconds } from './measure.ts'
import { openBench } from './opened.ts'

const SESSIONS = 10_000
const STARTS = 11

/** From the start of a process to the first page of its list, by the command that people run. */
export async function measureStarting(folder: string): Promise<readonly Line[]> {
  const command = join(process.cwd(), 'packages', 'cli', 'bundle', 'main.js')
  if (!existsSync(command)) throw new Error('Build the command first: npm run build')
  const { file, close } = await openBench(folder, 'starting', (store) =>
    fill(store, { sessions: SESSIONS, messages: SESSIONS, seed: 15 }),
  )
  await close()
  const times: number[] = []
  for (let n = 0; n <= STARTS; n++)
    times.push(await seconds(() => execFileSync(process.execPath, [command, 'list', '--db', file], { stdio: 'pipe' })))
  return [under(`process start to first list of ${SESSIONS} sessions`, median(times.slice(1)) * 1_000, 300, 'ms')]
}
