import type { WireForm } from '@refold/events'
import type { HermesCompaction } from '../hermes/conversation.ts'
import type { HermesMessage } from '../hermes/message.ts'
import type { FactName, SessionWriter } from '../importing/session-writer.ts'
import { partsOf } from './message-parts.ts'

export const compacted = (key: string): FactName => ({ record: key, aspect: 'compacted' })
const failed = (key: string): FactName => ({ record: key, aspect: 'compaction-failed' })

export interface Talked {
  readonly messages: ReadonlyMap<string, HermesMessage>
  /** Id of the message or note with a key. */
  readonly idOf: (key: string) => string
  readonly isInherited: (key: string) => boolean
  /** The newest compaction that took effect: the only one whose carrier the model is still sent. */
  readonly newest: string | undefined
}

/** Writes the compactions of a conversation, in their order. */
export class CompactionWriter {
  readonly #writer: SessionWriter
  readonly #talked: Talked
  /** What attempts that failed had summarised, so that the next summary stands for it too. */
  #lost: readonly string[] = []

  constructor(writer: SessionWriter, talked: Talked) {
    this.#writer = writer
    this.#talked = talked
  }

  async write(compaction: HermesCompaction): Promise<void> {
    const { key } = compaction
    const writer = this.#writer
    const { log, place } = writer
    // Once an agent's memory is archived for good, an attempt that had failed looks like one that had not.
    const failedBefore = log.has(writer.idOf(failed(key)))
    const doneBefore = log.has(writer.idOf(compacted(key)))
    const hasFailed = failedBefore || (!doneBefore && compaction.how === 'failed')
    if ((failedBefore && compaction.how !== 'failed') || (doneBefore && compaction.how === 'failed'))
      place.tally.warn('source-reinterpreted', `messages/${key}`, hasFailed ? 'failed' : 'compaction')
    if (hasFailed) await this.#writeFailed(compaction)
    else if (doneBefore) {
      place.tally.alreadyThere += 1
      this.#lost = []
    } else await this.#writeDone(compaction)
  }

  async #writeFailed({ key, summary, covered }: HermesCompaction): Promise<void> {
    this.#lost = [...this.#lost, ...covered]
    const reason = 'The new segment could not be written.'
    await this.#writer.put(failed(key), { type: 'CompactionFailed', data: { reason } })
    await this.#writer.put(
      { record: key, aspect: 'failed-summary' },
      { type: 'Noted', data: { note: key, kind: 'hermes-failed-summary', shownTo: 'none', text: summary } },
    )
  }

  async #writeDone({ key, summary, role, kept, unread, covered, carriedBy }: HermesCompaction): Promise<void> {
    const { idOf, isInherited, messages, newest } = this.#talked
    const stays = new Set([...kept, ...unread])
    const gone = new Set([...covered, ...this.#lost].filter((name) => !stays.has(name)).map(idOf))
    this.#lost = []
    const watermark = await this.#writer.settle()
    const { log } = this.#writer
    const isHidden = (id: string): boolean => log.rewinds.isHidden(id)
    const before = log.live.ids().filter((id) => !isHidden(id))
    const keptIds = [...[...stays].filter(isInherited).map(idOf), ...before.filter((id) => !gone.has(id))].filter(
      (id) => !isHidden(id),
    )
    const carrier = carriedBy !== null && key === newest ? messages.get(carriedBy) : undefined
    const form = carrier && this.#carrierForm(carrier, idOf(carrier.key))
    const size = (ids: Iterable<string>): number => [...ids].reduce((sum, id) => sum + this.#bytes(id), 0)
    const bytesAfter = size(keptIds) + Buffer.byteLength(summary)
    await this.#writer.put(compacted(key), {
      type: 'Compacted',
      data: {
        compactionId: key,
        base: watermark,
        watermark,
        held: '',
        kept: keptIds,
        summary,
        summaryRole: role === 'assistant' || role === 'system' ? role : 'user',
        ...(form === undefined ? {} : { carrier: form.message }),
        wireForms: form === undefined ? [] : [form],
        covers: gone.size,
        sizes: { bytesBefore: size(new Set([...keptIds, ...before, ...gone])), bytesAfter },
      },
    })
  }

  #carrierForm(message: HermesMessage, id: string): WireForm | undefined {
    const { wire } = message
    if (wire?.why !== 'carrier') return undefined
    const { text, parts, toolCalls } = wire
    return { message: id, parts: partsOf(this.#writer.place.sha256, { ...message, text, parts, toolCalls }).parts }
  }

  /** Bytes of a message's own texts: the foreign program's context as a whole cannot be measured. */
  #bytes(id: string): number {
    let bytes = 0
    for (const part of this.#writer.log.messages.get(id)?.parts ?? []) {
      if ('text' in part) bytes += typeof part.text === 'string' ? Buffer.byteLength(part.text) : part.text.bytes
    }
    return bytes
  }
}
