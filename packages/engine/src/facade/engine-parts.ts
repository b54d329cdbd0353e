import type { DoctorOptions, DoctorReport } from '../doctor/doctor-report.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Checkpoint, RebuildOptions } from '../views/views.ts'
import type { WatchHub } from '../watching/watch-hub.ts'
import type { SessionPlace } from './session.ts'

/** What an engine closes when it is closed. */
export interface EngineParts extends SessionPlace {
  readonly watching: WatchHub
  readonly search: SearchIndex
  readonly rebuildRows: (options: RebuildOptions) => Promise<Checkpoint>
  readonly doctor: (options: DoctorOptions) => Promise<DoctorReport>
  readonly catchUp: () => Promise<unknown>
  /** Takes what was erased out of the views; see `Views.scrub`. */
  readonly scrubViews: () => Promise<boolean>
  /** Takes it out of the log's own files; false while another process is in the way. */
  readonly cleanLog: () => Promise<boolean>
  readonly close: () => Promise<void>
}
