import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { speaksForPerson } from '../deciding/rights.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { describeHolder } from './describe-holder.ts'
import { claimNextTitle, claimTitle, releaseTitle, titleProblem } from './title-claim.ts'
import { cleanTitle } from './title-text.ts'
import type { TitleAuthor } from '@refold/events'
import type { CommandOptions } from './command-options.ts'

export interface RenameInput extends CommandOptions {
  /** A person's choice outranks every machine's. Absent: person. */
  readonly by?: TitleAuthor
}

export interface RenameAnswer {
  /** The title as it stands now: cleaned, and for a machine perhaps numbered. */
  readonly title: string | null
}

/** Gives a session a title, or takes it away with `null`. A person's choice outranks every machine's. */
export function rename(
  desk: Desk,
  session: string,
  { title, by = 'person' }: RenameInput & { readonly title: string | null },
): Deciding<RenameAnswer> {
  return decideOn(desk, session, {
    name: 'rename',
    writes: ['Renamed'],
    *lookAndDecide(state) {
      if (by === 'person' && !speaksForPerson(desk))
        return refuse('not-allowed', { session, actor: desk.actor.id, command: 'rename for a person' })
      const wanted = title === null ? null : cleanTitle(title)
      const problem = wanted === null ? undefined : titleProblem(session, wanted)
      if (problem) return problem
      const held = state.title
      if (held?.by === 'person' && by !== 'person') return refuse('title-set-by-person', { session, title: held.text })
      const isSame = wanted === (held?.text ?? null)
      if (isSame && (held === null || held.by === by || by !== 'person')) return nothing({ title: wanted })
      if (held && by === 'derived' && held.by !== 'derived') return nothing({ title: held.text })
      if (wanted === null) {
        const after = yield* releaseTitle(desk, held?.text, null, session)
        return { events: [{ type: 'Renamed', data: { title: null, by } }], after, answer: { title: null } }
      }
      const claimed =
        by === 'person'
          ? yield* claimTitle(desk, wanted, session)
          : { free: true as const, ...(yield* claimNextTitle(desk, wanted, session, held ? { held: held.text } : {})) }
      if (!claimed.free)
        return refuse('title-taken', { session, title: wanted, ...(yield* describeHolder(desk, claimed.holder)) })
      if (claimed.title === held?.text && !isSame) return nothing({ title: held.text })
      return {
        before: claimed.appends,
        events: [{ type: 'Renamed', data: { title: claimed.title, by } }],
        after: yield* releaseTitle(desk, held?.text, claimed.title, session),
        answer: { title: claimed.title },
      }
    },
    again: ([first]) => ({ title: first?.type === 'Renamed' ? first.data.title : null }),
  })
}
