import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnyRecorded } from '@refold/events'
import {
  contextDigest,
  contextPlan,
  fold,
  plainRows,
  settingsOf,
  tables,
  titleAt,
  transcriptPage,
  usageReport,
  type TableRows,
  type Tables,
} from '@refold/projections'
import { sha256 } from '../support/sha256.ts'
import { lead, worlds } from '../worlds/worlds.ts'

const seed = 51_204

function stateOf(rows: TableRows, stream: string, at?: number): object {
  const asOf = at === undefined ? {} : { at }
  const plan = contextPlan(rows, stream, at)
  return {
    transcript: transcriptPage(rows, stream, { limit: Infinity, ...asOf }),
    context: [plan, contextDigest(sha256, plan)],
    title: titleAt(rows, stream, at),
    settings: settingsOf(rows, stream, at),
    usage: usageReport(rows, { namespace: '', stream, by: 'model', ...asOf }),
  }
}

/** Forgetting holds for the past, too. */
const isForgetting = ({ type }: AnyRecorded): boolean => type === 'Redacted' || type === 'PurgeStarted'

test(`in worlds that the engine made, any revision reads as the log up to there folds (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(worlds(60), async (commands) => {
      const { stage } = await lead('memory', commands)
      const events = await stage.store.readAll({ limit: Infinity })
      await stage.close()
      const kept = events.filter((event) => !isForgetting(event))
      const whole = plainRows<Tables>(tables)
      for (const event of kept) fold(event, whole)
      const rows = plainRows<Tables>(tables)
      for (const [index, event] of kept.entries()) {
        fold(event, rows)
        const next = kept[index + 1]
        // What others do counts until the session's own next event, so the state is that before it.
        if (!next || !rows.tips.get(next.stream)) continue
        const { stream, revision } = next
        expect(stateOf(whole, stream, revision - 1)).toEqual(stateOf(rows, stream))
      }
      for (const { stream } of rows.tips.range('key', { prefix: [], limit: Infinity })) {
        const head = rows.transcripts.get(stream)?.revision ?? -1
        expect(stateOf(whole, stream, head)).toEqual(stateOf(rows, stream))
      }
    }),
    { seed, numRuns: 12 },
  )
})
