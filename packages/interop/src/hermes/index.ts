export type { HermesPart } from './content.ts'
export type {
  HermesAside,
  HermesCompaction,
  HermesContextRow,
  HermesConversation,
  HermesEdge,
  HermesEnd,
  HermesGoal,
  HermesItem,
  HermesModelUsage,
  HermesOrigin,
  HermesRedelivery,
  HermesRewind,
  HermesRotation,
  HermesSegment,
  HermesUsage,
} from './conversation.ts'
export type { EndClass, HermesStatus } from './end-reason.ts'
export { type HermesReader, openHermes } from './hermes-reader.ts'
export { NotHermes } from './hermes-source.ts'
export type { KnownPlace, KnownPlaces } from './known-place.ts'
export type { HermesMessage, HermesNotice, HermesRowUse, HermesWire } from './message.ts'
export type { RawRow } from './raw-row.ts'
export type { SegmentUsage, Workspace } from './session-row.ts'
export type { HermesSurvey } from './survey.ts'
export type { HermesToolCall } from './tool-call.ts'
export { shownMessages } from './transcript.ts'
export type { HermesWarning, HermesWarningCode } from './warning.ts'
