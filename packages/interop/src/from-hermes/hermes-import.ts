import type { HermesSurvey } from '../hermes/survey.ts'
import type { WriterPlace } from '../importing/session-writer.ts'
import type { OriginPlaces } from './origin-places.ts'
import type { Places } from './place-sessions.ts'

export interface DelegateStart {
  readonly id: string
  readonly startedAt: number | null
}

/** One import of one file, while it runs. */
export interface HermesImport {
  readonly place: WriterPlace
  readonly places: Places
  readonly survey: HermesSurvey
  /** Sessions that worked for a session of the file, by its id, the first that began first. */
  readonly delegates: ReadonlyMap<string, readonly DelegateStart[]>
  /** Conversations that others begin with, by root id. */
  readonly origins: Map<string, OriginPlaces>
  /** Tells of rows done in the conversation at hand. */
  readonly progress: (rows: number) => void
}

/** The session in which a conversation of the file is or will be. */
export function sessionOf({ places }: Pick<HermesImport, 'places'>, rootId: string): string {
  return places.holderOf(rootId) ?? places.nameOf(rootId)
}
