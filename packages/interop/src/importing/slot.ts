import type { SessionEvent, Setting } from '@refold/events'

/** What a later event of the same kind replaces: the present value of one thing. */
export interface SlotValue {
  readonly slot: string
  /** The value in a form that can be compared. */
  readonly value: string
}

/** The thing whose value an event sets, where it sets one. */
export function slotOf(event: SessionEvent): SlotValue | null {
  if (event.type === 'Renamed') return { slot: 'title', value: event.data.title ?? '' }
  if (event.type === 'Archived') return { slot: 'archived', value: 'archived' }
  if (event.type === 'Unarchived') return { slot: 'archived', value: '' }
  if (event.type === 'Ended') return { slot: 'end', value: `${event.data.class} ${event.data.reason}` }
  if (event.type === 'Reopened') return { slot: 'end', value: '' }
  if (event.type === 'WireFormSet')
    return { slot: `wire ${event.data.message}`, value: JSON.stringify(event.data.parts) }
  if (event.type === 'Noted' && event.data.shownTo === 'none') return { slot: `note ${event.data.note}`, value: '' }
  return event.type === 'SettingChanged' ? settingSlot(event.data) : null
}

function settingSlot(setting: Setting): SlotValue {
  if (setting.key === 'reaction')
    return { slot: reactionSlot(setting.message, setting.author, setting.emoji), value: String(setting.present) }
  if (setting.key === 'tag') return { slot: `tag ${setting.tag}`, value: String(setting.present) }
  if (setting.key === 'route') return { slot: `route ${setting.route}`, value: String(setting.bound) }
  if (setting.key === 'host') return { slot: `host ${setting.name}`, value: JSON.stringify(setting.value) }
  return { slot: setting.key, value: JSON.stringify(setting.value) }
}

export function reactionSlot(message: string, author: string, emoji: string): string {
  return JSON.stringify(['reaction', message, author, emoji])
}
