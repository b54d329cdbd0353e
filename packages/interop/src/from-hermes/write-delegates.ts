import type { HermesConversation, HermesItem } from '../hermes/conversation.ts'
import { groupedBy } from '../hermes/grouped-by.ts'
import type { HermesSurvey } from '../hermes/survey.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { sessionOf, type DelegateStart, type HermesImport } from './hermes-import.ts'

export function delegatesIn({ edges, sessions }: HermesSurvey): ReadonlyMap<string, readonly DelegateStart[]> {
  const starts = new Map(sessions.map(({ id, startedAt }) => [id, startedAt]))
  const delegates = edges
    .filter(({ kind }) => kind === 'delegate')
    .map(({ child, parent }) => ({ parent, id: child, startedAt: starts.get(child) ?? null }))
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  return groupedBy(delegates, ({ parent }) => parent)
}

/** Marks a conversation's delegates where they began: before the first message that came later, by the clock alone. */
export class DelegateMarks {
  readonly #run: HermesImport
  readonly #writer: SessionWriter
  readonly #waiting: DelegateStart[]

  constructor(run: HermesImport, writer: SessionWriter, { segments }: HermesConversation) {
    this.#run = run
    this.#writer = writer
    this.#waiting = segments.flatMap(({ id }) => run.delegates.get(id) ?? [])
  }

  async before(item: HermesItem): Promise<void> {
    if (item.kind !== 'message' || item.time === null) return
    const { time } = item
    await this.#mark(({ startedAt }) => startedAt !== null && startedAt < time)
  }

  async rest(): Promise<void> {
    await this.#mark(() => true)
  }

  async #mark(isDue: (delegate: DelegateStart) => boolean): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined && isDue(next); next = this.#waiting[0]) {
      this.#waiting.shift()
      await this.#writer.put(
        { record: next.id, aspect: 'spawned' },
        { type: 'DelegateSpawned', data: { session: sessionOf(this.#run, next.id) } },
      )
    }
  }
}
