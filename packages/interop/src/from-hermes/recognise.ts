import type { Sha256 } from '@refold/events'
import type { HermesConversation } from '../hermes/conversation.ts'
import type { HermesMessage } from '../hermes/message.ts'
import { messageName } from '../importing/derived-name.ts'
import { groupedBy } from '../hermes/grouped-by.ts'
import type { ImportedLog, LoggedMessage } from '../importing/imported-log.ts'
import { printOf } from '../importing/text-print.ts'
import { roleOf } from './message-event.ts'
import { partsOf } from './message-parts.ts'

export interface Recognised {
  /** Message id by key. */
  readonly ids: ReadonlyMap<string, string>
  /** Messages of an earlier import whose row turned out to repeat another one. */
  readonly copies: readonly string[]
}

/**
 * Finds the messages of a conversation that the log holds: by Hermes' own uid, by any row that holds them, and where rows
 * were deleted and written anew (`/retry` does so) by what they say, in order. The rest gets new ids.
 */
export function recognise(
  conversation: HermesConversation,
  log: ImportedLog,
  { sha256, inherited }: { readonly sha256: Sha256; readonly inherited: Iterable<string> },
): Recognised {
  const own = conversation.items.filter((item) => item.kind === 'message')
  const ids = new Map<string, string>()
  const taken = new Set(inherited)
  const take = (message: HermesMessage, id: string | undefined): boolean => {
    if (id === undefined || taken.has(id)) return false
    taken.add(id)
    ids.set(message.key, id)
    return true
  }
  const isLogged = (id: string, message: HermesMessage): boolean => log.messages.get(id)?.role === roleOf(message)
  const strangers: HermesMessage[] = []
  for (const message of own) {
    const names = rowNames(message).map((name) => messageName(sha256, name))
    const byUid = message.uid !== null && isLogged(messageName(sha256, message.uid), message) ? [message.uid] : []
    const known = [...byUid.map((uid) => messageName(sha256, uid)), ...names.filter((name) => log.messages.has(name))]
    if (!known.some((id) => take(message, id))) strangers.push(message)
  }

  const rows = rowsIn(conversation, sha256)
  const imported = [...log.messages].filter(([id, { isImported }]) => isImported && !taken.has(id))
  const vanished = saidBy(
    imported.filter(([id]) => !rows.has(id)),
    sha256,
  )
  let from = 0
  for (const message of strangers) {
    const again = vanished.get(wordsOf(roleOf(message), printOf(sha256, partsOf(sha256, message).parts)))
    const one = again?.find(({ place }) => place >= from)
    if (one !== undefined && take(message, one.id)) from = one.place + 1
    else {
      const wanted = message.uid === null ? undefined : messageName(sha256, message.uid)
      const names = [...(wanted === undefined ? [] : [wanted]), messageName(sha256, message.key)]
      const isFree = (name: string): boolean => !log.messages.has(name) && !taken.has(name)
      take(message, names.find(isFree) ?? messageName(sha256, `again ${message.key}`))
    }
  }
  return { ids, copies: imported.filter(([id]) => rows.has(id) && !taken.has(id)).map(([id]) => id) }
}

/** Names under which an earlier import may know a message: of the rows that hold it alone. */
function rowNames({ key, rows }: HermesMessage): readonly string[] {
  const held = rows.filter(({ as }) => as !== 'merged' && as !== 'redelivery')
  return [key, ...held.map(({ sessionId, rowId }) => `${sessionId}/${rowId}`)]
}

/** Names of all messages that rows of the conversation could be taken for, whatever they are taken for now. */
function rowsIn({ inherited, items, redeliveries, asides }: HermesConversation, sha256: Sha256): ReadonlySet<string> {
  const rows = new Set<string>()
  const note = (name: string): unknown => rows.add(messageName(sha256, name))
  for (const item of [...inherited, ...items]) {
    if (item.kind === 'compaction') note(item.key.replace(/#summary$/, ''))
    if (item.kind !== 'message' && item.kind !== 'notice') continue
    for (const { sessionId, rowId } of item.rows) {
      note(`${sessionId}/${rowId}`)
      note(`${sessionId}/${rowId}#ask`)
    }
    if (item.kind === 'message' && item.uid !== null) note(item.uid)
  }
  for (const { segmentId, rowId } of asides) note(`${segmentId}/${rowId}`)
  for (const { rowId, of } of redeliveries) note(`${of.slice(0, of.lastIndexOf('/'))}/${rowId}`)
  return rows
}

const wordsOf = (role: string, print: string): string => `${role} ${print}`

/** Logged messages by their words, each with its place among them. */
function saidBy(
  logged: readonly (readonly [string, LoggedMessage])[],
  sha256: Sha256,
): ReadonlyMap<string, readonly { readonly id: string; readonly place: number }[]> {
  const placed = logged.map(([id, message], place) => ({ id, place, message }))
  return groupedBy(placed, ({ message }) => wordsOf(message.role, printOf(sha256, message.parts)))
}
