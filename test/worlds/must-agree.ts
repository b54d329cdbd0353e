import { explainDifference, explainMessage, type SessionHandle } from '@refold/engine'
import { agrees } from './agree.ts'

/** Places whose entries are explained; the first ones mostly tell the rest. */
const EXPLAINED = 2

/** Holds a list that was read against the wanted one; where they differ, says which events made the entries that do. */
export async function mustAgree(
  handle: SessionHandle,
  what: string,
  found: readonly { readonly id?: string }[],
  wanted: readonly object[],
): Promise<void> {
  if (agrees(found, wanted)) return
  const places = Array.from({ length: Math.max(found.length, wanted.length) }, (_, place) => place)
  const differing = places.filter((place) => !agrees(found[place], wanted[place])).slice(0, EXPLAINED)
  const lines = [
    `The ${what} of session ${handle.id} is not what the model says (${found.length}, ${wanted.length} wanted).`,
  ]
  const ids = new Set<string>()
  for (const place of differing) {
    lines.push(`At ${place} stands ${inWords(found[place])} where ${inWords(wanted[place])} was wanted.`)
    for (const one of [found[place], wanted[place]]) {
      const id: unknown = one && Reflect.get(one, 'id')
      if (typeof id === 'string') ids.add(id)
    }
  }
  for (const id of ids) lines.push(...(await explainMessage(handle, id)))
  const head = (await handle.events({ backwards: true, limit: 1 })).at(-1)?.revision ?? 0
  lines.push('What the last event changed:', ...(await explainDifference(handle, Math.max(0, head - 1), head)))
  throw new Error(lines.join('\n'))
}

function inWords(entry: object | undefined): string {
  if (entry === undefined) return 'nothing'
  return JSON.stringify(entry, (_field, value: unknown) =>
    typeof value === 'string' && value.length > 300 ? `${value.slice(0, 40)}… (${value.length})` : value,
  )
}
