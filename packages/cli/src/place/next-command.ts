import { relative } from 'node:path'
import { safeText } from '../output/safe-text.ts'
import type { Place } from './place.ts'

/** The command line that does this here, as one can paste it: on the same store and namespace. */
export function nextCommand(place: Place, ...words: readonly string[]): string {
  const namespace = place.namespace === (place.environment['REFOLD_NAMESPACE'] || 'default') ? [] : [place.namespace]
  const options = [
    ...(place.isChosen ? ['--db', shortest(place)] : []),
    ...namespace.flatMap((name) => ['--namespace', name]),
  ]
  return safeText([place.calledAs, ...[...words, ...options].map(quoted)].join(' '))
}

function shortest({ file, folder }: Place): string {
  const way = relative(folder, file)
  return way.startsWith('..') ? file : way
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
