import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { importedEventId, sessionStream, type Origin, type SessionEvent } from '@refold/events'
import type { Engine, ImportedSession } from '@refold/engine'
import { facadeWorld, sure } from '../support/facade-world.ts'
import { sha256 } from '../support/sha256.ts'
import { allReads } from './conversation.ts'

const seed = 15_015

const ids = ['s0', 's1', 's2', 's3', 's4'] as const

/** An edge to any session: itself, one that began later, one that is not there. */
const other = fc.constantFrom(...ids, 'nowhere')

const origin: fc.Arbitrary<Origin> = fc.oneof(
  fc.constant({ kind: 'root' as const }),
  fc.record({ kind: fc.constantFrom('delegate' as const, 'reset' as const, 'untyped' as const), session: other }),
  fc
    .record({ kind: fc.constantFrom('branch' as const, 'stray' as const), session: other, asOf: fc.nat(4) })
    .map(({ kind, session, asOf }) => ({
      kind,
      session,
      cut: { asOf, through: { message: `in ${session}`, session, revision: 1 } },
    })),
)

const graph = fc.tuple(origin, origin, origin, origin, origin)

/** What an importer may write of sessions that hang together in any way. */
function imported(session: string, from: Origin): ImportedSession {
  const stream = sessionStream({ namespace: 'default', session })
  const events: readonly SessionEvent[] = [
    { type: 'SessionStarted', data: { session, origin: from, importedFrom: { tool: 'hermes', session } } },
    {
      type: 'MessageAppended',
      data: {
        id: `in ${session}`,
        role: 'user',
        parts: [{ type: 'text', text: session }],
        provenance: 'person',
        shownTo: 'both',
      },
    },
    ...ids.map((delegate): SessionEvent => ({ type: 'DelegateSpawned', data: { session: delegate } })),
  ]
  return {
    session,
    facts: events.map((event, n) => ({
      event,
      id: importedEventId(sha256, stream, {
        tool: 'hermes',
        source: session,
        record: event.type,
        aspect: String(n),
        value: '',
      }),
    })),
  }
}

async function engineOver(origins: readonly Origin[]): Promise<Engine> {
  const { engine } = await facadeWorld()
  await engine.importFacts({
    tool: 'hermes',
    sessions: ids.map((id, n) => imported(id, origins[n] ?? { kind: 'root' })),
  })
  return engine
}

test.prop([graph], { seed, numRuns: 60 })(
  `A15: whatever sessions hang on, in circles and on nothing at all, every walk ends (seed ${seed})`,
  async (origins) => {
    const engine = await engineOver(origins)
    for (const id of ids) {
      const { handle } = sure(await engine.session(id))
      await allReads(handle)
      expect(sure(await handle.lineage()).session).toBe(id)
    }
    expect(sure(await engine.list({ all: true })).total).toBe(ids.length)
    sure(await engine.usage())
    for (const id of ids) {
      const { deletes } = sure(await engine.delete([id]))
      expect(new Set(deletes).size).toBe(deletes.length)
      if (deletes.includes(id)) expect(sure(await engine.restore(id)).restored.toSorted()).toEqual(deletes.toSorted())
    }
    await engine.close()
  },
)

test.prop([graph, fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 })], { seed, numRuns: 60 })(
  `A63: a session that is to be deleted itself goes with nobody, and each goes once (seed ${seed})`,
  async (origins, seeds) => {
    const engine = await engineOver(origins)
    const plan = sure(await engine.deletionPlan(seeds))
    expect(plan.deletes.slice(0, seeds.length).toSorted()).toEqual(seeds.toSorted())
    const { deletes } = sure(await engine.delete(seeds))
    expect(deletes.slice(0, seeds.length)).toEqual(seeds)
    expect(new Set(deletes).size).toBe(deletes.length)
    expect(deletes.toSorted()).toEqual(plan.deletes.toSorted())
    for (const id of seeds) {
      const [deleted] = (await sure(await engine.session(id)).handle.events()).filter(({ type }) => type === 'Deleted')
      expect(deleted?.data).toMatchObject({ seed: id })
    }
    await engine.close()
  },
)
