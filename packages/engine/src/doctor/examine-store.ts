import type { EventStore } from '@refold/events'
import type { SearchIndex } from '../search/search-index.ts'
import type { Source } from '../source.ts'
import type { DoctorOptions, DoctorReport } from './doctor-report.ts'
import { examineClaims, type ClaimMend } from './expected-claims.ts'
import { examineFiles, type StoreFiles } from './examine-files.ts'
import { examineLog } from './examine-log.ts'
import { explainDrift } from './explain-drift.ts'
import { finding, type Finding } from './finding.ts'
import type { Remedy } from './finding-kinds.ts'
import { FindingTally } from './finding-tally.ts'
import { StoredViews } from './stored-views.ts'

export interface DoctorPlace {
  readonly store: EventStore
  readonly source: Source
  readonly search: Pick<SearchIndex, 'check' | 'rebuild'>
  /** Absent where nothing lies on a disk: then views live in memory and are not compared. */
  readonly files?: StoreFiles
}

export interface Examined {
  readonly report: Omit<DoctorReport, 'mended'>
  readonly mends: readonly ClaimMend[]
  readonly remedies: ReadonlySet<Remedy>
}

const MOST_OF_ONE_CODE = 20

/** Looks at everything and changes nothing. Throws the signal's reason, and what opening or reading throws beside damage. */
export async function examineStore(place: DoctorPlace, options: DoctorOptions): Promise<Examined> {
  const { store, source, files } = place
  const { onProgress, signal, mostOfOneCode = MOST_OF_ONE_CODE } = options
  const tally = new FindingTally(mostOfOneCode)
  const add = (found: Finding | undefined): void => {
    if (found) tally.add(found)
  }
  if (files) examineFiles(files).forEach(add)
  const opened = files && (await StoredViews.open(files.views, store, source))
  const views = opened instanceof StoredViews ? opened : undefined
  if (!(opened instanceof StoredViews)) add(opened)
  try {
    const log = await examineLog({
      store,
      sha256: source.sha256,
      foldUpTo: views?.checkpoint.position ?? null,
      onState: (stream, state, hash) => add(views?.stateProblem(stream, state, hash)),
      onProgress: (done, total) => onProgress?.({ stage: 'log', done, total }),
      ...(signal && { signal }),
    })
    const { position, streams, events, blobs, isFoldable } = log
    log.findings.forEach(add)
    const mends: ClaimMend[] = []
    if (isFoldable) {
      const { sessions, claims } = log
      const { sha256 } = source
      for (const { finding: found, mend } of examineClaims({ sha256, secret: store.secret, sessions, claims })) {
        add(found)
        if (mend) mends.push(mend)
      }
    } else add(finding('views-unchecked', 'The log is damaged.'))
    if (views && isFoldable) {
      await compare(views, log.rows, add, options)
      if (views.checkpoint.position < position)
        add(finding('views-behind', `The views go up to position ${views.checkpoint.position} of ${position}.`))
    }
    if (isFoldable) (await searchFindings(place, position)).forEach(add)
    const upTo = views?.checkpoint.position ?? 0
    const findings = isFoldable ? await explainDrift(store, tally.kept, { upTo, signal }) : tally.kept
    const report = {
      ok: tally.isSound,
      position,
      streams,
      events,
      blobs,
      views: views && isFoldable ? views.checkpoint.position : null,
      findings,
      counts: tally.counts,
    }
    return { report, mends, remedies: tally.remedies }
  } finally {
    views?.close()
  }
}

async function compare(
  views: StoredViews,
  rows: Parameters<StoredViews['drift']>[0],
  add: (found: Finding) => void,
  { signal, onProgress }: DoctorOptions,
): Promise<void> {
  let pauses = 0
  for (const found of views.drift(rows)) {
    if (found) {
      add(found)
      continue
    }
    pauses += 1
    onProgress?.({ stage: 'rows', done: pauses, total: pauses + 1 })
    signal?.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function searchFindings({ search, files }: DoctorPlace, position: number): Promise<readonly Finding[]> {
  const state = await search.check()
  const file = files?.search ?? 'The search index'
  switch (state.state) {
    case 'absent':
      return []
    case 'foreign':
      return [finding('search-foreign', `${file}:`, { file })]
    case 'damaged':
      return [finding('search-unreadable', `${file} (${state.problem}):`, { file })]
    case 'whole':
      if (state.position >= position) return []
      return [finding('search-behind', `The index goes up to position ${state.position} of ${position}.`, { file })]
    default:
      return state satisfies never
  }
}
