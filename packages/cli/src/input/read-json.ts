import { json, type Json } from '@refold/events'
import { UsageError } from '../words/usage-error.ts'

/** The JSON value that an option or operand holds. */
export function readJson(text: string, name: string): Json {
  try {
    return json.parse(JSON.parse(text))
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${name} is no JSON (${problem}).`, { cause: error })
  }
}
