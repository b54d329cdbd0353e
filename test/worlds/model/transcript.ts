import { isShownMessage, type Entry } from './entry.ts'
import type { Session } from './session.ts'

export function isHidden(session: Session, entry: Entry): boolean {
  return session.hiddenAtCut.has(entry) || session.rewinds.some(({ open, hides }) => open && hides.has(entry))
}

/** Everything in sight of a person or the model, in order. */
export function inSight(session: Session): readonly Entry[] {
  return session.entries.filter((entry) => !isHidden(session, entry))
}

/** What a person reads. The mark of a rewind is there while what it set aside is away. */
export function transcript(session: Session): readonly Entry[] {
  return inSight(session).filter((entry) => {
    if (entry.shownTo === 'model') return false
    if (entry.kind !== 'alternative') return true
    const rewind = session.rewinds.find(({ id }) => id === entry.id)
    return rewind === undefined ? isFrozenOpen(session, entry) : rewind.open
  })
}

/** Marks of rewinds that a branch began with were open at the cut, or were left out when it was copied. */
const isFrozenOpen = (session: Session, entry: Entry): boolean => session.entries.indexOf(entry) < session.inherited

export const shownMessages = (session: Session): readonly Entry[] => inSight(session).filter(isShownMessage)
