import { part as partSchema } from '@refold/events'
import type { PartInput } from '@refold/engine'
import { present } from '../words/present.ts'
import { BadInput } from './bad-input.ts'
import { anObject, aText, fields, listOf, Misshapen, misshapen, oneOf, type Reader } from './shape.ts'

/** One part of a message: as events have them, or an image or file whose bytes come along as base64 in `data`. */
export const aPart: Reader<PartInput> = (value, where) => {
  const found = anObject(value, where)
  if ('data' in found && 'type' in found && (found.type === 'image' || found.type === 'file')) {
    return attachment(found, where)
  }
  const parsed = partSchema.safeParse(found)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Misshapen(`${[where, ...(issue?.path ?? [])].join('.')} does not fit: ${issue?.message ?? 'unknown'}`)
}

/** A JSON array of parts. */
export function readParts(text: string): readonly PartInput[] {
  try {
    return listOf(aPart)(JSON.parse(text), 'parts')
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const message = `Standard input is no list of message parts: ${problem}. Nothing was written.`
    throw new BadInput('bad-input', message, { problem }, { cause: error })
  }
}

const attachmentFields = fields({
  type: oneOf('image', 'file'),
  name: aText,
  mediaType: aText,
  data: (value, where): Uint8Array => decodeBase64(aText(value, where), where),
})

const attachment: Reader<PartInput> = (value, where) => {
  const { type, name, mediaType, data } = attachmentFields(value, where)
  if (data === undefined) return misshapen(`${where}.data`, 'base64', data)
  if (type === 'file') return { type, data, ...present({ name, mediaType }) }
  if (name !== undefined) throw new Misshapen(`${where}.name is no field of an image`)
  return { type: 'image', data, ...present({ mediaType }) }
}

/** Node's decoder skips what is no base64; this one refuses it, for half a picture is no picture. */
function decodeBase64(text: string, where: string): Uint8Array {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) misshapen(where, 'base64 with padding', text)
  return new Uint8Array(Buffer.from(text, 'base64'))
}
