export { ExportConflict } from './import-export.ts'
export { importHistory } from './import-history.ts'
export {
  UnknownHistory,
  type HistoryFormat,
  type HistoryReport,
  type HistoryWarning,
  type ImportHistory,
  type ImportHistoryOptions,
  type ImportProgress,
  type ImportTarget,
} from './history-report.ts'
