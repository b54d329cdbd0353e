import { newEntry } from '../entry.ts'
import { asItIs, isSession, living, type Namespace, type Verdict, type World } from '../world.ts'

export type Flag =
  | { readonly key: 'pinned' | 'hidden'; readonly value: boolean }
  | { readonly key: 'tag'; readonly tag: string; readonly present: boolean }
  | { readonly key: 'model' | 'system-prompt'; readonly value: string }

/** A value that is there already writes nothing. */
export function set(world: World, namespace: Namespace, id: string, flag: Flag): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  switch (flag.key) {
    case 'pinned':
    case 'hidden': {
      const { key, value } = flag
      if (session[key] === value) return asItIs()
      return {
        code: 'ok',
        apply: () => {
          session[key] = value
        },
      }
    }
    case 'tag': {
      const { tag, present } = flag
      if (session.tags.includes(tag) === present) return asItIs()
      return {
        code: 'ok',
        apply: () => {
          session.tags = present ? [...session.tags, tag] : session.tags.filter((one) => one !== tag)
        },
      }
    }
    case 'model': {
      const { value } = flag
      if (session.model === value) return asItIs()
      return {
        code: 'ok',
        apply: () => {
          if (session.model !== null) session.entries.push(newEntry('model', '', world.step))
          session.model = value
        },
      }
    }
    case 'system-prompt': {
      const { value } = flag
      if (session.systemPrompt === value && session.ownPrompt) return asItIs()
      return {
        code: 'ok',
        apply: () => {
          session.systemPrompt = value
          session.ownPrompt = true
        },
      }
    }
    default:
      return flag satisfies never
  }
}

export function archive(namespace: Namespace, id: string, by: 'person' | 'idle'): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (session.archived === by || session.archived === 'person') return asItIs()
  return {
    code: 'ok',
    apply: () => {
      session.archived = by
    },
  }
}

export function unarchive(namespace: Namespace, id: string): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (session.archived === null) return asItIs()
  return {
    code: 'ok',
    apply: () => {
      session.archived = null
    },
  }
}
