import type { Part } from '@refold/events'
import { messageIn } from '../session.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'

/** Changes a message in place: no summary of the old text stands any more. */
export function edit(
  world: World,
  namespace: Namespace,
  id: string,
  { message, parts }: { readonly message: string; readonly parts: readonly Part[] },
): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const entry = messageIn(session, message)
  if (!entry || entry.said === null) return refused('message-not-found')
  return {
    code: 'ok',
    apply: () => {
      entry.parts = parts
      entry.told = world.step
      for (const summary of session.summaries) if (summary.covers.has(entry)) summary.standing = false
      session.contextChanges += 1
    },
  }
}

/** Gives the model another form of a message; null: none. */
export function prune(
  world: World,
  namespace: Namespace,
  id: string,
  { message, parts }: { readonly message: string; readonly parts: readonly Part[] | null },
): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const entry = messageIn(session, message)
  if (!entry || entry.said === null) return refused('message-not-found')
  return {
    code: 'ok',
    apply: () => {
      entry.wire = { parts, set: world.step }
      session.contextChanges += 1
    },
  }
}
