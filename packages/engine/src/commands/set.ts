import { encodeEvent, isKnown, type Blob, type Setting } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { settingSlot } from '../deciding/setting-slot.ts'

/** One setting and its new value; texts may have any length. A route has commands of its own. */
export type SettingInput =
  | Exclude<Setting, { readonly key: 'system-prompt' | 'goal' | 'route' }>
  | { readonly key: 'system-prompt' | 'goal'; readonly value: string | null }

/** Gives one setting a value. The value it has already writes nothing; taking away what was never there neither. */
export function set(
  desk: Desk,
  session: string,
  { setting, blobs = [] }: { readonly setting: Setting; readonly blobs?: readonly Blob[] },
): Deciding<object> {
  return decideOn(desk, session, {
    name: 'change',
    writes: ['SettingChanged'],
    isSame: (first) => first.type === 'SettingChanged' && settingSlot(first.data) === settingSlot(setting),
    *lookAndDecide(state, stream) {
      const event = { type: 'SettingChanged', data: setting } as const
      if ((yield* valueNow(state, stream, setting)) === encodeEvent(event).payload) return nothing({})
      return { events: [event], blobs, answer: {} }
    },
    again: () => ({}),
  })
}

/** The setting's last event as JSON text; where there is none, the one that would take it away. */
function* valueNow(state: SessionState, stream: string, setting: Setting): Reading<string | undefined> {
  const revision = state.settings.get(settingSlot(setting))
  if (revision !== undefined) {
    const [last] = yield* read.events(stream, { from: revision, limit: 1 })
    return last && isKnown(last) && last.type === 'SettingChanged' ? encodeEvent(last).payload : undefined
  }
  switch (setting.key) {
    case 'tag':
      return encodeEvent({ type: 'SettingChanged', data: { ...setting, present: false } }).payload
    case 'pinned':
    case 'hidden':
      return encodeEvent({ type: 'SettingChanged', data: { ...setting, value: false } }).payload
    case 'model':
      return encodeEvent({ type: 'SettingChanged', data: { key: 'model', value: state.model } }).payload
    case 'workspace':
      return encodeEvent({ type: 'SettingChanged', data: { key: 'workspace', value: state.workspace } }).payload
    case 'system-prompt':
    case 'goal':
    case 'read-mark':
    case 'route':
    case 'reaction':
    case 'host':
      return undefined
    default:
      return setting satisfies never
  }
}
