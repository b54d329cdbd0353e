import type { EndClass } from '@refold/events'
import type { TipRow } from './tips-rows.ts'

/** The first deliberate end (or reset) stands; an accident gives way to it, and to nothing else. */
export function endTakes(tip: Readonly<TipRow>, endClass: EndClass): boolean {
  return tip.endClass === null || (tip.endClass === 'accident' && endClass !== 'accident')
}
