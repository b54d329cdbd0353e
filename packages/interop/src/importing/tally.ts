import type { HistoryWarning } from './history-report.ts'

/** What an import did so far. */
export class Tally {
  events = 0
  messages = 0
  alreadyThere = 0
  readonly warnings: HistoryWarning[] = []

  warn(code: string, where: string, kept: string | null): void {
    this.warnings.push({ code, where, kept })
  }
}
