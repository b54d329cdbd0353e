import { isKnown, type OriginKind } from '@refold/events'
import { streamOf, type Desk } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'

/** The session that has a name, and what tells a person where to look for it: it may be in no list that they see. */
export interface HolderFacts {
  readonly holder: string
  readonly holderOrigin: OriginKind
  /** Such as `cli` or `telegram`; null where it never said. */
  readonly holderSurface: string | null
  readonly holderArchived: boolean
  readonly holderHidden: boolean
}

/** Two look-ups, and only where a name is refused. */
export function* describeHolder(desk: Desk, holder: string): Reading<HolderFacts> {
  const stream = streamOf(desk, holder)
  const { origin, archived, settings } = yield* read.session(stream)
  const [started] = yield* read.events(stream, { from: 0, limit: 1 })
  const surface = started && isKnown(started) && started.type === 'SessionStarted' ? started.data.surface : undefined
  return {
    holder,
    holderOrigin: origin?.kind ?? 'root',
    holderSurface: surface ?? null,
    holderArchived: archived !== null,
    holderHidden: yield* isHidden(stream, settings.get('hidden')),
  }
}

function* isHidden(stream: string, changedAt: number | undefined): Reading<boolean> {
  if (changedAt === undefined) return false
  const [changed] = yield* read.events(stream, { from: changedAt, limit: 1 })
  if (!changed || !isKnown(changed) || changed.type !== 'SettingChanged') return false
  return changed.data.key === 'hidden' && changed.data.value
}
