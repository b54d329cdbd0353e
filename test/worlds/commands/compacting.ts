import * as fc from 'fast-check'
import type { CompactAnswer, ContextView, Outcome, Refusal } from '@refold/engine'
import { context } from '../model/context.ts'
import { isUnfinished } from '../model/entry.ts'
import { compact, undoCompaction, type CompactWish, type Reading, type SentMessage } from '../model/rules/compact.ts'
import type { Session } from '../model/session.ts'
import { refused } from '../model/world.ts'
import { choice, commands, someSession } from '../where.ts'
import { carryOut, newest, pick, type Place, type WorldCommand } from '../world-command.ts'
import { on } from './appending.ts'

async function readNow({ stage, index, world, writer }: Place, session: Session): Promise<Reading | undefined> {
  const found = await stage.engine(index, writer).session(session.id)
  if (!found.ok) return undefined
  const view = await found.handle.context()
  if (!('messages' in view)) return undefined
  return {
    session: session.id,
    ids: context(session).sent.flatMap(({ entry }) => (entry ? [entry.id] : [])),
    shownIds: idsOf(view),
    digest: view.digest,
    revision: view.revision,
    step: world.step,
    contextChanges: session.contextChanges,
  }
}

const idsOf = ({ messages }: ContextView): readonly string[] =>
  messages.filter(({ standsFor, repair }) => standsFor === 'message' && !repair).map(({ id }) => id)

/** Somebody reads a context; whatever happens meanwhile, they may compact what they read. */
const reads = commands('read context', fc.record({ session: choice }), async (chosen, place) => {
  const session = someSession(place.namespace, chosen.session)
  const reading = session && (await readNow(place, session))
  if (!reading) return 'refused'
  place.stage.readings.push({ namespace: place.index, reading })
  return 'ok'
})

interface Compacting {
  /** Null: reads first. Else one of the readings that were made. */
  readonly reading: number | null
  readonly session: number
  readonly honesty: 'digest' | 'ids' | 'one left out' | 'one made up' | 'wrong digest' | 'late base'
  /** Bits: which of the messages read are to stay. */
  readonly keep: number
  readonly carries: boolean
  readonly role: 'user' | 'assistant' | 'system'
}

const compacting: fc.Arbitrary<Compacting> = fc.record({
  reading: fc.option(choice, { freq: 2 }),
  session: choice,
  honesty: fc.oneof(
    { weight: 6, arbitrary: fc.constant('digest' as const) },
    { weight: 2, arbitrary: fc.constant('ids' as const) },
    { weight: 2, arbitrary: fc.constantFrom('one left out' as const, 'one made up' as const, 'wrong digest' as const) },
    { weight: 1, arbitrary: fc.constant('late base' as const) },
  ),
  keep: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(15) }),
  carries: fc.boolean(),
  role: fc.constantFrom('user', 'assistant', 'system'),
})

const compactions = commands('compact', compacting, async (chosen, place) => {
  const { stage, namespace, index, world } = place
  const own = stage.readings.filter((one) => one.namespace === index).map(({ reading }) => reading)
  const fresh = someSession(namespace, chosen.session)
  const reading =
    (chosen.reading === null ? undefined : pick(newest(own), chosen.reading)) ??
    (fresh && (await readNow(place, fresh)))
  if (!reading) return 'no reading'
  const wish = wishOf(chosen, reading, world.step)
  const verdict = compact(world, namespace, reading.session, wish)
  return carryOutCompaction(place, chosen, wish, verdict)
})

function wishOf(chosen: Compacting, reading: Reading, step: number): CompactWish {
  const { honesty, carries, role } = chosen
  const keep = reading.ids.filter((_, place) => ((chosen.keep >> (place % 4)) & 1) === 1)
  const carrier = carries ? (keep.at(-1) ?? null) : null
  const summary = `S${step}`
  const held = {
    digest: null,
    'wrong digest': [],
    'late base': null,
    // Who holds exactly what was sent holds the context, whatever repair left out of it.
    ids: null,
    'one left out': reading.shownIds.slice(1),
    'one made up': [...reading.shownIds, 'made up'],
  }[honesty]
  const forms = carrier === null ? [] : [{ message: carrier, parts: [{ type: 'text', text: summary }] as const }]
  return { reading, held, keep, summary, role, carrier, forms, isLateBase: honesty === 'late base' }
}

