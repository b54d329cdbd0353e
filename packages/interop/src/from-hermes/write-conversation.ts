import type { HermesConversation, HermesItem, HermesRotation } from '../hermes/conversation.ts'
import type { HermesMessage } from '../hermes/message.ts'
import { messageName } from '../importing/derived-name.ts'
import { ImportedLog } from '../importing/imported-log.ts'
import { SessionWriter } from '../importing/session-writer.ts'
import { printOf } from '../importing/text-print.ts'
import { sessionOf, type HermesImport } from './hermes-import.ts'
import { messageEvent } from './message-event.ts'
import { noticesBehindCut, originPlaces } from './origin-places.ts'
import { recognise } from './recognise.ts'
import { startEvent } from './start-event.ts'
import { compacted, CompactionWriter } from './write-compaction.ts'
import { DelegateMarks } from './write-delegates.ts'
import { keepRaw, writeNotice, writeReactions, writeRest } from './write-notes.ts'
import { hide, showAgain } from './write-rewinds.ts'
import { writeFlags, writeSegmentSettings } from './write-settings.ts'
import { reopen, writeArchived, writeEnd } from './write-state.ts'
import { writeTitle } from './write-title.ts'
import { writeUsage } from './write-usage.ts'
import { writeWires } from './write-wires.ts'

/** Appends to a session's log what a conversation holds beyond it. */
export async function writeConversation(
  run: HermesImport,
  conversation: HermesConversation,
  { isTitledLater, isOrigin }: { readonly isTitledLater: boolean; readonly isOrigin: boolean },
): Promise<void> {
  const { rootId, origin } = conversation
  const { engine, sha256, tally } = run.place
  const session = sessionOf(run, rootId)
  const events = await engine.factsOf(session)
  const writer = new SessionWriter(run.place, session, new ImportedLog('hermes', events), rootId, events.length - 1)
  const from = origin.kind === 'branch' || origin.kind === 'stray' ? run.origins.get(origin.rootId) : undefined
  const inherited = new Map([...(from?.messages ?? [])].map(([key, { message }]) => [key, message]))
  const found = recognise(conversation, writer.log, { sha256, inherited: inherited.values() })
  const isInherited = (key: string): boolean => !found.ids.has(key) && inherited.has(key)
  const idOf = (key: string): string => found.ids.get(key) ?? inherited.get(key) ?? messageName(sha256, key)
  if (isOrigin)
    run.origins.set(
      rootId,
      originPlaces(conversation, session, found.ids, from, (key) => writer.idOf(compacted(key))),
    )
  if (writer.log.isDeleted) {
    tally.warn('skipped-deleted', `sessions/${rootId}`, null)
    return
  }

  await begin(run, conversation, writer)
  await hideAndShow(writer, conversation, { idOf, copies: found.copies })
  await writeItems(run, conversation, writer, { idOf, isInherited })
  await finish(conversation, writer, idOf, isTitledLater)
  await writer.flush()
}

async function begin(run: HermesImport, conversation: HermesConversation, writer: SessionWriter): Promise<void> {
  const { rootId, segments } = conversation
  const [first] = segments
  if (writer.log.start !== null || first === undefined) return
  const event = await startEvent(run, conversation, writer.session)
  await writer.put({ record: rootId, aspect: 'started' }, event)
  await writeSegmentSettings(writer, first)
}

/** What the source undid of the inherited part, what it shows again, and what turned out to be a copy. */
async function hideAndShow(
  writer: SessionWriter,
  { inherited, items }: HermesConversation,
  { idOf, copies }: { readonly idOf: (key: string) => string; readonly copies: readonly string[] },
): Promise<void> {
  const talk = [...inherited, ...items].filter((item) => item.kind === 'message' || item.kind === 'notice')
  const shown = new Set(talk.filter(({ undone }) => !undone).map(({ key }) => idOf(key)))
  await showAgain(writer, (id) => shown.has(id))
  await hide(writer, 'copies', copies)
  const undone = inherited.filter((item) => item.kind === 'message' && item.undone)
  await hide(
    writer,
    'inherited',
    undone.flatMap((item) => ('key' in item ? [idOf(item.key)] : [])),
  )
}

