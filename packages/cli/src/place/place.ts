import type { Environment } from './environment.ts'
import type { StorePlace } from './store-place.ts'

/** Where a command works: its store, the folder that relative paths refer to, and the machine around it. */
export interface Place extends StorePlace {
  readonly folder: string
  /** The store was named by `--db`. */
  readonly isChosen: boolean
  readonly home: string
  readonly environment: Environment
  /** How the command is called here, for messages that say what to do next. */
  readonly calledAs: string
}
