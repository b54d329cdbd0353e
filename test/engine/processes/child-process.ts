import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface RunningScript {
  readonly process: ChildProcess
  /** Lines of its standard output so far. */
  readonly lines: readonly string[]
  /** The first line from now on, or before, that fits. */
  line(fits: (line: string) => boolean): Promise<string>
  /** Its exit code, or the signal that ended it; all its output has been read by then. */
  readonly ended: Promise<number | string>
}

/**
 * Runs one of the scripts in this folder. They load the built packages, as a program of a user does, so the build comes
 * before the tests. The process ends with the test at the latest.
 */
export function runScript(name: string, args: readonly string[], options: SpawnOptions = {}): RunningScript {
  const script = fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  if (child.stdout === null) throw new Error(`${name} has no standard output`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    wake()
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    wake()
    return typeof code === 'number' ? code : String(signal)
  })
  return {
    process: child,
    lines,
    ended,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find(fits)
          if (found === undefined && child.exitCode === null && child.signalCode === null) return
          waiting.delete(look)
          if (found === undefined) reject(new Error(`${name} ended without the line that was waited for`))
          else resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}
