import type { StoreKind } from './stage.ts'

/** Worlds that once failed; they are run first. A change of the generators may make an old one mean something else. */
export const failingSeeds: readonly {
  readonly store: StoreKind
  readonly seed: number
  readonly path: string
  /** `replayPath` of the report. */
  readonly commands: string
  /** What it found. */
  readonly found: string
}[] = []
