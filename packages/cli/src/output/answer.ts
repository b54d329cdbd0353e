import type { ExitCode } from '../exit-code.ts'
import type { Look } from './look.ts'

/** What a command has to say: a JSON document for programs, and words for people. */
export interface Answer {
  readonly json: object
  /** Safe text; a line feed is added. Empty: nothing to say. */
  readonly people: (look: Look) => string | Promise<string>
  /** Absent: done. For an answer that is itself bad news. */
  readonly exit?: ExitCode
}
