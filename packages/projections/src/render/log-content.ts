import { isKnown, isLarge, type AnyRecorded, type EventRef, type Part, type Recorded, type Text } from '@refold/events'
import { wellFormed } from './well-formed.ts'

/** What was fetched for rendering. A missing event or blob is one that was erased: its place stays, its words are gone. */
export interface LogContent {
  readonly event: (ref: EventRef) => AnyRecorded | undefined
  /** Text of a blob by its hash. */
  readonly blob: (hash: string) => string | undefined
}

/** The event at a place, unless it is unknown to this build or erased. */
export function knownEvent(content: LogContent, ref: EventRef): Recorded | undefined {
  const event = content.event(ref)
  return event && isKnown(event) ? event : undefined
}

/** The whole text; its head where the rest is gone. Well-formed, whatever was written down: see {@link wellFormed}. */
export function wholeText(content: LogContent, text: Text): string {
  return (isLarge(text) ? (content.blob(text.blob) ?? text.head) : text).toWellFormed()
}

/** Parts with all large texts in place, well-formed. */
export function wholeParts(content: LogContent, parts: readonly Part[]): readonly Part[] {
  return parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'tool-result':
        return isWhole(part.text) ? part : { ...part, text: wholeText(content, part.text) }
      case 'tool-call':
        if (part.argumentsText !== undefined)
          return isWhole(part.argumentsText) ? part : { ...part, argumentsText: wholeText(content, part.argumentsText) }
        return part.arguments === undefined ? part : { ...part, arguments: wellFormed(part.arguments) }
      case 'other':
        return { ...part, data: wellFormed(part.data) }
      case 'image':
      case 'file':
        return part
      default: {
        const never: never = part
        return never
      }
    }
  })
}

const isWhole = (text: Text): boolean => !isLarge(text) && text.isWellFormed()

/** Hashes of the large texts that an event's rendering needs; attachments stay references. */
export function blobsOf(event: AnyRecorded): readonly string[] {
  if (!isKnown(event)) return []
  const texts = textsOf(event)
  return texts.flatMap((text) => (text !== null && text !== undefined && isLarge(text) ? [text.blob] : []))
}

/** Hashes of an event's attachments. A caller may name one by its hash alone, so that the store never had its bytes. */
export function attachmentsOf(event: AnyRecorded): readonly string[] {
  return isKnown(event) ? partsOf(event).flatMap((part) => ('blob' in part ? [part.blob] : [])) : []
}

function partsOf({ type, data }: Recorded): readonly Part[] {
  if (type === 'MessageAppended' || type === 'MessageEdited') return data.parts
  if (type === 'WireFormSet') return data.parts ?? []
  return type === 'Compacted' ? data.wireForms.flatMap(({ parts }) => parts) : []
}

function textsOf(event: Recorded): readonly (Text | null | undefined)[] {
  if (event.type === 'MessageAppended' || event.type === 'MessageEdited') return partTexts(event.data.parts)
  if (event.type === 'WireFormSet') return partTexts(event.data.parts ?? [])
  if (event.type === 'Compacted')
    return [event.data.summary, ...event.data.wireForms.flatMap(({ parts }) => partTexts(parts))]
  if (event.type === 'DelegateSpawned') return [event.data.task]
  if (event.type === 'DelegateReported') return [event.data.message]
  if (event.type === 'Noted') return [event.data.text]
  if (event.type !== 'SettingChanged') return []
  return event.data.key === 'system-prompt' || event.data.key === 'goal' ? [event.data.value] : []
}

function partTexts(parts: readonly Part[]): readonly (Text | undefined)[] {
  return parts.map((part) => {
    if (part.type === 'tool-call') return part.argumentsText
    return 'text' in part ? part.text : undefined
  })
}
