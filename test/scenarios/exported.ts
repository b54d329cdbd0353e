import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { call as refold } from '../cli/call.ts'
import type { ScenarioWorld } from './scenario-world.ts'

export interface BundleLine {
  readonly stream?: string
  readonly basis?: boolean
  readonly event?: { readonly stream: string; readonly type: string; readonly payload: string }
}

/** What `refold export` prints for these sessions, or for `--all`. */
export async function exported({ file }: ScenarioWorld, ...words: readonly string[]): Promise<string> {
  const { exit, output, errors } = await refold(['--db', file, 'export', ...words])
  if (exit !== 0) throw new Error(errors)
  return output
}

export const linesIn = (text: string): readonly BundleLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): BundleLine => JSON.parse(line))

/** Types of the events of one session in an export. */
export const typesIn = (text: string, session: string): readonly string[] =>
  linesIn(text).flatMap(({ event }) => (event?.stream.endsWith(`.${session}`) === true ? [event.type] : []))

/** Exports sessions into a file of the world's folder, which goes away again, and has it imported there. */
export async function moved(
  { folder, file }: ScenarioWorld,
  words: readonly string[],
  to: string,
): Promise<{ readonly events: number; readonly alreadyThere: number }> {
  const name = join(folder, 'moved.jsonl')
  const made = await refold(['--db', file, '--json', 'export', ...words, '--out', name])
  if (made.exit !== 0) throw new Error(made.output)
  const { json } = await refold(['--db', to, '--json', 'import', name])
  rmSync(name)
  return json.sources[0]
}
