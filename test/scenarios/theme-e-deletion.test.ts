import { importedEventId, sessionStream, type Origin } from '@refold/events'
import { systemSource, type Engine, type Outcome } from '@refold/engine'
import { expect } from 'vitest'
import { callsOn } from '../cli/call.ts'
import { damageLast } from './damage.ts'
import { placesOf } from '../search/found.ts'
import { scenario, waiting } from './scenario.ts'
import {
  appendTurns,
  context,
  listed,
  open,
  question,
  rotate,
  rowOf,
  start,
  stored,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const everything = { all: true, archived: true } as const

/** A session as an importer may find it, with whatever edge. */
function forced(engine: Engine, session: string, origin: Origin) {
  const fact = { tool: 'legacy', source: session, record: 'row', aspect: 'start', value: origin.kind }
  const id = importedEventId(systemSource.sha256, sessionStream({ namespace: 'default', session }), fact)
  return engine.importFacts({
    tool: 'legacy',
    sessions: [{ session, facts: [{ id, event: { type: 'SessionStarted', data: { session, origin } } }] }],
  })
}

scenario('B092', 'a loop of delegates through which deletion reaches the parent', async (world) => {
  await forced(world.first, 'A', { kind: 'delegate', session: 'B' })
  await forced(world.first, 'B', { kind: 'delegate', session: 'A' })
  const P = await start(world.first, 'P')
  sure(await P.spawn({ id: 'C' }))
  const bystander = await start(world.first, 'bystander')
  sure(await bystander.spawn({ id: 'its-delegate' }))
  await world.clause('Walks terminate', async () => {
    expect(sure(await world.first.deletionPlan(['B'])).deletes.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'A',
      'B',
    ])
    expect(sure(await (await open(world.first, 'A')).lineage()).children).toEqual([{ kind: 'delegate', session: 'B' }])
    expect(sure(await (await open(world.first, 'B')).usage({ withDelegates: true })).total.calls).toBe(0)
  })
  const deleted = sure(await world.first.delete(['P', 'C', 'A', 'B']))
  await world.clause(
    'a session is deleted only if it was named or is a descendant delegate of one that was',
    async () => {
      expect(deleted.deletes).toEqual(['P', 'C', 'A', 'B'])
      const left = await listed(world.first, everything)
      expect(left.toSorted((a, b) => a.localeCompare(b))).toEqual(['bystander', 'its-delegate'])
    },
  )
  await world.clause('creation of such a loop through the API is refused', async () => {
    const child = await open(world.first, 'its-delegate')
    expect(await child.spawn({ id: 'bystander' })).toMatchObject({ ok: false, code: 'id-taken', holder: 'bystander' })
    expect(await world.first.start({ id: 'bystander', delegateOf: 'its-delegate' })).toMatchObject({ code: 'id-taken' })
    expect(await child.spawn({ id: 'its-delegate' })).toMatchObject({ code: 'id-taken' })
  })
})

scenario('B094', 'delegates that a deletion leaves behind', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.spawn({ id: 'D1' }))
  sure(await S.spawn({ id: 'D2' }))
  sure(await (await open(world.first, 'D1')).spawn({ id: 'D11' }))
  sure(await (await open(world.first, 'D11')).append({ id: 'm', role: 'user', text: 'a very rare word' }))
  expect(await placesOf(world.first, 'rare')).toEqual(['D11/m'])
  sure(await world.first.delete(['S']))
  await world.clause('Nothing left of S, D1, D2, D11', async () => {
    for (const engine of [world.first, await world.engine()]) {
      expect(sure(await engine.list(everything))).toMatchObject({ sessions: [], total: 0 })
      expect(await listed(engine, { ...everything, search: 'rare' })).toEqual([])
      expect(await placesOf(engine, 'rare')).toEqual([])
      for (const id of ['S', 'D1', 'D2', 'D11'])
        expect(await (await open(engine, id)).transcript()).toMatchObject({ ok: false, code: 'session-deleted' })
    }
  })
})

/** The family of B095: a session with two segments, a branch and a delegate. */
async function family(engine: Engine): Promise<void> {
  const S = await start(engine, 'S')
  await appendTurns(S, 1, 2)
  sure(await rotate(S, 'S2'))
  await appendTurns(S, 3, 3)
  sure(await S.branch({ from: 'A3', id: 'F' }))
  sure(await S.spawn({ id: 'D' }))
  sure(await (await open(engine, 'D')).spawn({ id: 'DD' }))
}

