import { z } from 'zod'

/** Longest id of a session, segment, message, turn or tool call that Refold makes or accepts, in characters. */
export const LONGEST_ID = 200

/** True for 1 to {@link LONGEST_ID} characters of well-formed text. Checked at every door, for ids become stream names. */
export function isIdentifier(value: string): boolean {
  return value.length > 0 && Array.from(value).length <= LONGEST_ID && value.isWellFormed()
}

export const identifier: z.ZodType<string> = z
  .string()
  .refine(isIdentifier, { error: `an id has 1 to ${LONGEST_ID} characters and no lone surrogate` })
