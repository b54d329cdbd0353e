import type { SettingRow } from '../rules/context-rows.ts'
import type { TableReaders } from '../tables.ts'

/** A session's own settings as of a revision or now, by name; those taken away are left out. */
export function settingsOf(
  rows: Pick<TableReaders, 'settings'>,
  stream: string,
  at: number = Infinity,
): readonly Readonly<SettingRow>[] {
  const newest = new Map<string, Readonly<SettingRow>>()
  for (const row of rows.settings.range('key', { prefix: [stream], limit: Infinity }))
    if (row.revision <= at) newest.set(row.name, row)
  return [...newest.values()].filter(({ present }) => present)
}
