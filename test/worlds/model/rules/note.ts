import { newEntry } from '../entry.ts'
import { isSession, living, type Namespace, type Verdict, type World } from '../world.ts'

export function note(
  world: World,
  namespace: Namespace,
  id: string,
  {
    note,
    text,
    shownTo,
  }: { readonly note: string; readonly text: string; readonly shownTo: 'both' | 'person' | 'model' | 'none' },
): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  return {
    code: 'ok',
    apply: () => {
      if (shownTo === 'none' || session.entries.some(({ kind, id }) => kind === 'note' && id === note)) return
      session.entries.push(newEntry('note', note, world.step, { shownTo, parts: [{ type: 'text', text }], said: '' }))
    },
  }
}