async function carryOutCompaction(
  place: Place,
  { honesty }: Compacting,
  wish: CompactWish,
  verdict: ReturnType<typeof compact>,
): Promise<string> {
  const { stage, index } = place
  const { reading, keep, summary, role, carrier, forms, held } = wish
  const found = await stage.engine(index, 0).session(reading.session)
  const before = found.ok ? await found.handle.context() : undefined
  const base = wish.isLateBase && found.ok ? found.handle.readUpTo : reading.revision
  const claimed =
    honesty === 'wrong digest' ? 'no such digest' : honesty === 'ids' ? reading.shownIds : (held ?? reading.digest)
  let outcome: Outcome<CompactAnswer> | undefined
  const act = async (engine: Parameters<Parameters<typeof carryOut>[4]>[0], key: string) => {
    outcome = await on(engine, reading.session, (handle) =>
      handle.compact({
        base,
        watermark: reading.revision,
        held: claimed,
        keep,
        summary,
        summaryRole: role,
        wireForms: forms,
        ...(carrier === null ? {} : { carrier }),
        key,
      }),
    )
    if (!outcome.ok && outcome.code === 'not-smaller' && outcome.bytesAfter < outcome.bytesBefore)
      throw new Error(`Refused as no smaller, from ${outcome.bytesBefore} to ${outcome.bytesAfter} bytes.`)
    return outcome
  }
  const foretold = verdict.code === 'ok' && honesty === 'wrong digest' ? refused('not-held') : verdict
  const code = await carryOut(place, 'compact', reading.session, foretold, act, ['not-smaller'])
  if (code === 'ok' && outcome?.ok && verdict.code === 'ok') {
    keepsWhatItMust(outcome.kept, keep, verdict, callsIn(before))
    const now = await stage.engine(index, 0).session(reading.session)
    const after = now.ok ? await now.handle.context() : undefined
    if (before && 'bytes' in before && after && 'bytes' in after && after.bytes >= before.bytes)
      throw new Error(`The context grew by its compaction, from ${before.bytes} to ${after.bytes} bytes.`)
  }
  return code
}

const isPersons = ({ entry }: SentMessage): boolean => entry.provenance === 'person'
const isAnswer = ({ role, parts }: SentMessage): boolean =>
  role === 'assistant' && parts.some(({ type }) => type === 'text') && !parts.some(({ type }) => type === 'tool-call')

/** Ids of the calls that each message makes or answers, as it is sent: a result that came too late is only words. */
function callsIn(view: ContextView | Refusal | undefined): ReadonlyMap<string, readonly string[]> {
  if (!view || !('messages' in view)) return new Map()
  return new Map(
    view.messages
      .filter(({ repair, standsFor }) => !repair && standsFor === 'message')
      .map(({ id, parts }) => [
        id,
        parts.flatMap((part) => {
          if (part.type === 'tool-call') return [part.id]
          return part.type === 'tool-result' ? [part.toolCallId] : []
        }),
      ]),
  )
}

/** What no summary may swallow: what was asked for, half of a pair, an open question, a growing answer. */
function keepsWhatItMust(
  kept: readonly string[],
  keep: readonly string[],
  { covered, later }: { readonly covered: readonly SentMessage[]; readonly later: readonly SentMessage[] },
  calls: ReadonlyMap<string, readonly string[]>,
): void {
  const live = [...covered.filter(({ id }) => kept.includes(id)), ...later]
  const must = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`A compaction that keeps ${JSON.stringify(kept)} ${what}.`)
  }
  const order = covered.map(({ id }) => id)
  must(
    kept.every((id) => order.includes(id)) && kept.join() === order.filter((id) => kept.includes(id)).join(),
    'has no order',
  )
  // A result that came twice is not sent, and what is not sent cannot be kept.
  must(
    keep.filter((id) => order.includes(id) && calls.has(id)).every((id) => kept.includes(id)),
    'lacks what was to be kept',
  )
  if (covered.some(isPersons)) must(live.some(isPersons), 'leaves no question of a person')
  const halves = ({ id }: SentMessage): readonly string[] => calls.get(id) ?? []
  const open = new Set(live.flatMap(halves))
  for (const one of covered)
    if (!kept.includes(one.id)) {
      must(!halves(one).some((call) => open.has(call)), `parts ${one.id} from its other half`)
      must(!isUnfinished(one.entry), `swallows the unfinished ${one.id}`)
    }
  const all = [...covered, ...later]
  const asked = all.slice(all.findLastIndex(isAnswer) + 1).filter((one) => isPersons(one) && covered.includes(one))
  for (const { id } of asked) must(kept.includes(id), `swallows the unanswered ${id}`)
}

const undoings = commands(
  'undo compaction',
  fc.record({ session: choice, which: fc.option(choice, { freq: 2 }) }),
  async (chosen, place) => {
    const { namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const compaction = chosen.which === null ? null : (pick(newest(session.summaries), chosen.which)?.id ?? 'none')
    const verdict = undoCompaction(namespace, session.id, { compaction })
    return carryOut(place, 'undo compaction', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.undoCompaction(compaction ?? undefined, { key })),
    )
  },
)

const failures = commands('compaction failed', fc.record({ session: choice }), async (chosen, place) => {
  const session = someSession(place.namespace, chosen.session)
  if (!session) return 'no session'
  const living = session.deleted ? refused('session-deleted') : { code: 'ok' as const, apply: () => undefined }
  return carryOut(place, 'compaction failed', session.id, living, (engine, key) =>
    on(engine, session.id, (handle) => handle.compactionFailed('no summary came', { key })),
  )
})

export const compactingCommands: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 3, arbitrary: reads },
  { weight: 8, arbitrary: compactions },
  { weight: 1, arbitrary: undoings },
  { weight: 1, arbitrary: failures },
)
