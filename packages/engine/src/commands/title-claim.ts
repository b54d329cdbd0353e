import type { TitleAuthor } from '@refold/events'
import { claim, release } from '../claims.ts'
import type { Desk } from '../deciding/desk.ts'
import type { StreamPlan } from '../deciding/plan.ts'
import type { Reading } from '../deciding/reading.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { describeHolder } from './describe-holder.ts'
import { cleanTitle, numberedTitle, numberIn, TITLE_LIMIT, titleLength } from './title-text.ts'

export type TitleClaim =
  | { readonly free: true; readonly title: string; readonly appends: readonly StreamPlan[] }
  | { readonly free: false; readonly holder: string }

/** Takes exactly this title for a session, or says who has it. */
export function* claimTitle(desk: Desk, title: string, session: string): Reading<TitleClaim> {
  const taken = yield* claim(desk, 'title', title, session)
  return taken.free ? { free: true, title, appends: taken.appends } : { free: false, holder: taken.holder }
}

/** Numbers that are tried one by one; beyond, a name is so common that gaps do not matter and time does. */
const TRIED_IN_TURN = 8

/**
 * Takes this title or the next free `name #N`. `taken`: titles that the same append gives away already; `held`: what the
 * session is called now. Costs a few look-ups, however many sessions want the same name: from some number on it looks for
 * one that is free behind one that is taken.
 */
export function* claimNextTitle(
  desk: Desk,
  title: string,
  session: string,
  { taken = new Set(), held }: { readonly taken?: ReadonlySet<string>; readonly held?: string } = {},
): Reading<FreeTitle> {
  const own = held === undefined ? 0 : numberIn(title, held)
  let [last, next] = [0, 1]
  let free = yield* claimNumber(desk, title, { number: next, session, taken })
  while (!free) {
    last = next
    next = last < TRIED_IN_TURN ? last + 1 : last === TRIED_IN_TURN && own > last ? own : last * 2
    free = yield* claimNumber(desk, title, { number: next, session, taken })
  }
  while (next - last > 1 && next !== own) {
    const middle = Math.floor((last + next) / 2)
    const nearer: FreeTitle | undefined = yield* claimNumber(desk, title, { number: middle, session, taken })
    if (nearer) [free, next] = [nearer, middle]
    else last = middle
  }
  return free
}

interface FreeTitle {
  readonly title: string
  readonly appends: readonly StreamPlan[]
}

function* claimNumber(
  desk: Desk,
  title: string,
  {
    number,
    session,
    taken,
  }: { readonly number: number; readonly session: string; readonly taken: ReadonlySet<string> },
): Reading<FreeTitle | undefined> {
  const wanted = number === 1 ? title : numberedTitle(title, number)
  if (taken.has(wanted.normalize('NFC'))) return undefined
  const found = yield* claimTitle(desk, wanted, session)
  return found.free ? found : undefined
}

/** Gives up a session's title for another one. Titles that differ in their Unicode form only share a claim, which stays. */
export function* releaseTitle(
  desk: Desk,
  held: string | undefined,
  next: string | null,
  session: string,
): Reading<readonly StreamPlan[]> {
  if (held === undefined || held.normalize('NFC') === next?.normalize('NFC')) return []
  return yield* release(desk, 'title', held, session, 'renamed')
}

/** A title for a session that is about to start: cleaned, and taken as `by` may. */
export function* claimNewTitle(
  desk: Desk,
  title: string,
  by: TitleAuthor,
  session: string,
): Reading<{ readonly title: string; readonly appends: readonly StreamPlan[] } | Refusal> {
  const wanted = cleanTitle(title)
  const problem = titleProblem(session, wanted)
  if (problem) return problem
  if (by !== 'person') return yield* claimNextTitle(desk, wanted, session)
  const claimed = yield* claimTitle(desk, wanted, session)
  if (!claimed.free)
    return refuse('title-taken', { session, title: wanted, ...(yield* describeHolder(desk, claimed.holder)) })
  return { title: claimed.title, appends: claimed.appends }
}

/** Why a cleaned title cannot be taken, whoever has it. */
export function titleProblem(session: string, title: string): Refusal | undefined {
  const length = titleLength(title)
  if (length === 0) return refuse('title-empty', { session })
  if (length > TITLE_LIMIT) return refuse('title-too-long', { session, length, limit: TITLE_LIMIT })
  return undefined
}
