import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandTable } from '../../packages/cli/src/index.ts'

/** Parts of Refold that are planned; where the catalogue needs one, its scenario or clause waits. */
export const parts = [
  'server',
  'eventstoredb',
  'importers',
  'retention',
  'purge',
  'redact',
  'export',
  'doctor',
  'verify',
  'audit',
  'backup',
  'feed',
  'viewer',
  'reconciler',
] as const

export type WaitedFor = (typeof parts)[number]

/**
 * Says that a scenario, or one clause of it (given in the catalogue's words), cannot be replayed until a part exists: a skipped test
 * with the part's name, and one that fails as soon as the part is there and the mark still is.
 */
export function waiting(id: string, part: WaitedFor, text: string): void {
  test.skip(`${id} waits for ${part}: ${text}`, () => undefined)
  test(`${id} is to be replayed as soon as there is: ${part}`, () => {
    expect(exists(part), `Refold has ${part} now: replay ${id} (${text}) and take the mark away`).toBe(false)
  })
}

export function exists(part: WaitedFor): boolean {
  switch (part) {
    case 'server':
      return hasCommand('serve') || hasPackage('server')
    case 'feed':
      return hasCommand('serve') || hasCommand('feed') || hasPackage('feed')
    case 'viewer':
      return hasPackage('viewer') || hasPackage('web')
    case 'eventstoredb':
      return hasPackage('eventstoredb') || hasPackage('esdb')
    case 'importers':
      return ['claude-code', 'codex', 'opencode', 'pi'].some((tool) => isFolder(`interop/src/${tool}`))
    case 'reconciler':
      return ['engine', 'eventstoredb'].some((name) => isWrittenIn(name, "type: 'ClaimDropped'"))
    case 'retention':
    case 'purge':
    case 'redact':
    case 'export':
    case 'doctor':
    case 'verify':
    case 'audit':
    case 'backup':
      return hasCommand(part) || hasPackage(part)
    default:
      return part satisfies never
  }
}

const packages = new URL('../../packages/', import.meta.url)

const hasCommand = (name: string): boolean =>
  commandTable.some(({ entries }) => entries.some((entry) => entry.name === name))

const hasPackage = (name: string): boolean => readdirSync(packages).includes(name)

const isFolder = (path: string): boolean => existsSync(new URL(path, packages))

const isWrittenIn = (name: string, words: string): boolean =>
  isFolder(`${name}/src`) &&
  readdirSync(new URL(`${name}/src`, packages), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .some((file) => readFileSync(new URL(`${name}/src/${file}`, packages), 'utf8').includes(words))
