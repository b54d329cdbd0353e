import { fc, test } from '@fast-check/vitest'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Engine, Outcome } from '@refold/engine'
import { isKnown } from '@refold/events'
import { sure } from '../support/facade-world.ts'
import { on } from './commands/appending.ts'
import { compareWorld } from './compare.ts'
import { append, type Said } from './model/rules/append.ts'
import { branch } from './model/rules/branch.ts'
import { rename } from './model/rules/rename.ts'
import { rewind } from './model/rules/rewind.ts'
import { rotate } from './model/rules/rotate.ts'
import type { Verdict, World } from './model/world.ts'
import { scheduled } from './scheduled-store.ts'
import type { Stage, StoreKind } from './stage.ts'
import { lead } from './worlds.ts'

const SEED = 20_261_201

/** What one caller does next, in one of two sessions. */
const step = fc.record({
  session: fc.constantFrom('s0', 's0', 's1'),
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('says', 'rotates') },
    { weight: 5, arbitrary: fc.constantFrom('says the shared', 'says it otherwise', 'renames', 'branches', 'rewinds') },
  ),
  which: fc.nat(1),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const callers = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 })

/** Codes that callers were refused with: without a meeting of callers this would test nothing. */
const refusals = new Set<string>()

/** A command that was made, and how the model makes it. */
interface Made {
  readonly key: string
  readonly does: Step['does']
  readonly outcome: Outcome
  readonly foretold: (world: World) => Verdict<never>
}

const ALLOWED: Readonly<Record<Step['does'], readonly string[]>> = {
  says: [],
  'says the shared': ['message-conflict'],
  'says it otherwise': ['message-conflict'],
  renames: ['title-taken'],
  rotates: ['already-rotated'],
  branches: [],
  rewinds: [],
}

const said = (id: string, text: string): Said => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text }],
  shownTo: 'both',
  partial: null,
  platformId: null,
  at: null,
})

async function make(engine: Engine, { session, does, which }: Step, key: string): Promise<Made> {
  const made = (outcome: Outcome, foretold: (world: World) => object): Made => ({
    key,
    does,
    outcome,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each verdict takes the answer of the command beside it
    foretold: foretold as (world: World) => Verdict<never>,
  })
  switch (does) {
    case 'says':
    case 'says the shared':
    case 'says it otherwise': {
      const message = does === 'says' ? said(key, `by ${key}`) : said(`shared ${which}`, does)
      const { id, role, parts } = message
      const outcome = await on(engine, session, (handle) => handle.append({ id: id ?? '', role, parts }, { key }))
      const wish = { messages: [message], turn: null, reopen: false, route: null }
      return made(outcome, (world) => append(world, world.namespaces[0], session, wish))
    }
    case 'renames': {
      const title = `Title ${which}`
      const outcome = await on(engine, session, (handle) => handle.rename(title, { key }))
      return made(outcome, (world) => rename(world.namespaces[0], session, { title, by: 'person' }))
    }
    case 'rotates': {
      const { handle } = sure(await engine.session(session))
      const from = sure(await handle.lineage()).segments.at(-1) ?? session
      const outcome = await handle.rotate({ from, segment: `segment ${key}`, key })
      const wish = { from, segment: `segment ${key}`, pending: [], turn: null }
      return made(outcome, (world) => rotate(world, world.namespaces[0], session, wish))
    }
    case 'branches': {
      const id = `branch ${key}`
      const outcome = await on(engine, session, (handle) => handle.branch({ from: 'first', id, key }))
      const wish = { from: 'first', id, title: null }
      return made(outcome, (world) => branch(world, world.namespaces[0], session, wish))
    }
    case 'rewinds': {
      const outcome = await on(engine, session, (handle) => handle.rewind({ to: 'first', key }))
      return made(outcome, (world) => rewind(world, world.namespaces[0], session, { to: 'first', isStale: false }))
    }
    default:
      return does satisfies never
  }
}

