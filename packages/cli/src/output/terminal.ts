import type { Environment } from '../place/environment.ts'
import type { Answer } from './answer.ts'
import { look, type Look } from './look.ts'
import { safeJson } from './safe-text.ts'

/** A stream that is written to. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
  on(event: 'error', listener: (error: Error & { readonly code?: string }) => void): unknown
  /** There where a write can say (by false) that its reader is slow. */
  once?(event: 'drain', listener: () => void): unknown
}

/** The command's connection to the person or program that called it. */
export interface Terminal {
  readonly json: boolean
  readonly look: Look
  /** Bytes of standard input. */
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }
  readonly errors: Sink
  /** One answer on standard output: a line of JSON, or words. */
  print(answer: Answer): Promise<void>
  /** Bytes for standard output as they are, waiting for a slow reader. False once the reader has left. */
  stream(text: string): Promise<boolean>
  /** Words on standard output, whoever reads them: help. */
  write(words: string): void
  /** Words for people on standard error, whatever standard output is for. */
  say(words: string): void
}

export interface Streams {
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }
  readonly output: Sink
  readonly errors: Sink
}

/** A reader that leaves early (`refold list | head`) has what it wanted: the rest is not written, and that is no error. */
export function openTerminal(streams: Streams, environment: Environment, json: boolean): Terminal {
  const { input, output, errors } = streams
  let isOpen = true
  let goOn: (() => void) | undefined
  output.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
    isOpen = false
    goOn?.()
  })
  errors.on('error', () => {
    // nobody reads what is said to people; the exit code still says it
  })
  const write = (text: string): void => {
    if (isOpen && text !== '') output.write(`${text}\n`)
  }
  const screen = { isTerminal: output.isTTY === true, columns: output.columns, environment }
  const seen = look(screen)
  return {
    json,
    look: seen,
    input,
    errors,
    write,
    stream: async (text) => {
      if (isOpen && output.write(text) === false && output.once !== undefined)
        await new Promise<void>((resolve) => {
          goOn = resolve
          output.once?.('drain', resolve)
        })
      return isOpen
    },
    print: async (answer) => write(json ? safeJson(JSON.stringify(answer.json)) : await answer.people(seen)),
    say: (words) => {
      errors.write(`${words}\n`)
    },
  }
}
