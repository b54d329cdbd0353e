import * as fc from 'fast-check'
import type { SettingInput } from '@refold/engine'
import { report, spawn } from '../model/rules/delegates.ts'
import { bindRoute, releaseRoute } from '../model/rules/routes.ts'
import { archive, set, unarchive, type Flag } from '../model/rules/settings.ts'
import { endTurn, renewTurn, startTurn } from '../model/rules/turns.ts'
import { recordUsage } from '../model/rules/usage.ts'
import { choice, commands, newId, someSession } from '../where.ts'
import { carryOut, newest, pick, type WorldCommand } from '../world-command.ts'
import { on } from './appending.ts'

const spawns = commands('spawn', fc.record({ session: choice, id: choice }), async (chosen, place) => {
  const { world, namespace } = place
  const parent = someSession(namespace, chosen.session)
  if (!parent) return 'no session'
  const id = newId(namespace, 'd', chosen.id)
  return carryOut(place, 'spawn', id, spawn(world, namespace, parent.id, id), (engine, key) =>
    on(engine, parent.id, (handle) => handle.spawn({ id, task: 'look into it', key })),
  )
})

const reports = commands(
  'report',
  fc.record({ session: choice, delegate: choice, run: fc.constantFrom('1', '1', '2'), stays: fc.boolean() }),
  async (chosen, place) => {
    const { world, namespace } = place
    const employers = [...namespace.sessions.values()].filter(({ delegates }) => delegates.size > 0)
    const parent = chosen.session % 5 === 4 ? someSession(namespace, chosen.session) : pick(employers, chosen.session)
    if (!parent) return 'no session'
    const delegate = pick([...parent.delegates.keys()], chosen.delegate) ?? parent.id
    const told = { delegate, run: chosen.run, stays: chosen.stays, message: `found by ${world.step}` }
    const verdict = report(world, namespace, parent.id, told, world.runs)
    return carryOut(place, 'report', parent.id, verdict, (engine, key) =>
      on(engine, parent.id, (handle) => handle.report({ ...told, outcome: 'done', key })),
    )
  },
)

const turnStarts = commands(
  'start turn',
  fc.record({ session: choice, turn: choice, leaseMs: fc.constantFrom(60_000, 1_000) }),
  async (chosen, place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const turn = chosen.turn % 6 === 5 ? (pick([...session.turns.keys()], chosen.turn) ?? 't') : `t${world.step}`
    const input = { turn, holder: 'somebody', leaseMs: chosen.leaseMs }
    return carryOut(place, 'start turn', session.id, startTurn(world, namespace, session.id, input), (engine, key) =>
      on(engine, session.id, (handle) => handle.startTurn({ ...input, key })),
    )
  },
)

const turnEnds = commands(
  'end turn',
  fc.record({ session: choice, turn: choice, outcome: fc.constantFrom('done', 'failed', 'cancelled') }),
  async (chosen, place) => {
    const { namespace } = place
    const atWork = [...namespace.sessions.values()].filter(({ turns }) => turns.size > 0)
    const session = pick(atWork, chosen.session) ?? someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const turn = pick(newest(session.turns.keys()), chosen.turn % 4 === 3 ? chosen.turn : 0) ?? 'none'
    const input = { turn, outcome: chosen.outcome }
    return carryOut(place, 'end turn', session.id, endTurn(namespace, session.id, input), (engine, key) =>
      on(engine, session.id, (handle) => handle.endTurn(turn, { outcome: chosen.outcome, key })),
    )
  },
)

const renewals = commands('renew turn', fc.record({ session: choice, turn: choice }), async (chosen, place) => {
  const { world, namespace } = place
  const atWork = [...namespace.sessions.values()].filter(({ turns }) => turns.size > 0)
  const session = pick(atWork, chosen.session) ?? someSession(namespace, chosen.session)
  if (!session) return 'no session'
  const turn = pick(newest(session.turns.keys()), chosen.turn % 4 === 3 ? chosen.turn : 0) ?? 'none'
  return carryOut(place, 'renew turn', session.id, renewTurn(world, namespace, session.id, turn), (engine, key) =>
    on(engine, session.id, (handle) => handle.renewTurn(turn, { key })),
  )
})

