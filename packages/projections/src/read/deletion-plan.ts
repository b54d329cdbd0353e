import { isIdentifier, sessionStream } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { childrenOf, delegatesUnder } from './delegates-under.ts'

export type DeletionReaders = Pick<TableReaders, 'tips' | 'edges'>

export interface PlannedDeletion {
  readonly seeds: readonly string[]
  /** Seeds that are no session, or deleted already. */
  readonly unknown: readonly string[]
  /** The seeds, then the delegates that go along; parents before children. */
  readonly deletes: readonly string[]
  /** For each seed the delegates that its own deletion lists; each delegate stands under one seed only. */
  readonly along: readonly { readonly seed: string; readonly sessions: readonly string[] }[]
  /** What hangs on a deleted session and stays, with all that it showed. */
  readonly keeps: readonly { readonly session: string; readonly because: string }[]
}

/**
 * What deleting these sessions takes: them and the delegates under them. Never a seed as another's delegate, never
 * branches, resets, untyped ones or strays. Literal ids only; costs as much as what it takes and keeps.
 */
export function deletionPlan(rows: DeletionReaders, namespace: string, sessions: readonly string[]): PlannedDeletion {
  const streamOf = (session: string): string | undefined =>
    isIdentifier(session) ? sessionStream({ namespace, session }) : undefined
  const seeds = new Map<string, string>()
  const unknown: string[] = []
  for (const session of new Set(sessions)) {
    const stream = streamOf(session)
    if (stream !== undefined && isThere(rows, stream)) seeds.set(stream, session)
    else unknown.push(session)
  }
  const taken = new Set(seeds.keys())
  const along = [...seeds].map(([stream, seed]) => {
    const under = delegatesUnder(rows, [stream]).filter((one) => isThere(rows, one) && !taken.has(one))
    for (const one of under) taken.add(one)
    return { seed, sessions: under.map((one) => sessionOf(rows, one)) }
  })
  const keeps = [...taken].flatMap((stream) =>
    childrenOf(rows, stream)
      .filter((child) => !taken.has(child.stream) && isThere(rows, child.stream))
      .map((child) => ({ session: child.session, because: `${child.kind} of ${sessionOf(rows, stream)}` })),
  )
  return {
    seeds: [...seeds.values()],
    unknown,
    deletes: [...taken].map((stream) => sessionOf(rows, stream)),
    along,
    keeps,
  }
}

const isThere = (rows: DeletionReaders, stream: string): boolean => rows.tips.get(stream)?.deleted === false
const sessionOf = (rows: DeletionReaders, stream: string): string => rows.tips.get(stream)?.session ?? ''