interface Names {
  readonly idOf: (key: string) => string
  readonly isInherited: (key: string) => boolean
}

async function writeItems(
  run: HermesImport,
  conversation: HermesConversation,
  writer: SessionWriter,
  { idOf, isInherited }: Names,
): Promise<void> {
  const { items, inherited, rowCount } = conversation
  const messages = new Map<string, HermesMessage>()
  for (const item of [...inherited, ...items]) if (item.kind === 'message') messages.set(item.key, item)
  const newest = items.findLast((item) => item.kind === 'compaction' && item.how !== 'failed')
  const compactions = new CompactionWriter(writer, {
    messages,
    idOf,
    isInherited,
    newest: newest?.kind === 'compaction' ? newest.key : undefined,
  })
  const delegates = new DelegateMarks(run, writer, conversation)
  const all: readonly HermesItem[] = [...noticesBehindCut(conversation), ...items]
  for (const [at, item] of all.entries()) {
    run.progress(Math.floor((rowCount * at) / all.length))
    await delegates.before(item)
    switch (item.kind) {
      case 'message':
        await writeMessage(writer, item, idOf(item.key))
        break
      case 'notice':
        await writeNotice(writer, item, idOf(item.key))
        break
      case 'compaction':
        await compactions.write(item)
        break
      case 'rotation':
        await writeRotation(run, conversation, writer, item)
        break
      case 'rewind':
        await hide(writer, item.key, item.undone.map(idOf))
        break
      default:
        return item satisfies never
    }
  }
  await delegates.rest()
}

async function writeMessage(writer: SessionWriter, message: HermesMessage, id: string): Promise<void> {
  const { log, place } = writer
  const { event, blobs, raw } = messageEvent(place.sha256, message, id)
  const logged = log.messages.get(id)
  if (logged === undefined) {
    const end = log.slot('end')
    if (end !== undefined && end.value !== '' && end.value === end.lastImportValue) await reopen(writer)
  } else if (printOf(place.sha256, logged.parts) !== printOf(place.sha256, event.data.parts))
    place.tally.warn('source-reinterpreted', `messages/${message.key}`, 'the first reading')
  await writer.putMessage(event, blobs)
  if (raw !== null) await keepRaw(writer, `message ${id}`, 'hermes-message', raw)
  await writeReactions(writer, message, id)
}

async function writeRotation(
  { places }: HermesImport,
  { segments }: HermesConversation,
  writer: SessionWriter,
  { from, to }: HermesRotation,
): Promise<void> {
  const opened = places.nameOf(to)
  if (writer.log.segments.has(opened)) {
    writer.place.tally.alreadyThere += 1
    return
  }
  const segment = segments.find(({ id }) => id === to)
  await writer.put(
    { record: to, aspect: 'rotated' },
    {
      type: 'Rotated',
      data: { from: places.nameOf(from), to: opened, reason: 'compression', ...startOf(segment?.startedAt) },
    },
  )
  if (segment !== undefined) await writeSegmentSettings(writer, segment)
}

function startOf(seconds: number | null | undefined): { readonly at?: number } {
  return seconds == null || !Number.isFinite(seconds) ? {} : { at: Math.round(seconds * 1000) }
}

async function finish(
  conversation: HermesConversation,
  writer: SessionWriter,
  idOf: (key: string) => string,
  isTitledLater: boolean,
): Promise<void> {
  const tip = conversation.segments.at(-1)
  if (tip !== undefined) await writeSegmentSettings(writer, tip)
  await writeFlags(writer, conversation)
  await writeWires(writer, conversation, idOf)
  await writeRest(writer, conversation, idOf)
  await writeUsage(writer, conversation)
  if (!isTitledLater) await writeTitle(writer, conversation)
  await writeArchived(writer, conversation)
  await writeEnd(writer, conversation)
}
