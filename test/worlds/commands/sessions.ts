import * as fc from 'fast-check'
import { branch } from '../model/rules/branch.ts'
import { deletes, restore } from '../model/rules/delete.ts'
import { end, reopen } from '../model/rules/end.ts'
import { rename } from '../model/rules/rename.ts'
import { rotate } from '../model/rules/rotate.ts'
import { start } from '../model/rules/start.ts'
import { choice, commands, nameOf, newId, someSession } from '../where.ts'
import { carryOut, pick, type WorldCommand } from '../world-command.ts'
import { inputOf, on, saying, sayingsIn, someMessage } from './appending.ts'

const title = fc.constantFrom(
  'Plan',
  'Plan #2',
  'Other',
  'e\u0301tude',
  'étude',
  '计划 🧪',
  ` spread \t\u200B out `,
  'x'.repeat(99),
  'y'.repeat(101),
  '\u200B',
)
/** Titles that nothing is wrong with; sessions may start with them. */
const goodTitle = fc.constantFrom('Plan', 'Plan #2', 'Other', 'étude')

const starts = commands(
  'start',
  fc.record({
    id: choice,
    title: fc.option(goodTitle, { freq: 2 }),
    resetOf: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: choice }),
  }),
  async (chosen, place) => {
    const { world, namespace } = place
    const id = newId(namespace, 's', chosen.id)
    const resetOf = chosen.resetOf === null ? null : (someSession(namespace, chosen.resetOf)?.id ?? null)
    const verdict = start(world, namespace, { id, title: chosen.title, resetOf })
    const input = {
      id,
      ...(chosen.title === null ? {} : { title: chosen.title }),
      ...(resetOf === null ? {} : { resetOf }),
    }
    return carryOut(place, 'start', id, verdict, (engine, key) => engine.start({ ...input, key }))
  },
)

const branches = commands(
  'branch',
  fc.record({ session: choice, from: choice, id: choice, title: fc.option(goodTitle, { freq: 1 }) }),
  async (chosen, place) => {
    const { world, namespace } = place
    const origin = someSession(namespace, chosen.session)
    if (!origin) return 'no session'
    const id = newId(namespace, 'b', chosen.id)
    const from = chosen.from === 29 ? null : someMessage(origin, chosen.from)
    const verdict = branch(world, namespace, origin.id, { from, id, title: chosen.title })
    const input = { from: from ?? 'start', id, ...(chosen.title === null ? {} : { title: chosen.title }) }
    return carryOut(place, 'branch', id, verdict, (engine, key) =>
      on(engine, origin.id, (handle) => handle.branch({ ...input, key })),
    )
  },
)

const renames = commands(
  'rename',
  fc.record({
    session: choice,
    name: choice,
    title: fc.option(title, { freq: 8 }),
    by: fc.constantFrom('person', 'model', 'derived'),
  }),
  async (chosen, place) => {
    const { namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const verdict = rename(namespace, session.id, chosen)
    return carryOut(place, 'rename', session.id, verdict, (engine, key) =>
      on(engine, nameOf(session, chosen.name), (handle) => handle.rename(chosen.title, { by: chosen.by, key })),
    )
  },
)

const rotations = commands(
  'rotate',
  fc.record({
    session: choice,
    from: choice,
    id: choice,
    pending: fc.array(saying, { maxLength: 2 }),
  }),
  async (chosen, place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    // By an old id at times, as the second of two that rotate one segment.
    const from = pick(session.segments.toReversed(), chosen.from % 3 === 0 ? 0 : chosen.from) ?? session.id
    const segment = newId(namespace, 'g', chosen.id)
    const pending = sayingsIn(world, session, chosen.pending).map((one) => ({ ...one, id: one.id ?? `p${world.step}` }))
    const verdict = rotate(world, namespace, session.id, { from, segment, pending, turn: null })
    return carryOut(place, 'rotate', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.rotate({ from, segment, pending: pending.map(inputOf), key })),
    )
  },
)

const deletions = commands(
  'delete',
  fc.record({ seeds: fc.array(choice, { minLength: 1, maxLength: 2 }) }),
  async (chosen, place) => {
    const { world, namespace } = place
    const seeds = chosen.seeds.flatMap((one) => someSession(namespace, one)?.id ?? [])
    const [first] = seeds
    if (first === undefined) return 'no session'
    const verdict = deletes(world, namespace, seeds)
    return carryOut(place, 'delete', first, verdict, (engine, key) => engine.delete(seeds, { key }))
  },
)

const restores = commands('restore', fc.record({ session: choice }), async (chosen, place) => {
  const { namespace } = place
  const gone = [...namespace.sessions.values()].filter(({ deleted }) => deleted)
  const session = chosen.session % 5 === 4 ? someSession(namespace, chosen.session) : pick(gone, chosen.session)
  if (!session) return 'no session'
  return carryOut(place, 'restore', session.id, restore(namespace, session.id), (engine, key) =>
    engine.restore(session.id, { key }),
  )
})

const ends = commands(
  'end',
  fc.record({ session: choice, class: fc.constantFrom('accident', 'deliberate', 'reset') }),
  async (chosen, place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const input = { class: chosen.class, reason: `ended by ${world.step}` }
    return carryOut(place, 'end', session.id, end(world, namespace, session.id, input), (engine, key) =>
      on(engine, session.id, (handle) => handle.end({ ...input, key })),
    )
  },
)

const reopens = commands('reopen', fc.record({ session: choice }), async (chosen, place) => {
  const { world, namespace } = place
  const session = someSession(namespace, chosen.session)
  if (!session) return 'no session'
  return carryOut(place, 'reopen', session.id, reopen(world, namespace, session.id), (engine, key) =>
    on(engine, session.id, (handle) => handle.reopen({ key })),
  )
})

export const sessionCommands: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 4, arbitrary: starts },
  { weight: 5, arbitrary: branches },
  { weight: 4, arbitrary: renames },
  { weight: 3, arbitrary: rotations },
  { weight: 2, arbitrary: deletions },
  { weight: 2, arbitrary: restores },
  { weight: 2, arbitrary: ends },
  { weight: 2, arbitrary: reopens },
)
