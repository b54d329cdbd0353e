import type { SettingRow } from '../rules/context-rows.ts'
import type { TableReaders } from '../tables.ts'
import type { Level } from './levels.ts'

/** A setting's newest row as of the levels' revisions: the session's own, else that of what it branched from. */
export function settingAt(
  rows: Pick<TableReaders, 'settings'>,
  levels: readonly Level[],
  name: string,
): Readonly<SettingRow> | undefined {
  for (const { stream, at } of levels) {
    const [row] = rows.settings.range('key', {
      prefix: [stream, name],
      ...(at === Infinity ? {} : { before: [at + 1] }),
      limit: 1,
      backwards: true,
    })
    if (row) return row
  }
  return undefined
}
