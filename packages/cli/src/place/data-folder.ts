import { isAbsolute, join } from 'node:path'
import type { Environment } from './environment.ts'

export interface Machine {
  readonly platform: string
  readonly home: string
  readonly environment: Environment
}

/** Where this platform keeps a person's data: XDG, Application Support, or LOCALAPPDATA. */
export function dataFolder({ platform, home, environment }: Machine): string {
  if (platform === 'win32') return absolute(environment['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The XDG specification has relative paths ignored.
  return absolute(environment['XDG_DATA_HOME']) ?? join(home, '.local', 'share')
}

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined
