import picocolors from 'picocolors'
import type { Environment } from '../place/environment.ts'

/** What the place that people read on can do. */
export interface Look {
  /** Infinite where nothing shows it: what a pipe reads is not cut. */
  readonly columns: number
  readonly colours: ReturnType<typeof picocolors.createColors>
}

export interface Screen {
  readonly isTerminal: boolean
  readonly columns: number | undefined
  readonly environment: Environment
}

/** Colours only on a terminal that has them and where `NO_COLOR` does not forbid them (https://no-color.org). */
export function look({ isTerminal, columns, environment }: Screen): Look {
  const coloured = isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  return {
    columns: isTerminal ? Math.max(40, columns ?? 80) : Number.POSITIVE_INFINITY,
    colours: picocolors.createColors(coloured),
  }
}
