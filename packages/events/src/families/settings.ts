import { z } from 'zod'
import { identifier } from '../identifier.ts'
import { json, type Json } from '../json.ts'
import { text, type Text } from '../text.ts'

/** One setting of a session and its new value; null takes a value away. */
export type Setting =
  | { readonly key: 'model'; readonly value: string | null; readonly provider?: string }
  | { readonly key: 'system-prompt'; readonly value: Text | null }
  | { readonly key: 'workspace'; readonly value: string | null }
  | { readonly key: 'goal'; readonly value: Text | null }
  /** An outside address (chat, thread, tab) bound to this session; the generation never falls. */
  | { readonly key: 'route'; readonly route: string; readonly bound: boolean; readonly generation: number }
  | { readonly key: 'pinned'; readonly value: boolean }
  | { readonly key: 'hidden'; readonly value: boolean }
  | { readonly key: 'tag'; readonly tag: string; readonly present: boolean }
  /** Last revision that its reader has seen; null: unread. */
  | { readonly key: 'read-mark'; readonly value: number | null }
  | {
      readonly key: 'reaction'
      readonly message: string
      readonly author: string
      readonly emoji: string
      readonly present: boolean
    }
  /** A host's own key, of which Refold only knows the name. */
  | { readonly key: 'host'; readonly name: string; readonly value: Json }

export type SettingKey = Setting['key']

export interface SettingChanged {
  readonly type: 'SettingChanged'
  readonly data: Setting
}

export type SettingEvent = SettingChanged

export const setting: z.ZodType<Setting> = z.discriminatedUnion('key', [
  z.strictObject({ key: z.literal('model'), value: z.string().nullable(), provider: z.string().exactOptional() }),
  z.strictObject({ key: z.literal('system-prompt'), value: text.nullable() }),
  z.strictObject({ key: z.literal('workspace'), value: z.string().nullable() }),
  z.strictObject({ key: z.literal('goal'), value: text.nullable() }),
  z.strictObject({
    key: z.literal('route'),
    route: z.string().min(1),
    bound: z.boolean(),
    generation: z.int().nonnegative(),
  }),
  z.strictObject({ key: z.literal('pinned'), value: z.boolean() }),
  z.strictObject({ key: z.literal('hidden'), value: z.boolean() }),
  z.strictObject({ key: z.literal('tag'), tag: z.string().min(1), present: z.boolean() }),
  z.strictObject({ key: z.literal('read-mark'), value: z.int().nonnegative().nullable() }),
  z.strictObject({
    key: z.literal('reaction'),
    message: identifier,
    author: z.string(),
    emoji: z.string().min(1),
    present: z.boolean(),
  }),
  z.strictObject({ key: z.literal('host'), name: z.string().min(1), value: json }),
])

export const settingSchemas: { readonly [E in SettingEvent as E['type']]: z.ZodType<E['data']> } = {
  SettingChanged: setting,
}
