import type { Actor } from '@refold/events'
import { exclusively } from '../views/exclusively.ts'
import { removeViewsFile } from '../views/views-file.ts'
import type { RebuildOptions } from '../views/views.ts'
import type { DoctorOptions, DoctorReport, Mended } from './doctor-report.ts'
import { leftover } from './examine-files.ts'
import { examineStore, type DoctorPlace, type Examined } from './examine-store.ts'
import { mendClaims } from './mend-claims.ts'

export interface MendingPlace extends DoctorPlace {
  readonly actor: Actor
  readonly rebuildRows: (options: RebuildOptions) => Promise<unknown>
}

const LOCK_MS = 5_000

/** Looks at the whole store; with `repair`, mends what needs no guess and looks again. */
export async function doctor(place: MendingPlace, options: DoctorOptions = {}): Promise<DoctorReport> {
  const examined = await examineStore(place, options)
  if (options.repair !== true) return { ...examined.report, mended: [] }
  const mended = await repair(place, examined, options)
  if (mended.length === 0) return { ...examined.report, mended }
  return { ...(await examineStore(place, options)).report, mended }
}

async function repair(
  place: MendingPlace,
  { mends, remedies, report }: Examined,
  { onProgress, signal }: DoctorOptions,
): Promise<readonly Mended[]> {
  const mended: Mended[] = []
  const rebuilding: RebuildOptions = {
    onProgress: ({ position, head }) => onProgress?.({ stage: 'repair', done: position, total: head }),
    ...(signal && { signal }),
  }
  // Claims first: their events are folded with all others.
  if (remedies.has('mend-claims')) mended.push(...(await mendClaims(place, mends, place.actor)))
  if (remedies.has('remove-leftovers')) mended.push(...(await removeLeftovers(place)))
  // Views of a log that cannot be folded would end where it breaks: those that are there show more.
  if (report.counts['views-unchecked'] !== undefined) return mended
  if (remedies.has('rebuild-rows')) {
    await place.rebuildRows(rebuilding)
    mended.push({ action: 'rows-rebuilt', message: 'Made the views anew from the log.' })
  }
  if (remedies.has('rebuild-search')) {
    await place.search.rebuild(rebuilding)
    mended.push({ action: 'search-rebuilt', message: 'Made the search index anew from the log.' })
  }
  return mended
}

/** Also so that no repair goes on from rows whose making nobody watched. */
async function removeLeftovers({ files, source }: MendingPlace): Promise<readonly Mended[]> {
  if (!files) return []
  for (const file of [files.views, files.search])
    await exclusively(`${file}-lock`, { waitMs: LOCK_MS, source }, () => removeViewsFile(leftover(file)))
  return [{ action: 'leftovers-removed', message: 'Threw away what a broken-off rebuild had left.' }]
}
