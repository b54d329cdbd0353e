import { currentVersion, decodeEvent, isEventType, isKnown, type Json, type RawEvent } from '@refold/events'
import { PLATFORM_NOTE } from '../commands/known-message.ts'
import { mapWords, type WordChanges } from './map-words.ts'

/** What stands where words were. Not empty, so that a masked event still fits its schema. */
export const MASK = '█'

/**
 * What stands for names, which rows are told apart by: one mask for each name of a stream, and no two streams share any. Ask in
 * the stream's order, so that the answers are the same each time.
 */
export class MaskedNames {
  readonly #masks = new Map<string, string>()

  of(name: string, event: RawEvent): string {
    if (MASKED_NAME.test(name)) return name
    const known = this.#masks.get(name) ?? `${MASK} ${event.id.slice(0, 24)}-${this.#masks.size}`
    this.#masks.set(name, known)
    return known
  }
}

const MASKED_NAME = new RegExp(`^${MASK} [0-9a-f]{24}-[0-9]+$`, 'u')

/**
 * The payload of an event without anything that somebody said: a well-formed event of the same type, from which the same rows
 * are folded. Null where nothing may stay (an event of another version or program, of which nobody knows what is a word in it);
 * undefined where nothing is to be taken away.
 */
export function maskedPayload(raw: RawEvent, names: MaskedNames): string | null | undefined {
  if (raw.payload === null) return undefined
  const event = decodeEvent(raw, raw.type, raw.payload)
  if (!isKnown(event) || !isEventType(raw.type) || raw.version !== currentVersion(raw.type)) return null
  const { data } = mapWords(
    event,
    wordless((name) => names.of(name, raw), event.type === 'Noted' && isPlatformNote(event.data)),
  )
  const masked = JSON.stringify(data)
  return masked === JSON.stringify(event.data) ? undefined : masked
}

const wordless = (name: WordChanges['name'], isPlatformNote: boolean): WordChanges => ({
  text: () => MASK,
  line: () => MASK,
  name,
  json: (value) => (isPlatformNote ? messageOf(value) : MASK),
  attachment: ({ blob: _blob, bytes: _bytes, url: _url, ...part }) => {
    // A content's hash gives a short content away.
    const named = 'name' in part && part.name !== undefined ? { name: MASK } : {}
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part without its source, which the address stands for
    return { ...part, ...named, url: MASK } as never
  },
})

const isPlatformNote = (data: object): boolean => 'kind' in data && data.kind === PLATFORM_NOTE

/** A platform's id leads to this message in every branch that begins with it, so the way stays. */
function messageOf(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return MASK
  const message = Object.entries(value).find(([field]) => field === 'message')?.[1]
  return message === undefined ? MASK : { message }
}
