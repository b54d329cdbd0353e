import type { Namespace } from './world.ts'

/** Who has a title, compared as Unicode NFC; deleted sessions have none. */
export function titleHolder(namespace: Namespace, title: string): string | null {
  for (const { id, title: held, deleted } of namespace.sessions.values())
    if (!deleted && held?.text.normalize('NFC') === title.normalize('NFC')) return id
  return null
}

/** The title, else the first free `title #2`, `title #3`, … of the name that it numbers. */
export function freeTitle(
  namespace: Namespace,
  title: string,
  session: string,
  alsoTaken: ReadonlySet<string> = new Set(),
): string {
  const name = title.replace(/ #\d+$/u, '')
  for (let number = 1; ; number += 1) {
    const suffix = ` #${number}`
    const shortened = Array.from(name)
      .slice(0, 100 - suffix.length)
      .join('')
    const wanted = number === 1 ? title : (shortened === name ? name : shortened.trimEnd()) + suffix
    const holder = titleHolder(namespace, wanted)
    if ((holder === null || holder === session) && !alsoTaken.has(wanted.normalize('NFC'))) return wanted
  }
}

/** Titles that the generators give, as they are kept. */
export function kept(title: string): string {
  return title.replaceAll('\u200B', '').replace(/[\s]+/gu, ' ').trim()
}
