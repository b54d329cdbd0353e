import type { HermesSource } from './hermes-source.ts'

const opening = 12

/**
 * Is the child what a rotation wrote whose parent was stamped by something else? It then opens with a summary
 * that the parent does not have, among copies of the parent's tool calls, and the parent was silent since.
 */
export function continuesByRows(source: HermesSource, child: string, parent: string): boolean {
  const first = source.messagesOf(child, opening)
  const carrier = first.find((row) => row.carrier !== null)
  if (carrier === undefined || first[0] === undefined) return false
  const parentRows = source.messagesOf(parent)
  const last = parentRows.at(-1)
  if (last === undefined || last.id > first[0].id) return false
  const summary = carrier.carrier?.summary
  if (parentRows.some((row) => row.carrier?.summary === summary)) return false
  const known = new Set(
    parentRows.flatMap((row) => [...row.callIds, ...(row.toolCallId === null ? [] : [row.toolCallId])]),
  )
  return first.some(
    (row) => row.callIds.some((id) => known.has(id)) || (row.toolCallId !== null && known.has(row.toolCallId)),
  )
}
