export { importHistory } from './import-history.ts'
export {
  UnknownHistory,
  type HistoryFormat,
  type HistoryReport,
  type HistoryWarning,
  type ImportHistory,
  type ImportHistoryOptions,
  type ImportProgress,
} from './history-report.ts'
