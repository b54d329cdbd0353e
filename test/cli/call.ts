import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../../packages/cli/src/index.ts'

export interface Called {
  readonly exit: number
  readonly output: string
  readonly errors: string
  /** What `--json` printed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare it with literals
  readonly json: any
}

export interface CallSettings {
  readonly input?: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly environment?: { readonly [name: string]: string | undefined }
  readonly folder?: string
  readonly home?: string
  readonly isTerminal?: boolean
  readonly columns?: number
}

/** Carries out one command line in this process, exactly as `main` does in one of its own. */
export async function call(words: readonly string[], settings: CallSettings = {}): Promise<Called> {
  const { folder = tmpdir(), home = folder, environment = {}, isTerminal = false, columns = 100 } = settings
  let output = ''
  let errors = ''
  const exit = await run(words, {
    input: inputOf(settings.input ?? ''),
    output: { isTTY: isTerminal, columns, write: (text) => (output += text), on: () => undefined },
    errors: { write: (text) => (errors += text), on: () => undefined },
    environment,
    platform: 'linux',
    home,
    workingFolder: folder,
    version: '0.0.0',
  })
  return {
    exit,
    output,
    errors,
    get json() {
      return JSON.parse(output)
    },
  }
}

/** Calls that share one store, with `--json`; each must be accepted unless it says which exit it expects. */
export function callsOn(db: string, settings: CallSettings = {}) {
  return async (words: readonly string[], more: CallSettings & { readonly exit?: number } = {}) => {
    const called = await call(['--db', db, '--json', ...words], { ...settings, ...more })
    if (called.exit !== (more.exit ?? 0)) {
      throw new Error(`refold ${words.join(' ')} ended with ${called.exit}: ${called.output}${called.errors}`)
    }
    return called.json
  }
}

/** A folder of its own that goes away with the test. */
export function scratchFolder(onEnd: (clean: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'refold-cli-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store of its own for one test, and calls on it. */
export function store() {
  const folder = scratchFolder(onTestFinished)
  const db = join(folder, 'refold.db')
  return { folder, db, refold: callsOn(db, { folder }) }
}

async function* inputOf(input: NonNullable<CallSettings['input']>): AsyncGenerator<Uint8Array> {
  if (typeof input === 'string') yield Buffer.from(input)
  else if (input instanceof Uint8Array) yield input
  else yield* input
}
