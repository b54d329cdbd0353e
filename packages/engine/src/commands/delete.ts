import type { Deleted } from '@refold/events'
import { release } from '../claims.ts'
import { derivedId, streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { firstEvents } from '../deciding/session-command.ts'
import { heldTurn } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { CommandOptions } from './command-options.ts'
import { deletionClosure } from './deletion-closure.ts'

export interface DeletionPlan {
  readonly seeds: readonly string[]
  /** The seeds and the delegates that go along, in a fixed order. */
  readonly deletes: readonly string[]
  readonly keeps: readonly { readonly session: string; readonly because: string }[]
}

export interface DeleteAnswer extends DeletionPlan {
  /** Null when nothing was selected. */
  readonly deletionId: string | null
}

export interface DeleteInput extends CommandOptions {
  /** Why; written down with the deletion, which holds nothing else in words. */
  readonly reason?: string
}

export interface Deletion extends Pick<DeleteInput, 'reason'> {
  /** Ids of sessions, each once. */
  readonly seeds: readonly string[]
  /** Delegates by the session that they work for, as the views know them. */
  readonly children: ReadonlyMap<string, readonly string[]>
}

export interface DeletionAnswer {
  readonly deletionId: string | null
  /** All sessions that this deletion took. */
  readonly deletes: readonly string[]
}

/** Hides sessions and their delegates in one append: all, or none while one of them is at work. */
export function* deleteSessions(desk: Desk, { seeds, children, reason }: Deletion): Deciding<DeletionAnswer> {
  const [named] = seeds
  if (named === undefined) return emptyPlan(desk)
  const stream = streamOf(desk, named)
  const before = yield* firstDeletion(desk, seeds)
  if (before) {
    if (!before.ok) return before
    const told = { revision: before.revision, events: ['Deleted'] }
    return { ok: true, session: named, stream, revision: told.revision, appends: [], answer: before, first: told }
  }
  const doomed = yield* deletionClosure(desk, seeds, children)
  const living = doomed.filter(({ state }) => !state.deleted)
  const deletionId = derivedId(desk, 'deletion')
  const appends: StreamPlan[] = []
  for (const { session, stream, state, seed } of living) {
    if (state.session === null) return refuse('session-not-found', { name: session })
    const refusal = yield* checkRights(desk, session, 'delete')
    if (refusal) return refusal
    const turn = heldTurn(state, desk.now)
    if (turn) return refuse('has-live-turn', { session, turn: turn.id, leaseUntil: turn.leaseUntil })
    const along = living.filter((other) => other.seed === session && other.session !== session)
    const event: Deleted = {
      type: 'Deleted',
      data: {
        deletionId,
        seed,
        along: along.map((other) => other.session),
        ...(reason === undefined ? {} : { reason }),
      },
    }
    appends.push({ stream, expected: state.revision, events: [{ event }] })
    if (state.title) appends.push(...(yield* release(desk, 'title', state.title.text, session, 'deleted')))
    for (const route of state.routes.keys()) appends.push(...(yield* release(desk, 'route', route, session, 'deleted')))
  }
  const { revision } = yield* read.session(stream)
  const deletes = seedsFirst(living.map(({ session, seed }) => [session, seed]))
  const answer = { deletionId: deletes.length > 0 ? deletionId : null, deletes }
  return { ok: true, session: named, stream, revision, appends, answer }
}

/** What this very command deleted before; undefined when it is new. */
function* firstDeletion(
  desk: Desk,
  seeds: readonly string[],
): Reading<(DeletionAnswer & { readonly ok: true; readonly revision: number }) | Refusal | undefined> {
  const taken: (readonly [session: string, seed: string])[] = []
  let found: { readonly deletionId: string; readonly revision: number } | undefined
  for (const seed of seeds) {
    const [first] = yield* firstEvents(desk, streamOf(desk, seed))
    if (!first) continue
    if (first.type !== 'Deleted') return refuse('key-reused', { session: seed, key: desk.key, found: first.type })
    found ??= { deletionId: first.data.deletionId, revision: first.revision }
    for (const session of [seed, ...first.data.along]) taken.push([session, seed])
  }
  return found && { ok: true, ...found, deletes: seedsFirst(taken) }
}

/** The order in which every answer lists what a deletion took: the seeds, then what goes along with each. */
function seedsFirst(taken: readonly (readonly [session: string, seed: string])[]): readonly string[] {
  const seeds = taken.filter(([session, seed]) => session === seed).map(([session]) => session)
  const along = [...new Set(taken.map(([, seed]) => seed))].flatMap((of) =>
    taken.filter(([session, seed]) => seed === of && session !== of).map(([session]) => session),
  )
  return [...seeds, ...along]
}

const emptyPlan = ({ namespace }: Desk) =>
  ({
    ok: true,
    session: '',
    stream: namespace,
    revision: -1,
    appends: [],
    answer: { deletionId: null, deletes: [] },
  }) as const
