import { isIdentifier, RefoldError } from '@refold/events'

/** Throws `bad-id` for what can be no id; ids become stream names, so every door asks. */
export function checkId(what: string, value: string | undefined): void {
  if (value !== undefined && !isIdentifier(value)) throw new RefoldError('bad-id', { what, value })
}
