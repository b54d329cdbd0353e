import type { Json } from '@refold/events'
import type { HermesConversation, HermesSegment } from '../hermes/conversation.ts'
import type { HermesMessage, HermesNotice } from '../hermes/message.ts'
import { textIn } from '../hermes/raw-row.ts'
import { isObject } from '../hermes/decode-json.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { reactionSlot } from '../importing/slot.ts'
import { isEmptyJson, toJson } from '../importing/to-json.ts'
import { milliseconds } from './milliseconds.ts'

/** An event that Hermes tells between the talk: people read it, and the model is sent it. */
export async function writeNotice(writer: SessionWriter, notice: HermesNotice, id: string): Promise<void> {
  const { key, noticeKind, text, metadata, rawTime } = notice
  const data = toJson(metadata)
  await writer.put(
    { record: key, aspect: 'notice' },
    {
      type: 'Noted',
      data: {
        note: id,
        kind: noticeKind || 'notice',
        shownTo: 'both',
        text,
        ...(isEmptyJson(data) ? {} : { data }),
        ...milliseconds(rawTime),
      },
    },
  )
}

/** Something that has no event of its own, shown to nobody: its newest form is the last note of that name. */
export async function keepRaw(writer: SessionWriter, note: string, kind: string, data: Json): Promise<void> {
  await writer.follow(`note ${note}`, JSON.stringify(data), {
    type: 'Noted',
    data: { note, kind, shownTo: 'none', data },
  })
}

/** What the rows hold beside the talk. */
export async function writeRest(
  writer: SessionWriter,
  conversation: HermesConversation,
  idOf: (key: string) => string,
): Promise<void> {
  const { segments, goals, delegations, asides, redeliveries } = conversation
  for (const segment of segments) {
    const data = segmentRest(segment)
    if (!isEmptyJson(data)) await keepRaw(writer, `segment ${segment.id}`, 'hermes-segment', data)
  }
  for (const { segmentId, value } of goals)
    if (typeof value !== 'string') await keepRaw(writer, `goal ${segmentId}`, 'hermes-goal', toJson(value))
  for (const [at, row] of delegations.entries())
    await keepRaw(writer, `delegation ${textIn(row, 'delegation_id') ?? at}`, 'hermes-delegation', toJson(row))
  for (const { rowId, segmentId, role, text, extra } of asides)
    await keepRaw(writer, `row ${segmentId}/${rowId}`, 'hermes-row', { role: role || null, text, extra: toJson(extra) })
  for (const { rowId, of, text, rawTime } of redeliveries)
    await keepRaw(writer, `redelivery ${rowId}`, 'hermes-redelivery', { of: idOf(of), text, time: toJson(rawTime) })
}

function segmentRest(segment: HermesSegment): Json {
  const { workspace, rest, config, sessionKey, generation, lastReadAt, continuesBy, source, title } = segment
  const told = Object.entries({
    source,
    title,
    gitBranch: workspace.gitBranch,
    gitRepoRoot: workspace.gitRepoRoot,
    sessionKey,
    generation,
    lastReadAt: toJson(lastReadAt),
    continuesBy,
    config: toJson(config),
    rest: toJson(rest),
  }).filter(([, value]) => !isEmptyJson(value))
  return Object.fromEntries(told)
}

/** Who reacted to a message with what, which may be taken back. */
export async function writeReactions(writer: SessionWriter, message: HermesMessage, id: string): Promise<void> {
  const wanted = new Set<string>()
  const { reactions } = message.displayMetadata
  for (const reaction of Array.isArray(reactions) ? reactions : []) {
    if (!isObject(reaction)) continue
    const { emoji, author } = reaction
    if (typeof emoji !== 'string' || emoji === '') continue
    const by = typeof author === 'string' ? author : ''
    wanted.add(reactionSlot(id, by, emoji))
    await setReaction(writer, { message: id, author: by, emoji, present: true })
  }
  for (const slot of writer.log.slotNames(JSON.stringify(['reaction', id]).slice(0, -1) + ',')) {
    if (wanted.has(slot) || !writer.isFollowed(slot)) continue
    const [, , author, emoji]: readonly string[] = JSON.parse(slot)
    if (author !== undefined && emoji !== undefined)
      await setReaction(writer, { message: id, author, emoji, present: false })
  }
}

async function setReaction(
  writer: SessionWriter,
  reaction: { readonly message: string; readonly author: string; readonly emoji: string; readonly present: boolean },
): Promise<void> {
  const slot = reactionSlot(reaction.message, reaction.author, reaction.emoji)
  await writer.follow(slot, String(reaction.present), {
    type: 'SettingChanged',
    data: { key: 'reaction', ...reaction },
  })
}
