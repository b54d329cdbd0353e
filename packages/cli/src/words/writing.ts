import type { Given } from './given.ts'
import { count, text, type Option } from './option.ts'
import { present, type Present } from './present.ts'
import { UsageError } from './usage-error.ts'

type Texted = Option<string | undefined>

const key: Texted = {
  ...text('KEY', 'idempotency key: a repeat under the same key writes nothing and answers as the first time'),
  read: (given: Given) => {
    if (given === '') throw new UsageError('is empty. Give a key, or leave the option out')
    return typeof given === 'string' ? given : undefined
  },
}

/** Options of every command that writes, where no session stands before it. */
export const keyed: { readonly key: Texted } = { key }

/** Options of every command that writes to a session. */
export const writing: { readonly key: Texted; readonly expect: Option<number | undefined> } = {
  key,
  expect: count('REVISION', "refuses unless the session's last event has this revision"),
}

/** What a call says to every command of the engine. */
export function commandOptions(options: {
  readonly key: string | undefined
  readonly expect: number | undefined
}): Present<{ key: string | undefined; expect: number | undefined }> {
  return present({ key: options.key, expect: options.expect })
}