/** Keys in the order in which the log took their commands, and how often each message was written. */
async function readLog(stage: Stage): Promise<{ readonly keys: readonly string[]; readonly ids: readonly string[] }> {
  const events = await stage.store.readAll({ limit: 10_000 })
  const keys = new Set(events.flatMap(({ causationId }) => causationId ?? []))
  const ids = events.flatMap((one) =>
    isKnown(one) && one.type === 'MessageAppended' ? [`${one.stream}: ${one.data.id}`] : [],
  )
  return { keys: [...keys], ids }
}

/** The model takes the commands one after another, as the log did: it allows each, answers the same, and ends the same. */
async function mustAllow(world: World, stage: Stage, made: readonly Made[]): Promise<void> {
  for (const { does, outcome } of made) {
    if (outcome.ok) continue
    expect(ALLOWED[does]).toContain(outcome.code)
    refusals.add(outcome.code)
  }
  const { keys, ids } = await readLog(stage)
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted())
  const acknowledged = made.filter(({ outcome }) => outcome.ok && outcome.events.length > 0)
  expect(acknowledged.map(({ key }) => key).toSorted()).toEqual(keys.filter((key) => key !== 'setup').toSorted())
  for (const key of keys) {
    const one = acknowledged.find((other) => other.key === key)
    if (!one) continue
    world.step += 1
    const verdict = one.foretold(world)
    if (verdict.code !== 'ok')
      throw new Error(`${one.does} under ${key} was taken where the model says ${verdict.code}.`)
    for (const [field, value] of Object.entries(verdict.answer ?? {}))
      if (!isDeepStrictEqual(Reflect.get(one.outcome, field), value))
        throw new Error(
          `${one.does} under ${key}: ${field} of ${JSON.stringify(one.outcome)} is not ${JSON.stringify(value)}`,
        )
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of the command that the verdict is about
    verdict.apply(one.outcome as never)
  }
  await compareWorld(world, stage)
}

async function overlap(kind: StoreKind, scheduler: fc.Scheduler, work: readonly (readonly Step[])[]): Promise<void> {
  let isOn = false
  const { world, stage } = await lead(kind, [], (store) => scheduled(store, scheduler, () => isOn))
  try {
    for (const session of ['s0', 's1']) {
      const outcome = await on(stage.engine(0, 0), session, (handle) =>
        handle.append({ id: 'first', role: 'assistant', text: 'first' }, { key: 'setup' }),
      )
      world.step += 1
      const wish = { messages: [said('first', 'first')], turn: null, reopen: false, route: null }
      const verdict = append(world, world.namespaces[0], session, wish)
      if (verdict.code === 'ok' && outcome.ok) verdict.apply(outcome)
    }
    isOn = true
    const made: Made[] = []
    const all = work.map(async (steps, caller) => {
      for (const [index, one] of steps.entries()) {
        await scheduler.schedule(Promise.resolve(), `caller ${caller} goes on`)
        made.push(await make(stage.engine(0, caller), one, `${caller}.${index}`))
      }
    })
    await scheduler.waitFor(Promise.all(all))
    isOn = false
    await mustAllow(world, stage, made)
  } finally {
    isOn = false
    await stage.close()
  }
}

test.prop([fc.scheduler(), callers], { seed: SEED, numRuns: 60 })(
  `callers that overlap in any way leave what they would have left one after another, in memory (seed ${SEED})`,
  (scheduler, work) => overlap('memory', scheduler, work),
)

test.prop([fc.scheduler(), callers], { seed: SEED, numRuns: 15 })(
  `callers that overlap in any way leave what they would have left one after another, in sqlite (seed ${SEED})`,
  (scheduler, work) => overlap('sqlite', scheduler, work),
)

test('they did meet: each of the refusals that only a meeting brings was given', () => {
  expect([...refusals].toSorted()).toEqual(['already-rotated', 'message-conflict', 'title-taken'])
})
