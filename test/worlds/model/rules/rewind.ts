import type { RewindAnswer } from '@refold/engine'
import { isShownMessage, newEntry, type Entry } from '../entry.ts'
import { messageIn, type Rewind, type Session } from '../session.ts'
import { isHidden } from '../transcript.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'

/** `to` null: everything leaves. */
export function rewind(
  world: World,
  namespace: Namespace,
  id: string,
  { to, isStale }: { readonly to: string | null; readonly isStale: boolean },
): Verdict<RewindAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (isStale) return refused('moved-on')
  const last = to === null ? undefined : messageIn(session, to)
  if (to !== null && !last) return refused('message-not-found')
  return {
    code: 'ok',
    apply: ({ undoId }) => {
      const hides = new Set(session.entries.slice(last ? session.entries.indexOf(last) + 1 : 0))
      setAside(world, session, { id: undoId, kind: 'rewind', hides, undoes: null })
    },
  }
}

/** `undoId` null: the last rewind that is open. */
export function undo(
  world: World,
  namespace: Namespace,
  id: string,
  { undoId }: { readonly undoId: string | null },
): Verdict<RewindAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const open = session.rewinds.filter((one) => one.open)
  const meant = undoId === null ? open.findLast(({ kind }) => kind === 'rewind') : open.find((one) => one.id === undoId)
  if (!meant) return refused('undo-not-found')
  return {
    code: 'ok',
    apply: ({ undoId: newId }) => {
      meant.open = false
      const since = session.entries.slice(meant.came)
      const again = meant.undoes?.hides ?? []
      const came = since.every(({ kind }) => kind === 'alternative') ? [] : since
      setAside(world, session, { id: newId, kind: 'alternative', hides: new Set([...again, ...came]), undoes: meant })
    },
  }
}

function setAside(
  world: World,
  session: Session,
  { hides, ...fields }: Pick<Rewind, 'id' | 'kind' | 'undoes'> & { readonly hides: ReadonlySet<Entry> },
): void {
  const takesMessages = [...hides].some((entry) => isShownMessage(entry) && !isHidden(session, entry))
  session.rewinds.push({ ...fields, hides, came: session.entries.length, made: world.step, open: true })
  if (takesMessages) session.entries.push(newEntry('alternative', fields.id, world.step))
  session.contextChanges += 1
}
