import type { RowReaders, Rows, TableDefinitions } from './rows/port.ts'
import { aliases, type AliasRow } from './rules/aliases-rows.ts'
import {
  compactions,
  kept,
  settings,
  wireForms,
  type CompactionRow,
  type KeptRow,
  type SettingRow,
  type WireFormRow,
} from './rules/context-rows.ts'
import {
  delegates,
  edges,
  reports,
  segments,
  type DelegateRow,
  type EdgeRow,
  type ReportRow,
  type SegmentRow,
} from './rules/lineage-rows.ts'
import {
  deletions,
  erasures,
  listCounts,
  previews,
  tips,
  type DeletionRow,
  type ErasureRow,
  type ListCountRow,
  type PreviewRow,
  type TipRow,
} from './rules/tips-rows.ts'
import {
  titleNumbers,
  titles,
  titleSpans,
  type TitleNumberRow,
  type TitleRow,
  type TitleSpanRow,
} from './rules/titles-rows.ts'
import {
  entries,
  eventTimes,
  rewinds,
  transcripts,
  versions,
  type EntryRow,
  type EventTimesRow,
  type RewindRow,
  type TranscriptRow,
  type VersionRow,
} from './rules/transcript-rows.ts'
import { usage, usageKeys, usageSteps, type UsageKeyRow, type UsageRow, type UsageStepRow } from './rules/usage-rows.ts'

/** All row views: table name to row type. */
export interface Tables {
  entries: EntryRow
  versions: VersionRow
  rewinds: RewindRow
  transcripts: TranscriptRow
  eventTimes: EventTimesRow
  compactions: CompactionRow
  kept: KeptRow
  wireForms: WireFormRow
  settings: SettingRow
  tips: TipRow
  previews: PreviewRow
  listCounts: ListCountRow
  deletions: DeletionRow
  erasures: ErasureRow
  titles: TitleRow
  titleNumbers: TitleNumberRow
  titleSpans: TitleSpanRow
  aliases: AliasRow
  segments: SegmentRow
  edges: EdgeRow
  delegates: DelegateRow
  reports: ReportRow
  usage: UsageRow
  usageKeys: UsageKeyRow
  usageSteps: UsageStepRow
}

/** What rules write through. */
export type TableRows = Rows<Tables>

/** What queries read through. */
export type TableReaders = RowReaders<Tables>

/** The shape of every table, from which a port makes its storage. */
export const tables: TableDefinitions<Tables> = {
  entries,
  versions,
  rewinds,
  transcripts,
  eventTimes,
  compactions,
  kept,
  wireForms,
  settings,
  tips,
  previews,
  listCounts,
  deletions,
  erasures,
  titles,
  titleNumbers,
  titleSpans,
  aliases,
  segments,
  edges,
  delegates,
  reports,
  usage,
  usageKeys,
  usageSteps,
}
