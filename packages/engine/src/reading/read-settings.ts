import { isKnown, sessionStream, type Setting } from '@refold/events'
import { settingsOf } from '@refold/projections'
import { wholeText } from './whole-parts.ts'
import type { ReadingPlace } from './reading-side.ts'

/** A session's own settings, large texts resolved. */
export async function readSettings(
  place: ReadingPlace,
  session: string,
  at: number | undefined,
): Promise<readonly Setting[]> {
  const stream = sessionStream({ namespace: place.namespace, session })
  const rows = await place.views.read((rows) => settingsOf(rows, stream, at))
  const events = await place.store.readEvents(rows.map(({ revision }) => ({ stream, revision })))
  const settings: Setting[] = []
  for (const event of events) {
    if (!event || !isKnown(event) || event.type !== 'SettingChanged') continue
    const { data } = event
    const isText = (data.key === 'system-prompt' || data.key === 'goal') && data.value !== null
    settings.push(isText && data.value !== null ? { ...data, value: await wholeText(place.store, data.value) } : data)
  }
  return settings
}
