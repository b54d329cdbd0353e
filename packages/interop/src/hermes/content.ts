import { decodeJson, isObject } from './decode-json.ts'

/** One element of a stored part list. What is neither text nor image keeps its own JSON. */
export type HermesPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string; readonly raw: unknown }
  | { readonly kind: 'other'; readonly raw: unknown }

export interface HermesContent {
  /** What a person reads: the text, or the text parts joined by a line break. */
  readonly text: string
  /** Empty unless the column held a part list. */
  readonly parts: readonly HermesPart[]
}

/** Hermes marks a part list in the text column by this prefix. */
const listMark = '\0json:'

/** Reads the content column. What says it is JSON and is not, is taken as the text it is. */
export function decodeContent(stored: string | null): HermesContent & { readonly unreadable: boolean } {
  if (stored === null) return { text: '', parts: [], unreadable: false }
  if (!stored.startsWith(listMark)) return { text: stored, parts: [], unreadable: false }
  const { value } = decodeJson(stored.slice(listMark.length))
  if (typeof value === 'string') return { text: value, parts: [], unreadable: false }
  const list = Array.isArray(value) ? value : isObject(value) && typeof value['type'] === 'string' ? [value] : null
  if (list === null) return { text: stored, parts: [], unreadable: true }
  const parts = list.map(partOf)
  return {
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'),
    parts,
    unreadable: false,
  }
}

export function imagesIn(parts: readonly HermesPart[]): number {
  return parts.filter((part) => part.kind === 'image').length
}

function partOf(value: unknown): HermesPart {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (!isObject(value)) return { kind: 'other', raw: value }
  const type = typeof value['type'] === 'string' ? value['type'] : ''
  if (typeof value['text'] === 'string' && /(^|_)text$/.test(type)) return { kind: 'text', text: value['text'] }
  if (/image/.test(type)) return { kind: 'image', url: imageUrl(value), raw: value }
  return { kind: 'other', raw: value }
}

function imageUrl(part: Readonly<Record<string, unknown>>): string {
  for (const holder of [part['image_url'], part['url'], part['source'], part['image']]) {
    if (typeof holder === 'string') return holder
    if (!isObject(holder)) continue
    if (typeof holder['url'] === 'string') return holder['url']
    if (typeof holder['data'] !== 'string') continue
    const type = typeof holder['media_type'] === 'string' ? holder['media_type'] : 'image/*'
    return `data:${type};base64,${holder['data']}`
  }
  return ''
}