const binds = commands(
  'bind route',
  fc.record({ session: choice, route: fc.nat(1), takeOver: fc.constantFrom('no', 'right', 'wrong') }),
  async (chosen, place) => {
    const { namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const route = `chat ${chosen.route}`
    const generation = namespace.routes.get(route)?.generation ?? 0
    const takeOver = { no: null, right: generation, wrong: generation + 5 }[chosen.takeOver]
    const verdict = bindRoute(namespace, session.id, { route, takeOver })
    const input = { route, ...(takeOver === null ? {} : { takeOver }) }
    return carryOut(place, 'bind route', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.bindRoute({ ...input, key })),
    )
  },
)

const releases = commands('release route', fc.record({ session: choice, route: fc.nat(1) }), async (chosen, place) => {
  const { namespace } = place
  const route = `chat ${chosen.route}`
  const holder = namespace.sessions.get(namespace.routes.get(route)?.holder ?? '')
  const session = holder && chosen.session % 3 > 0 ? holder : someSession(namespace, chosen.session)
  if (!session) return 'no session'
  return carryOut(place, 'release route', session.id, releaseRoute(namespace, session.id, route), (engine, key) =>
    on(engine, session.id, (handle) => handle.releaseRoute(route, { key })),
  )
})

const flag: fc.Arbitrary<Flag & SettingInput> = fc.oneof(
  fc.record({ key: fc.constantFrom('pinned' as const, 'hidden' as const), value: fc.boolean() }),
  fc.record({ key: fc.constant('tag' as const), tag: fc.constantFrom('red', '🧪'), present: fc.boolean() }),
  fc.record({ key: fc.constant('model' as const), value: fc.constantFrom('gpt', 'opus') }),
  fc.record({ key: fc.constant('system-prompt' as const), value: fc.constantFrom('Be brief.', '简短。') }),
)

const sets = commands('set', fc.record({ session: choice, flag }), async (chosen, place) => {
  const { world, namespace } = place
  const session = someSession(namespace, chosen.session)
  if (!session) return 'no session'
  return carryOut(place, 'set', session.id, set(world, namespace, session.id, chosen.flag), (engine, key) =>
    on(engine, session.id, (handle) => handle.set(chosen.flag, { key })),
  )
})

const archives = commands(
  'archive',
  fc.record({ session: choice, by: fc.constantFrom('person', 'idle', 'back') }),
  async (chosen, place) => {
    const { namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const { by } = chosen
    const verdict = by === 'back' ? unarchive(namespace, session.id) : archive(namespace, session.id, by)
    return carryOut(place, by === 'back' ? 'unarchive' : 'archive', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => (by === 'back' ? handle.unarchive({ key }) : handle.archive({ by, key }))),
    )
  },
)

const usages = commands(
  'record usage',
  fc.record({ session: choice, key: fc.nat(20), input: fc.nat(9), task: fc.option(fc.constant('title'), { freq: 1 }) }),
  async (chosen, place) => {
    const { namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const { input, task } = chosen
    const usage = { input, output: input * 2, costUsd: input / 4, task }
    const verdict = recordUsage(namespace, session.id, `u${chosen.key}`, usage)
    const tokens = { input, output: input * 2 }
    return carryOut(place, 'record usage', session.id, verdict, (engine) =>
      on(engine, session.id, (handle) =>
        handle.recordUsage({ key: `u${chosen.key}`, tokens, costUsd: input / 4, ...(task === null ? {} : { task }) }),
      ),
    )
  },
)

export const workCommands: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 3, arbitrary: spawns },
  { weight: 2, arbitrary: reports },
  { weight: 3, arbitrary: turnStarts },
  { weight: 3, arbitrary: turnEnds },
  { weight: 1, arbitrary: renewals },
  { weight: 2, arbitrary: binds },
  { weight: 1, arbitrary: releases },
  { weight: 3, arbitrary: sets },
  { weight: 2, arbitrary: archives },
  { weight: 2, arbitrary: usages },
)
