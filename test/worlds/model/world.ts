import type { RefusalCode } from '@refold/engine'
import type { Session } from './session.ts'

/** One namespace: sessions by id, every id ever handed out, and who holds which outside address. */
export interface Namespace {
  readonly name: string
  readonly sessions: Map<string, Session>
  readonly ids: Map<string, string>
  readonly routes: Map<string, { readonly holder: string | null; readonly generation: number }>
}

/** What must be so, kept the obvious way: lists, sets and maps. */
export interface World {
  /** Counts the steps that were taken; orders what the clock does not. */
  step: number
  /** What each run of a delegate was told to the model as. */
  readonly runs: Map<string, string | null>
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly namespaces: readonly [Namespace, Namespace]
}

const newNamespace = (name: string): Namespace => ({ name, sessions: new Map(), ids: new Map(), routes: new Map() })

export function newWorld(now: () => number): World {
  return { step: 0, runs: new Map(), now, namespaces: [newNamespace('default'), newNamespace('another.one')] }
}

/** What the model says a command will do: be refused, or be taken and change the model. */
export type Verdict<Answer = unknown> =
  | { readonly code: RefusalCode }
  | {
      readonly code: 'ok'
      /** Fields that the answer must have. */
      readonly answer?: object
      /** Writes nothing. */
      readonly nothing?: true
      readonly apply: (answer: Answer) => void
    }

export const refused = (code: RefusalCode): { readonly code: RefusalCode } => ({ code })
export const asItIs = (answer: object = {}): Verdict => ({ code: 'ok', answer, nothing: true, apply: () => undefined })

/** Where commands begin: the session is there, and not deleted. */
export function living(namespace: Namespace, id: string): Session | { readonly code: RefusalCode } {
  const session = namespace.sessions.get(id)
  if (!session) return refused('session-not-found')
  return session.deleted ? refused('session-deleted') : session
}

export const isSession = (found: Session | { readonly code: RefusalCode }): found is Session => 'entries' in found
