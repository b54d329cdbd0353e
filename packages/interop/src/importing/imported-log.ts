import type { AnyRecorded, EventOf, Part, SessionEvent, UsageRecorded } from '@refold/events'
import { isKnown } from '@refold/events'
import { ImportedRewinds } from './imported-rewinds.ts'
import { LiveEntries } from './live-entries.ts'
import { slotOf } from './slot.ts'

export interface LoggedMessage {
  readonly role: string
  readonly parts: readonly Part[]
  /** Written by an import, not by somebody who went on here. */
  readonly isImported: boolean
}

/** The history of one value: how often an import set it, with which event last, and what holds now. */
export interface Slot {
  imports: number
  lastImportId: string | null
  lastImportValue: string | null
  value: string
}

export interface UsageTotals {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  calls: number
  costUsd: number
}

/** What the log holds of one session, kept up to date with what an import adds. */
export class ImportedLog {
  /** Session of the source that its import began with. */
  source: string | null = null
  start: EventOf<'SessionStarted'>['data'] | null = null
  isDeleted = false
  /** Kept message whose form holds the newest summary. */
  carrier: string | null = null
  readonly segments: Set<string> = new Set()
  readonly messages: Map<string, LoggedMessage> = new Map()
  readonly rewinds: ImportedRewinds = new ImportedRewinds()
  readonly live: LiveEntries = new LiveEntries()
  readonly #ids = new Set<string>()
  readonly #slots = new Map<string, Slot>()
  readonly #usage = new Map<string, { totals: UsageTotals; count: number }>()

  constructor(tool: string, events: readonly AnyRecorded[]) {
    for (const event of events) {
      const isImported = event.actor.kind === 'importer' && event.actor.id === tool
      if (isKnown(event)) this.add(event, { id: event.id, isImported, revision: event.revision })
      else this.#ids.add(event.id)
    }
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  slot(name: string): Readonly<Slot> | undefined {
    return this.#slots.get(name)
  }

  slotNames(prefix: string): readonly string[] {
    return [...this.#slots.keys()].filter((name) => name.startsWith(prefix))
  }

  /** What was counted so far under a record's keys, and in how many increments. */
  usage(record: string): { readonly totals: Readonly<UsageTotals>; readonly count: number } {
    return this.#usage.get(record) ?? { totals: noUsage(), count: 0 }
  }

  add(event: SessionEvent, at: { readonly id: string; readonly isImported: boolean; readonly revision: number }): void {
    const { id, isImported, revision } = at
    this.#ids.add(id)
    this.rewinds.add(event, isImported)
    this.live.add(event, revision)
    this.#setSlot(event, id, isImported)
    if (event.type === 'SessionStarted') this.#begin(event.data)
    if (event.type === 'MessageAppended') this.#append(event.data, isImported)
    if (event.type === 'Rotated') this.segments.add(event.data.to)
    if (event.type === 'Compacted') this.carrier = event.data.carrier ?? null
    if (event.type === 'UsageRecorded') this.#count(event.data)
    if (event.type === 'Deleted' || event.type === 'PurgeStarted') this.isDeleted = true
    if (event.type === 'Restored') this.isDeleted = false
  }

  #begin(data: EventOf<'SessionStarted'>['data']): void {
    if (this.start !== null) return
    this.start = data
    this.source = data.importedFrom?.session ?? null
    this.segments.add(data.session)
  }

  #append({ id, role, parts, partial }: EventOf<'MessageAppended'>['data'], isImported: boolean): void {
    if (partial === undefined && !this.messages.has(id)) this.messages.set(id, { role, parts, isImported })
  }

  #setSlot(event: SessionEvent, id: string, isImported: boolean): void {
    const set = slotOf(event)
    if (set === null) return
    const slot = this.#slots.get(set.slot) ?? { imports: 0, lastImportId: null, lastImportValue: null, value: '' }
    slot.value = set.value
    if (isImported) {
      slot.imports += 1
      slot.lastImportId = id
      slot.lastImportValue = set.value
    }
    this.#slots.set(set.slot, slot)
  }

  #count({ key, tokens, calls = 0, costUsd = 0 }: UsageRecorded['data']): void {
    const record = key.slice(0, key.lastIndexOf('/'))
    const known = this.#usage.get(record) ?? { totals: noUsage(), count: 0 }
    const { totals } = known
    totals.input += tokens.input ?? 0
    totals.output += tokens.output ?? 0
    totals.cacheRead += tokens.cacheRead ?? 0
    totals.cacheWrite += tokens.cacheWrite ?? 0
    totals.reasoning += tokens.reasoning ?? 0
    totals.calls += calls
    totals.costUsd += costUsd
    known.count += 1
    this.#usage.set(record, known)
  }
}

export function noUsage(): UsageTotals {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, calls: 0, costUsd: 0 }
}
