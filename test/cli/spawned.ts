import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const main = fileURLToPath(new URL('../../packages/cli/bundle/main.js', import.meta.url))

export interface Ended {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

export interface SpawnSettings {
  readonly input?: string
  readonly folder?: string
  readonly environment?: { readonly [name: string]: string }
  /** Closes the command's standard output after so many bytes, as `head` does. */
  readonly readBytes?: number
}

/** Runs the built command in a process of its own, without this one's settings. */
export function spawned(words: readonly string[], settings: SpawnSettings = {}): Promise<Ended> {
  const { input = '', folder, environment = {}, readBytes = Number.POSITIVE_INFINITY } = settings
  const child = spawn(process.execPath, [main, ...words], {
    ...(folder !== undefined && { cwd: folder }),
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...environment },
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.length >= readBytes) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined) // a command that ends before it has read everything
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output, errors }))
  })
}
