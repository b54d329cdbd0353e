import { systemSource } from '@refold/engine'
import { openHermes, type HermesReader } from '../hermes/hermes-reader.ts'
import type { HistoryReport, ImportHistoryOptions, ImportTarget } from '../importing/history-report.ts'
import { ImportedLog } from '../importing/imported-log.ts'
import { SessionWriter } from '../importing/session-writer.ts'
import { Tally } from '../importing/tally.ts'
import { sessionOf, type HermesImport } from './hermes-import.ts'
import { placeSessions } from './place-sessions.ts'
import { delegatesIn } from './write-delegates.ts'
import { writeConversation } from './write-conversation.ts'
import { writeTitle, yieldTitle, type Titled } from './write-title.ts'

/** Reads a Hermes `state.db` into an engine. */
export async function importHermes(
  engine: ImportTarget,
  path: string,
  { source = systemSource, signal, onProgress }: ImportHistoryOptions,
): Promise<HistoryReport> {
  const tally = new Tally()
  const { sha256 } = source
  const reader = openHermes(path, { now: source.now() / 1000 })
  try {
    const places = await placeSessions(engine, reader.survey.sessions, { sha256, tally, signal })
    const settled = places.known.size > 0 ? reader.accordingTo(places.known) : reader
    const { survey } = settled
    for (const { code, where, kept } of survey.warnings) tally.warn(code, where, kept)
    if (settled.unsettled) tally.warn('source-unsettled', path, 'run the import again when the program is quiet')
    let done = 0
    const report = (rows: number): void =>
      onProgress?.({ done: done + rows, total: survey.totals.messageRows, what: 'rows' })
    const place = { engine, tool: 'hermes', sha256, tally, signal }
    const run: HermesImport = {
      place,
      places,
      survey,
      delegates: delegatesIn(survey),
      origins: new Map(),
      progress: report,
    }
    const beginnings = new Set(
      survey.edges.filter(({ kind }) => kind === 'branch' || kind === 'stray').map((e) => e.parent),
    )
    const contested = new Set([...survey.doubleTitles].flat())
    const titled: Titled[] = []
    for (const conversation of settled.conversations()) {
      signal?.throwIfAborted()
      report(0)
      const { rootId, title, titleSource, segments, warnings, rowCount } = conversation
      const isTitledLater = contested.has(rootId)
      if (isTitledLater) titled.push({ rootId, title, titleSource })
      const isOrigin = segments.some(({ id }) => beginnings.has(id))
      await writeConversation(run, conversation, { isTitledLater, isOrigin })
      for (const { code, where, kept } of warnings) tally.warn(code, where, kept)
      done += rowCount
    }
    await writeContested(run, titled)
    warnOfLeftovers(settled, tally)
    report(0)
    const { events, messages, alreadyThere, warnings } = tally
    return { path, format: 'hermes', sessions: survey.totals.conversations, events, messages, alreadyThere, warnings }
  } finally {
    reader.close()
  }
}

/** Titles that several sessions have: those that give one up come first, so that the newest finds it free. */
async function writeContested(run: HermesImport, titled: readonly Titled[]): Promise<void> {
  const { doubleTitles } = run.survey
  const losers = titled.filter(({ rootId }) => doubleTitles.has(rootId))
  const keepers = titled.filter(({ rootId }) => !doubleTitles.has(rootId))
  for (const one of [...losers, ...keepers]) {
    const session = sessionOf(run, one.rootId)
    const events = await run.place.engine.factsOf(session)
    const writer = new SessionWriter(
      run.place,
      session,
      new ImportedLog('hermes', events),
      one.rootId,
      events.length - 1,
    )
    if (writer.log.isDeleted) continue
    await (doubleTitles.has(one.rootId) ? yieldTitle(writer, one) : writeTitle(writer, one))
    await writer.flush()
  }
}

/** What belongs to no conversation stays in the source, and is told. */
function warnOfLeftovers({ survey }: HermesReader, tally: Tally): void {
  for (const [table, rows] of Object.entries(survey.leftovers))
    if (rows.length > 0) tally.warn('left-out', table, `${rows.length} in the source`)
}
