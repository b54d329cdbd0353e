import type { ReportAnswer } from '@refold/engine'
import { newEntry } from '../entry.ts'
import { isOver, newSession } from '../session.ts'
import { asItIs, refused, type Namespace, type Verdict, type World } from '../world.ts'
import { awake, timeOf } from './append.ts'
import { endWith } from './end.ts'
import { add } from './start.ts'

export function spawn(world: World, namespace: Namespace, parentId: string, id: string): Verdict {
  const parent = namespace.sessions.get(parentId)
  if (!parent) return refused('session-not-found')
  if (parent.deleted) return refused('session-deleted')
  if (isOver(parent)) return refused('session-ended')
  if (namespace.ids.has(id)) return refused('id-taken')
  return {
    code: 'ok',
    answer: { parent: parentId },
    apply: () => {
      parent.entries.push(newEntry('delegate', id, world.step))
      parent.delegates.set(id, 'open')
      const origin = { kind: 'delegate', session: parentId, message: null } as const
      const fields = { started: world.now(), startStep: world.step, origin, model: parent.model }
      add(namespace, newSession(id, fields))
    },
  }
}

/** What a delegate found goes to the model once; after an end it is only kept. The delegate ends, unless it is to stay. */
export function report(
  world: World,
  namespace: Namespace,
  parentId: string,
  {
    delegate,
    run,
    message,
    stays,
  }: { readonly delegate: string; readonly run: string; readonly message: string; readonly stays: boolean },
  runs: Map<string, string | null>,
): Verdict<ReportAnswer> {
  const parent = namespace.sessions.get(parentId)
  if (!parent) return refused('session-not-found')
  const key = JSON.stringify([namespace.name, parentId, delegate, run])
  const before = runs.get(key)
  if (before !== undefined) return asItIs({ injectedAs: before, repeated: true })
  if (parent.deleted) return refused('session-deleted')
  if (!parent.delegates.has(delegate)) return refused('not-a-delegate')
  return {
    code: 'ok',
    apply: ({ injectedAs }) => {
      runs.set(key, injectedAs)
      parent.delegates.set(delegate, 'reported')
      const child = namespace.sessions.get(delegate)
      if (child) child.reported = true
      if (child && !child.deleted && !stays)
        endWith(world, namespace, child, { reason: 'reported', class: 'deliberate' })
      if (isOver(parent) !== (injectedAs === null))
        throw new Error('A report is for the model unless the session is over.')
      if (injectedAs === null) return
      awake(world, parent)
      const parts = [{ type: 'text', text: message }] as const
      const said = JSON.stringify(['user', parts, null])
      const fields = { role: 'user', parts, said, shownTo: 'model' } as const
      parent.entries.push(newEntry('message', injectedAs, world.step, fields))
      if (timeOf(null, world.now()) >= parent.lastActivity) {
        parent.lastActivity = world.now()
        parent.activityStep = world.step
      }
    },
  }
}
