import type { EventStore } from '@refold/events'
import type { Source } from '../source.ts'
import type { Driver } from './driver.ts'
import type { States } from './states.ts'

/** A driver whose keys are random once and then counted: as unique as drawing each, and free. */
export function makeDriver(store: EventStore, source: Source, states: States): Driver {
  const prefix = Array.from(source.random(16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  let count = 0
  return { store, source, states, newKey: () => `${prefix}-${(count += 1)}` }
}
