import type { z } from 'zod'
import { accountingSchemas, type AccountingEvent } from './families/accounting.ts'
import { claimSchemas, type ClaimEvent } from './families/claims.ts'
import { contextSchemas, type ContextEvent } from './families/context.ts'
import { delegateSchemas, type DelegateEvent } from './families/delegates.ts'
import { lifeSchemas, type LifeEvent } from './families/life.ts'
import { messageSchemas, type MessageEvent } from './families/messages.ts'
import { noteSchemas, type NoteEvent } from './families/notes.ts'
import { settingSchemas, type SettingEvent } from './families/settings.ts'
import { titleSchemas, type TitleEvent } from './families/title.ts'
import { turnSchemas, type TurnEvent } from './families/turns.ts'

/** Everything that can happen, as a caller says it. */
export type SessionEvent =
  | LifeEvent
  | MessageEvent
  | ContextEvent
  | TitleEvent
  | DelegateEvent
  | SettingEvent
  | TurnEvent
  | AccountingEvent
  | NoteEvent
  | ClaimEvent

export type EventType = SessionEvent['type']

export type EventOf<T extends EventType> = Extract<SessionEvent, { readonly type: T }>

/** One schema for the data of each event type. */
export const eventSchemas: { readonly [T in EventType]: z.ZodType<EventOf<T>['data']> } = {
  ...lifeSchemas,
  ...messageSchemas,
  ...contextSchemas,
  ...titleSchemas,
  ...delegateSchemas,
  ...settingSchemas,
  ...turnSchemas,
  ...accountingSchemas,
  ...noteSchemas,
  ...claimSchemas,
}

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventSchemas, type)
}
