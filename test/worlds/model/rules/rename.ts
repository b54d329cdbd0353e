import type { RenameAnswer } from '@refold/engine'
import type { TitleAuthor } from '../session.ts'
import { freeTitle, kept, titleHolder } from '../titles.ts'
import { asItIs, isSession, living, refused, type Namespace, type Verdict } from '../world.ts'

export function rename(
  namespace: Namespace,
  id: string,
  { title, by }: { readonly title: string | null; readonly by: Exclude<TitleAuthor, 'branch'> },
): Verdict<RenameAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const wanted = title === null ? null : kept(title)
  if (wanted === '') return refused('title-empty')
  if (wanted !== null && Array.from(wanted).length > 100) return refused('title-too-long')
  const held = session.title
  if (held?.by === 'person' && by !== 'person') return refused('title-set-by-person')
  const isSame = wanted === (held?.text ?? null)
  if (isSame && (held === null || held.by === by || by !== 'person')) return asItIs({ title: wanted })
  if (held && by === 'derived' && held.by !== 'derived') return asItIs({ title: held.text })
  if (wanted === null) {
    const apply = (): void => {
      session.title = null
    }
    return { code: 'ok', answer: { title: null }, apply }
  }
  const holder = titleHolder(namespace, wanted)
  if (by === 'person' && holder !== null && holder !== id) return refused('title-taken')
  const text = by === 'person' ? wanted : freeTitle(namespace, wanted, id)
  if (text === held?.text && !isSame) return asItIs({ title: text })
  return {
    code: 'ok',
    answer: { title: text },
    apply: () => {
      session.title = { text, by }
    },
  }
}
