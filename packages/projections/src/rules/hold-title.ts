import type { TableRows } from '../tables.ts'
import { changeTip } from './change-tip.ts'

/** Characters that a numbered title may have; a longer base is cut. */
const LONGEST_TITLE = 100

/** The smallest number that a second session of the same name gets. */
const FIRST_NUMBER = 2

/**
 * Takes the title that a session's row names, or the next free `name #N`, and shows that. Titles are compared in Unicode
 * NFC. Costs a few look-ups, however many sessions want the same name.
 */
export function holdTitle(rows: TableRows, stream: string): void {
  const tip = rows.tips.get(stream)
  if (!tip || tip.title === null || tip.titleHeld !== null || tip.deleted) return
  const shown = freeTitle(rows, tip.namespace, stream, tip.title)
  changeTip(rows, stream, (draft) => {
    draft.title = shown
    draft.titleHeld = shown.normalize('NFC')
  })
}

/** Gives the title back; the session's row keeps saying it. */
export function releaseTitle(rows: TableRows, stream: string): void {
  const tip = rows.tips.get(stream)
  if (!tip || tip.titleHeld === null) return
  rows.titles.remove(tip.namespace, tip.titleHeld)
  freeNumber(rows, tip.namespace, tip.titleHeld)
  changeTip(rows, stream, (draft) => {
    draft.titleHeld = null
  })
}

function freeTitle(rows: TableRows, namespace: string, stream: string, wanted: string): string {
  const take = (title: string): boolean => rows.titles.insert({ namespace, name: title.normalize('NFC'), stream })
  if (take(wanted)) return wanted
  const name = wanted.normalize('NFC')
  let number = rows.titleNumbers.get(namespace, name)?.free ?? FIRST_NUMBER
  // Where the name must be cut, other names share its numbers, so what is known to be taken says nothing.
  if (numbered(wanted, number) !== `${wanted} #${number}`) number = FIRST_NUMBER
  while (!take(numbered(wanted, number))) number++
  const free = number + 1
  rows.titleNumbers.put({ namespace, name, free })
  return numbered(wanted, number)
}

function numbered(name: string, number: number): string {
  const suffix = ` #${number}`
  const characters = Array.from(name)
  if (characters.length + suffix.length <= LONGEST_TITLE) return name + suffix
  return characters.slice(0, LONGEST_TITLE - suffix.length).join('') + suffix
}

function freeNumber(rows: TableRows, namespace: string, title: string): void {
  const match = /^(.*) #([1-9][0-9]*)$/s.exec(title)
  if (match?.[1] === undefined) return
  const number = Number(match[2])
  const known = rows.titleNumbers.get(namespace, match[1])
  if (known && number >= FIRST_NUMBER && number < known.free) rows.titleNumbers.put({ ...known, free: number })
}
