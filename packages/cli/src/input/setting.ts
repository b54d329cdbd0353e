import type { SettingInput } from '@refold/engine'
import { parseCount } from '../words/number.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'
import { readJson } from './read-json.ts'

export interface WantedSetting {
  readonly name: string
  readonly value: string | undefined
  readonly provider: string | undefined
  readonly message: string | undefined
  readonly author: string | undefined
  readonly remove: boolean
}

const hostKey = 'host.'

/** The setting that the words of `set` name. */
export function settingFrom(wanted: WantedSetting): SettingInput {
  const { name, value, provider } = wanted
  for (const option of ['message', 'author', 'remove'] as const) {
    if (wanted[option] && name !== 'reaction') throw new UsageError(`--${option} belongs to the setting reaction.`)
  }
  if (provider !== undefined && name !== 'model') throw new UsageError('--provider belongs to the setting model.')
  switch (name) {
    case 'model':
      return { key: name, value: value ?? null, ...present({ provider }) }
    case 'system-prompt':
    case 'workspace':
    case 'goal':
      return { key: name, value: value ?? null }
    case 'hidden':
      return { key: name, value: trueOrFalse(value) }
    case 'read-mark':
      return { key: name, value: value === undefined ? null : readMark(value) }
    case 'reaction':
      return reaction(wanted)
  }
  if (name.startsWith(hostKey) && name.length > hostKey.length) {
    const own = name.slice(hostKey.length)
    return { key: 'host', name: own, value: value === undefined ? null : readJson(value, `The value of ${name}`) }
  }
  const others: { readonly [name: string]: string } = { pinned: 'pin', tag: 'tag', route: 'route', title: 'rename' }
  const other = Object.hasOwn(others, name) ? ` The command for it is \`${others[name] ?? ''}\`.` : ''
  throw new UsageError(`There is no setting ${JSON.stringify(name)}.${other}`)
}

function trueOrFalse(value: string | undefined): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') throw new UsageError('hidden is true or false.')
  return value === 'true'
}

function readMark(value: string): number {
  try {
    return parseCount(value, 0)
  } catch (error) {
    throw new UsageError(`read-mark: ${error instanceof Error ? error.message : String(error)}.`, { cause: error })
  }
}

function reaction({ value, message, author, remove }: WantedSetting): SettingInput {
  if (value === undefined || message === undefined) throw new UsageError('A reaction needs an emoji and --message.')
  return { key: 'reaction', message, author: author ?? 'person', emoji: value, present: !remove }
}
