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
import { delegates, edges, segments, type DelegateRow, type EdgeRow, type SegmentRow } from './rules/lineage-rows.ts'
import {
  deletions,
  listCounts,
  previews,
  tips,
  type DeletionRow,
  type ListCountRow,
  type PreviewRow,
  type TipRow,
} from './rules/tips-rows.ts'
import { titleNumbers, titles, type TitleNumberRow, type TitleRow } from './rules/titles-rows.ts'
import {
  entries,
  rewinds,
  transcripts,
  versions,
  type EntryRow,
  type RewindRow,
  type TranscriptRow,
  type VersionRow,
} from './rules/transcript-rows.ts'
import { usage, usageKeys, type UsageKeyRow, type UsageRow } from './rules/usage-rows.ts'

/** All row views: table name to row type. */
export interface Tables {
  entries: EntryRow
  versions: VersionRow
  rewinds: RewindRow
  transcripts: TranscriptRow
  compactions: CompactionRow
  kept: KeptRow
  wireForms: WireFormRow
  settings: SettingRow
  tips: TipRow
  previews: PreviewRow
  listCounts: ListCountRow
  deletions: DeletionRow
  titles: TitleRow
  titleNumbers: TitleNumberRow
  aliases: AliasRow
  segments: SegmentRow
  edges: EdgeRow
  delegates: DelegateRow
  usage: UsageRow
  usageKeys: UsageKeyRow
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
  compactions,
  kept,
  wireForms,
  settings,
  tips,
  previews,
  listCounts,
  deletions,
  titles,
  titleNumbers,
  aliases,
  segments,
  edges,
  delegates,
  usage,
  usageKeys,
}
