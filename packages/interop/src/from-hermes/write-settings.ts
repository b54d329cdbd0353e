import type { Setting } from '@refold/events'
import type { HermesConversation, HermesGoal, HermesSegment } from '../hermes/conversation.ts'
import { isObject } from '../hermes/decode-json.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { toJson } from '../importing/to-json.ts'

/** Model, workspace and prompt of a segment. What it does not say stays as it was: old rotations forgot the folder. */
export async function writeSegmentSettings(writer: SessionWriter, segment: HermesSegment): Promise<void> {
  const { model, workspace, systemPrompt, config } = segment
  const { provider } = config
  if (model !== null) {
    const more = typeof provider === 'string' ? { provider } : {}
    await set(writer, { key: 'model', value: model, ...more }, segment.id)
  }
  if (workspace.cwd !== null) await set(writer, { key: 'workspace', value: workspace.cwd }, segment.id)
  if (systemPrompt !== null && systemPrompt !== '')
    await set(writer, { key: 'system-prompt', value: systemPrompt }, segment.id)
}

/** What holds for the whole conversation. */
export async function writeFlags(writer: SessionWriter, conversation: HermesConversation): Promise<void> {
  const { pinned, hidden, goals, rootId } = conversation
  for (const [key, value] of [
    ['pinned', pinned],
    ['hidden', hidden],
  ] as const)
    if (value || writer.isFollowed(key)) await set(writer, { key, value }, rootId)
  const goal = goals.at(-1)
  if (goal !== undefined || writer.isFollowed('goal'))
    await set(writer, { key: 'goal', value: goal === undefined ? null : goalText(goal) }, rootId)
}

async function set(writer: SessionWriter, setting: Setting, about: string): Promise<void> {
  const value = JSON.stringify(setting)
  if (!(await writer.follow(setting.key, value, { type: 'SettingChanged', data: setting })))
    writer.place.tally.warn('changed-here', `sessions/${about}.${setting.key}`, 'the value here')
}

const goalFields = ['goal', 'objective', 'text', 'title', 'description'] as const

function goalText({ value }: HermesGoal): string {
  if (typeof value === 'string') return value
  if (isObject(value))
    for (const field of goalFields) {
      const words = value[field]
      if (typeof words === 'string' && words !== '') return words
    }
  return JSON.stringify(toJson(value))
}
