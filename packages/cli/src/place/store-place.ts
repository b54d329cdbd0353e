import { join, resolve } from 'node:path'
import { UsageError } from '../words/usage-error.ts'
import { dataFolder, type Machine } from './data-folder.ts'

/** Which store a command works on, and whose sessions in it. */
export interface StorePlace {
  /** Absolute path of the log file. */
  readonly file: string
  readonly namespace: string
}

export interface WantedPlace {
  readonly db?: string
  readonly namespace?: string
  /** Folder that relative paths refer to. */
  readonly folder: string
}

/** `--db`, else `$REFOLD_DB`, else the platform's data folder; `--namespace`, else `$REFOLD_NAMESPACE`, else `default`. */
export function storePlace(wanted: WantedPlace, machine: Machine): StorePlace {
  const { environment } = machine
  const named = given('--db', wanted.db) ?? environment['REFOLD_DB']
  const file = named ? resolve(wanted.folder, named) : join(dataFolder(machine), 'refold', 'refold.db')
  const namespace = given('--namespace', wanted.namespace) ?? (environment['REFOLD_NAMESPACE'] || 'default')
  return { file, namespace }
}

/** An empty value is nearly always an unset variable in a script; it must not fall back to another store unnoticed. */
function given(option: string, value: string | undefined): string | undefined {
  if (value === '') throw new UsageError(`${option} has an empty value. Name one, or leave the option out.`)
  return value
}
