import type { ClaimKind } from '@refold/events'
import { claimOf, type Desk } from '../deciding/desk.ts'
import type { PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'

interface Line {
  readonly revision: number
  holder: string | null
  taken: number
  readonly events: PlannedEvent[]
}

/** Claims as they will stand after a batch in which names change hands several times. */
export class ClaimLedger {
  readonly #desk: Desk
  readonly #lines = new Map<string, Line>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Who has the name; null for nobody. */
  *holder(kind: ClaimKind, name: string): Reading<string | null> {
    return (yield* this.#line(kind, name)).holder
  }

  /** Takes the name unless another has it. Gives how often it has been taken, or undefined when it is another's. */
  *take(kind: ClaimKind, name: string, holder: string): Reading<number | undefined> {
    const line = yield* this.#line(kind, name)
    if (line.holder === holder) return line.taken
    if (line.holder !== null) return undefined
    line.holder = holder
    line.taken += 1
    line.events.push({ event: { type: 'Claimed', data: { kind, namespace: this.#desk.namespace, holder } } })
    return line.taken
  }

  /** Gives the name back where this session has it. */
  *release(kind: ClaimKind, name: string, holder: string, why: string): Reading<void> {
    const line = yield* this.#line(kind, name)
    if (line.holder !== holder) return
    line.holder = null
    line.events.push({ event: { type: 'Released', data: { holder, why } } })
  }

  appends(): readonly StreamPlan[] {
    return [...this.#lines]
      .filter(([, { events }]) => events.length > 0)
      .map(([stream, { revision, events }]) => ({ stream, expected: revision < 0 ? 'no-stream' : revision, events }))
  }

  *#line(kind: ClaimKind, name: string): Reading<Line> {
    const stream = claimOf(this.#desk, kind, name)
    const known = this.#lines.get(stream)
    if (known) return known
    const { revision, holder, taken } = yield* read.claim(stream)
    const line = { revision, holder, taken, events: [] }
    this.#lines.set(stream, line)
    return line
  }
}
