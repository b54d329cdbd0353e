import { createReadStream } from 'node:fs'
import type { BundleConflict, NameTaken } from '@refold/engine'
import type { HistoryReport, HistoryWarning, ImportHistoryOptions, ImportTarget } from './history-report.ts'

/** Every session of an export was left out: nothing was written. */
export class ExportConflict extends Error {
  override readonly name = 'ExportConflict'
  readonly code: BundleConflict['code']
  readonly session: string

  constructor(conflict: BundleConflict) {
    super(words[conflict.code](conflict))
    this.code = conflict.code
    this.session = conflict.session
  }
}

const words: { readonly [C in BundleConflict['code']]: (conflict: BundleConflict) => string } = {
  diverged: ({ session, about }) =>
    session === about
      ? `Session ${session} of the export and the one here have gone different ways.`
      : `Session ${session} of the export began from session ${about}, which has gone another way here.`,
  'id-taken': ({ session, about }) => `The id ${about} of session ${session} belongs to another session here.`,
  'bad-id': ({ session }) => `${JSON.stringify(session.slice(0, 60))} is no valid id of a session.`,
}

/** Reads an export of Refold's own: see `importBundle` of the engine for what it throws. */
export async function importExport(
  engine: Pick<ImportTarget, 'importBundle'>,
  path: string,
  { onProgress, signal }: ImportHistoryOptions,
): Promise<HistoryReport> {
  const report = await engine.importBundle(() => createReadStream(path), {
    ...(signal && { signal }),
    ...(onProgress && { onProgress: ({ done, total }) => onProgress({ done, total, what: 'events' }) }),
  })
  const { sessions, events, messages, alreadyThere, conflicts, namesTaken } = report
  const [conflict] = conflicts
  if (conflict && events === 0 && alreadyThere === 0) throw new ExportConflict(conflict)
  const warnings = [...conflicts.map(conflictWarning), ...namesTaken.map(nameWarning)]
  return { path, format: 'refold', sessions, events, messages, alreadyThere, warnings }
}

const conflictWarning = ({ code, session }: BundleConflict): HistoryWarning => ({ code, where: session, kept: null })

const nameWarning = ({ code, session, about }: NameTaken): HistoryWarning => ({ code, where: session, kept: about })
