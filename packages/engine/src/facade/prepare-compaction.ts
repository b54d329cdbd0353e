import { isLarge, type Part, type WireForm } from '@refold/events'
import { messageBytes } from '@refold/projections'
import type { Compaction } from '../commands/compact.ts'
import type { CommandOptions } from '../commands/command-options.ts'
import type { CompactInput } from '../commands/compact.ts'
import type { Shelf } from '../content/shelf.ts'
import { shelveParts } from '../content/shelve-parts.ts'
import type { ReadingSide } from '../reading/reading-side.ts'

/** Reads and measures what a compaction is about, and lays its large texts on the shelf. */
export async function prepareCompaction(
  reading: ReadingSide,
  session: string,
  { summary, wireForms = [], summaryRole = 'user', ...input }: Omit<CompactInput, keyof CommandOptions>,
  shelf: Shelf,
): Promise<Omit<Compaction, 'blobs'>> {
  // A message has one form: of several the last one, which is measured and stored.
  const last = new Map(wireForms.map((form) => [form.message, form]))
  const forms = [...last.values()].map(({ message, parts }): WireForm => ({
    message,
    parts: shelveParts(parts, shelf),
  }))
  const context = await reading.compactedContext(session, {
    watermark: input.watermark,
    keep: new Set(input.keep),
    formBytes: (message, role) => {
      const form = forms.find((one) => one.message === message)
      return form && formBytes(role, form.parts)
    },
  })
  const summaryBytes = messageBytes({ role: summaryRole, parts: [{ type: 'text', text: summary }] })
  return { ...input, summaryRole, summary: shelf.text(summary), summaryBytes, wireForms: forms, context }
}

/** As rendered: a large text counts whole, though its form only refers to it. */
function formBytes(role: string, parts: readonly Part[]): number {
  const large = parts.reduce((sum, part) => sum + ('text' in part && isLarge(part.text) ? part.text.bytes : 0), 0)
  return messageBytes({ role, parts }) + large
}
