import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { compareWorld } from '../compare.ts'
import { choice, commands } from '../where.ts'
import { newest, pick, type WorldCommand } from '../world-command.ts'

const waits = commands('wait', fc.record({ ms: fc.constantFrom(1, 1_000, 200_000) }), async ({ ms }, { stage }) => {
  stage.source.advance(ms)
  return 'ok'
})

const crashes = commands(
  'crash at the next commit',
  fc.record({ when: fc.constantFrom('before', 'after') }),
  async ({ when }, { stage }) => {
    stage.store.crashNext(when)
    return when
  },
)

const reopenings = commands('open anew', fc.record({ withoutViews: fc.boolean() }), async (how, { world, stage }) => {
  await stage.reopen(how)
  await compareWorld(world, stage)
  return how.withoutViews ? 'without views' : 'ok'
})

/** Fields that say when it was asked, not what was done. */
const PASSING: ReadonlySet<string> = new Set(['unread', 'keeps', 'handle', 'repeated', 'durability'])

const lasting = (outcome: object): object =>
  Object.fromEntries(Object.entries(outcome).filter(([field]) => !PASSING.has(field)))

/** A call whose answer was lost is made again, by another engine: nothing is written, and the answer is the first one. */
const retries = commands('make a call again', fc.record({ call: choice }), async ({ call: which }, place) => {
  const { stage, writer } = place
  const wrote = stage.calls.filter(
    ({ outcome, name }) => outcome.ok && outcome.events.length > 0 && !outcome.repeated && name !== '',
  )
  const call = pick(newest(wrote), which)
  if (!call) return 'no call'
  const { position } = await stage.store.logHead()
  const again = await stage.again(call, writer)
  const told = `${call.name} under ${call.key}, made again`
  if ((await stage.store.logHead()).position !== position) throw new Error(`${told}, wrote something.`)
  if (!again.ok) throw new Error(`${told}, was refused: ${again.message}`)
  if (!isDeepStrictEqual(lasting(again), lasting(call.outcome)))
    throw new Error(`${told}: ${JSON.stringify(lasting(again))} after ${JSON.stringify(lasting(call.outcome))}`)
  return 'ok'
})

export const survival: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 4, arbitrary: waits },
  { weight: 2, arbitrary: crashes },
  { weight: 1, arbitrary: reopenings },
  { weight: 4, arbitrary: retries },
)
