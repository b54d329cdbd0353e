import type { TitleAuthor } from '@refold/events'
import { claim, release } from '../claims.ts'
import type { Desk } from '../deciding/desk.ts'
import type { StreamPlan } from '../deciding/plan.ts'
import type { Reading } from '../deciding/reading.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { describeHolder } from './describe-holder.ts'
import { nextFreeNumber } from './next-free-number.ts'
import { cleanTitle, numberedTitle, numberIn, TITLE_LIMIT, titleLength } from './title-text.ts'

export type TitleClaim =
  | { readonly free: true; readonly title: string; readonly appends: readonly StreamPlan[] }
  | { readonly free: false; readonly holder: string }

/** Takes exactly this title for a session, or says who has it. */
export function* claimTitle(desk: Desk, title: string, session: string): Reading<TitleClaim> {
  const taken = yield* claim(desk, 'title', title, session)
  return taken.free ? { free: true, title, appends: taken.appends } : { free: false, holder: taken.holder }
}

/**
 * Takes this title or the next free `name #N`. `taken`: titles that the same append gives away already; `held`: what the
 * session is called now.
 */
export function* claimNextTitle(
  desk: Desk,
  title: string,
  session: string,
  { taken = new Set(), held }: { readonly taken?: ReadonlySet<string>; readonly held?: string } = {},
): Reading<{ readonly title: string; readonly appends: readonly StreamPlan[] }> {
  return yield* nextFreeNumber(
    function* (number) {
      const wanted = number === 1 ? title : numberedTitle(title, number)
      if (taken.has(wanted.normalize('NFC'))) return undefined
      const found = yield* claimTitle(desk, wanted, session)
      return found.free ? found : undefined
    },
    held === undefined ? 0 : numberIn(title, held),
  )
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
