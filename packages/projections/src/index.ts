export * from './fold.ts'
export * from './projection.ts'
export * from './rows/apply-change.ts'
export * from './rows/column-value.ts'
export * from './rows/compare.ts'
export * from './rows/immer-rows.ts'
export * from './rows/key-map.ts'
export * from './rows/map-tables.ts'
export * from './rows/plain-rows.ts'
export * from './rows/port.ts'
export * from './rows/row-change.ts'
export * from './rows/table.ts'
export type { AliasRow } from './rules/aliases-rows.ts'
export type { CompactionRow, KeptRow, SettingRow, WireFormRow } from './rules/context-rows.ts'
export type { DelegateRow, EdgeRow, SegmentRow } from './rules/lineage-rows.ts'
export type { DeletionRow, ListClass, ListCountRow, PreviewRow, TipRow } from './rules/tips-rows.ts'
export type { TitleNumberRow, TitleRow } from './rules/titles-rows.ts'
export type { EntryKind, EntryRow, RewindRow, TranscriptRow, VersionRow } from './rules/transcript-rows.ts'
export type { UsageKeyRow, UsageRow } from './rules/usage-rows.ts'
export * from './tables.ts'
export { contextPlan, type ContextPlan, type PlannedMessage, type PlannedSummary } from './read/context-plan.ts'
export { delegatesUnder } from './read/delegates-under.ts'
export { deletionPlan, type PlannedDeletion } from './read/deletion-plan.ts'
export { hiddenAt, type HiddenRange } from './read/hidden-at.ts'
export { findEntry, hiddenIn, levelsOf, type Found, type Level } from './read/levels.ts'
export { lineageOf, type Lineage } from './read/lineage-of.ts'
export type { ListSort } from './read/list-cursor.ts'
export { listSessions, segmentsOf, type BadCursor, type ListPage, type ListQuery } from './read/list-sessions.ts'
export { lookupMessage, type FoundMessage } from './read/lookup-message.ts'
export { openRewinds, rewindsOf } from './read/open-rewinds.ts'
export { resolveSession, type Resolved, type ResolveOptions } from './read/resolve-session.ts'
export { settingAt } from './read/setting-at.ts'
export { settingsOf } from './read/settings-of.ts'
export { statusWord, type StatusWord } from './read/status-word.ts'
export {
  transcriptPage,
  type MarkerFacts,
  type PlannedEntry,
  type PlannedPage,
  type TranscriptPageQuery,
} from './read/transcript-page.ts'
export {
  usageReport,
  type UsageGrouping,
  type UsageLine,
  type UsageQuery,
  type UsageSums,
} from './read/usage-report.ts'
export { whyMessage, type Touch } from './read/why-message.ts'
export { fold, projections } from './rules/all-rules.ts'
export { ownTime } from './rules/message-time.ts'
export { settingName } from './rules/setting-name.ts'
export type { ContextMessage } from './render/context-message.ts'
export { contextDigest } from './render/context-digest.ts'
export { ATTACHMENT_BYTES, contextBytes, messageBytes, utf8Bytes } from './render/context-size.ts'
export { blobsOf, wholeParts, wholeText, type LogContent } from './render/log-content.ts'
export { contextMessageJson, entryJson, isoTime } from './render/message-json.ts'
export { contextRefs, renderContext, type RenderedContext } from './render/render-context.ts'
export type { Surroundings } from './render/marker-details.ts'
export { renderTranscript, transcriptRefs } from './render/render-transcript.ts'
export { repairCalls } from './render/repair-calls.ts'
export { listedOrigin, sessionJson, sessionRow, type ListedOrigin, type SessionRow } from './render/session-row.ts'
export type { MarkerEntry, MessageEntry, TranscriptEntry } from './render/transcript-entry.ts'
