import { relative } from 'node:path'
import { safeText } from '../output/safe-text.ts'
import type { Place } from './place.ts'

/** The command line that does this here, as one can paste it: on the same store and namespace. Behind a `--` stay operands. */
export function nextCommand(place: Place, ...words: readonly string[]): string {
  const namespace = place.namespace === (place.environment['REFOLD_NAMESPACE'] || 'default') ? [] : [place.namespace]
  const options = [
    ...(place.isChosen ? ['--db', shortest(place)] : []),
    ...namespace.flatMap((name) => ['--namespace', name]),
  ]
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const all = [...words.slice(0, end), ...options, ...words.slice(end)]
  return safeText([place.calledAs, ...all.map(quoted)].join(' '))
}

function shortest({ file, folder }: Place): string {
  const way = relative(folder, file)
  return way.startsWith('..') ? file : way
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
