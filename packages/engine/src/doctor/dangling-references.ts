import { isKnown, type AnyRecorded } from '@refold/events'
import { lookupMessage, type TableReaders } from '@refold/projections'

/** Messages that an event names and that neither its session nor what it inherits ever had; to be asked before it is folded. */
export function danglingReferences(event: AnyRecorded, rows: TableReaders): readonly string[] {
  return namedIn(event).filter((id) => lookupMessage(rows, event.stream, id) === undefined)
}

function namedIn(event: AnyRecorded): readonly string[] {
  if (!isKnown(event)) return []
  const { type, data } = event
  if (type === 'Rewound') return data.lastThatStays === null ? [] : [data.lastThatStays]
  if (type === 'MessageEdited' || type === 'WireFormSet') return [data.message]
  return type === 'Compacted' ? data.kept : []
}