scenario('B095', 'removal paths that differ in what goes along', async (world) => {
  await family(world.first)
  await start(world.first, 'other')
  const refold = callsOn(world.file)
  await world.clause('every removal path gives the same closure and never leaves a dangling reference', async () => {
    const plan = sure(await world.first.deletionPlan(['S']))
    expect(plan).toMatchObject({ deletes: ['S', 'D', 'DD'], keeps: [{ session: 'F' }] })
    expect(await refold(['delete', 'S', '--dry-run'])).toMatchObject({ deletes: plan.deletes, keeps: plan.keeps })
    const paths: (() => Promise<Outcome<{ readonly deletes: readonly string[] }>>)[] = [
      () => world.first.delete(['S']),
      () => world.first.delete(['S2']),
      () => world.first.delete(['S', 'S2', 'D']),
    ]
    for (const remove of paths) {
      const { deletes } = sure(await remove())
      expect(new Set(deletes)).toEqual(new Set(['S', 'D', 'DD']))
      expect(new Set(await listed(world.first, everything))).toEqual(new Set(['F', 'other']))
      expect(await rowOf(world.first, 'F')).toMatchObject({ origin: { kind: 'root', was: 'branch' } })
      const F = await open(world.first, 'F')
      expect(await transcript(F)).toEqual(turnsFrom(1, 3).map(({ id }) => id))
      for (const id of ['S', 'D', 'DD']) await world.first.restore(id)
      expect(new Set(await listed(world.first, everything))).toEqual(new Set(['S', 'D', 'DD', 'F', 'other']))
    }
  })
})
waiting(
  'B095',
  'retention',
  'Prune by age keeps the whole conversation S+S2 (its last activity is 2 days), and F and D',
)
waiting('B095', 'retention', 'every removal path gives the same closure and never leaves a dangling reference')

scenario('B096', 'a deletion that removes one piece at a time', async (world) => {
  for (const [n, through] of ['root', 'second', 'third', 'tip'].entries()) {
    const S = await start(world.first, `root-${n}`)
    await appendTurns(S, 1, 1)
    for (const segment of ['second', 'third', 'tip']) sure(await rotate(S, `${segment}-${n}`))
    sure(await (await open(world.first, `second-${n}`)).branch({ from: 'A1', id: `F${n}` }))
    sure(await world.first.delete([`${through}-${n}`]))
    await world.clause('The conversation is gone in one operation, whichever id is used', async () => {
      expect((await listed(world.first, everything)).filter((id) => !id.startsWith('F'))).toEqual([])
      for (const name of ['root', 'second', 'third', 'tip'])
        expect(await (await open(world.first, `${name}-${n}`)).append(question(9))).toMatchObject({
          code: 'session-deleted',
        })
    })
    await world.clause('F stays', async () => {
      expect(await listed(world.first)).toContain(`F${n}`)
      expect(await transcript(await open(world.first, `F${n}`))).toEqual(['U1', 'A1'])
    })
  }
})

waiting('B097', 'purge', 'deleted sessions that leave messages, index entries and blobs behind')

scenario('B099', 'a cleared conversation that comes back', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 4)
  sure(await rotate(S, 'S2', { keep: 2 }))
  await appendTurns(S, 5, 6)
  sure(await (await open(world.first, 'S2')).rewind({ to: 'start' }))
  const again = await open(await world.restart(), 'S')
  const cleared = [await transcript(again), await context(again)]
  sure(await again.append({ id: 'U', role: 'user', text: 'Anew.' }))
  await world.clause('Empty transcript and context, then only U', async () => {
    expect(cleared).toEqual([[], []])
    expect(await transcript(again)).toEqual(['U'])
    expect(await context(again)).toEqual(['U'])
    expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 1, preview: 'Anew.' })
  })
  await world.clause('the pre-clear text is not re-stitched from the earlier segment', async () => {
    // A host that still has the old list saves it, and another process opens the session by its first segment.
    sure(await again.append([...turnsFrom(1, 6), { id: 'U', role: 'user', text: 'Anew.' }]))
    const other = await open(await world.engine(), 'S')
    expect(await transcript(other)).toEqual(['U'])
    expect(await context(other)).toEqual(['U'])
    expect(JSON.stringify((await transcriptOf(other)).entries)).not.toContain('Question')
  })
})

scenario('B101', 'clean-up that goes by the first characters of an id', async (world) => {
  const prefix = '0199f3a2-7c41-7b5e-9a0d-'
  for (const id of [`${prefix}1`, `${prefix}2`, prefix]) sure(await (await start(world.first, id)).append(turn(1)))
  await world.clause('Only X goes', async () => {
    expect(sure(await world.first.delete([`${prefix}1`])).deletes).toEqual([`${prefix}1`])
    expect(new Set(await listed(world.first, everything))).toEqual(new Set([`${prefix}2`, prefix]))
  })
  await world.clause('all comparisons use full ids', async () => {
    expect(await world.first.delete([prefix.slice(0, 8)])).toMatchObject({ ok: false, code: 'session-not-found' })
    expect(sure(await world.first.delete([prefix])).deletes).toEqual([prefix])
    expect(await listed(world.first, everything)).toEqual([`${prefix}2`])
  })
})
waiting('B101', 'retention', 'Only X goes')

scenario('B102', 'each resume costs a session', async (world) => {
  for (const [id, text] of [
    ['A', 'first note'],
    ['B', 'second note'],
  ] as const)
    sure(await (await start(world.first, id)).append({ id: 'm', role: 'user', text }))
  await start(world.first, 'empty')
  const before = (await world.first.store.logHead()).position
  for (let time = 0; time < 3; time += 1) {
    const engine = await world.restart()
    const [latest] = await listed(engine)
    const session = await open(engine, latest ?? '')
    await transcriptOf(session)
    await session.context()
  }
  await world.clause('A and B both present with their messages', async () => {
    for (const [id, preview] of [
      ['A', 'first note'],
      ['B', 'second note'],
    ] as const) {
      expect(await rowOf(world.first, id)).toMatchObject({ preview, messages: 1 })
      expect(await transcript(await open(world.first, id))).toEqual(['m'])
    }
  })
  await world.clause('resuming writes no second record', async () => {
    expect((await world.first.store.logHead()).position).toBe(before)
  })
  await world.clause('an empty or unreadable record never justifies deleting its siblings', async () => {
    expect(new Set(await listed(world.first))).toEqual(new Set(['A', 'B', 'empty']))
    expect(sure(await world.first.delete(['empty'])).deletes).toEqual(['empty'])
    expect(new Set(await listed(world.first))).toEqual(new Set(['A', 'B']))
  })
})
waiting('B102', 'retention', 'an empty or unreadable record never justifies deleting its siblings')

scenario('B103', 'an old task that opening removes, because it cannot be read', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 5)
  expect(await listed(world.first)).toEqual(['S'])
  const whole = await stored(S)
  const repair = await damageLast(world, 'S')
  await world.clause(
    'Opening never deletes: a typed read error (or a partial view up to the damage) and S stays listed',
    async () => {
      for (let time = 0; time < 2; time += 1) {
        const engine = await world.restart()
        const opening = open(engine, 'S').then((session) => session.transcript())
        await expect(opening).rejects.toMatchObject({ code: 'store-damaged' })
        expect(await listed(engine)).toEqual(['S'])
      }
      await repair()
      const engine = await world.restart()
      expect(await stored(await open(engine, 'S'))).toEqual(whole)
      expect(await transcript(await open(engine, 'S'))).toEqual(turnsFrom(1, 5).map(({ id }) => id))
    },
  )
})

scenario('B113', 'a session whose folder has vanished', async (world) => {
  await start(world.first, 'S', { workspace: `${world.folder}/never-there` })
  const deleted = await world.first.delete(['S'])
  await world.clause('S is gone, or a typed error is returned', async () => {
    expect(sure(deleted).deletes).toEqual(['S'])
    expect(await listed(world.first, everything)).toEqual([])
  })
  await world.clause('deletion does not depend on cwd', async () => {
    await start(world.first, 'T', { workspace: `${world.folder}/never-there` })
    const refold = callsOn(world.file, { folder: '/' })
    expect(await refold(['delete', 'T'])).toMatchObject({ deletes: ['T'] })
    expect(await listed(world.first, everything)).toEqual([])
  })
})
