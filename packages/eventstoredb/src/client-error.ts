import { RefoldError } from '@refold/events'

/** What a failed call means to its caller. */
export type Failure =
  /** Nobody knows whether it was done; to be asked again. */
  | 'unknown'
  /** It was not done, and may be if it is asked again. */
  | 'later'
  | 'wrong-version'
  | 'not-found'
  | 'deleted'
  | 'denied'
  | 'too-large'
  | 'other'

/** Codes of gRPC that stand alone where the client gives no type of its own: a failed question for the server's features. */
const CANCELLED = 1
const DEADLINE_EXCEEDED = 4
const UNAVAILABLE = 14

const byType: ReadonlyMap<string, Failure> = new Map([
  ['wrong-expected-version', 'wrong-version'],
  ['stream-not-found', 'not-found'],
  ['stream-deleted', 'deleted'],
  ['access-denied', 'denied'],
  ['maximum-append-size-exceeded', 'too-large'],
  ['not-leader', 'later'],
  ['unavailable', 'unknown'],
  ['cancelled', 'unknown'],
  ['deadline-exceeded', 'unknown'],
  ['timeout', 'unknown'],
  ['unknown', 'unknown'],
])

export function failureOf(problem: unknown): Failure {
  const known = byType.get(textIn(problem, 'type'))
  if (known) return known
  const code = fieldOf(problem, 'code')
  if (code === UNAVAILABLE || code === CANCELLED || code === DEADLINE_EXCEEDED) return 'unknown'
  // With nothing listening anywhere the client's discovery ends in an error without a type or a code.
  return problem instanceof Error && /discover|connect/iu.test(problem.message) ? 'unknown' : 'other'
}

/** The server's limit of one append, said with such a refusal. */
export function limitIn(problem: unknown): number | undefined {
  const limit = fieldOf(problem, 'maxAppendSize')
  return typeof limit === 'number' && limit > 0 ? limit : undefined
}

/** A failed call as this store's callers know it; what is known already stays as it is. */
export function storeError(problem: unknown, where: string): unknown {
  if (problem instanceof RefoldError) return problem
  const failure = failureOf(problem)
  switch (failure) {
    case 'unknown':
    case 'later':
      return new RefoldError('store-unreachable', { where }, { cause: problem })
    case 'denied':
      return new RefoldError('store-denied', { where }, { cause: problem })
    case 'deleted': {
      const stream = textIn(problem, 'streamName')
      return new RefoldError(
        'store-damaged',
        { file: where, problem: `${stream} was deleted on the server` },
        { cause: problem },
      )
    }
    case 'wrong-version':
    case 'not-found':
    case 'too-large':
    case 'other': {
      const said = problem instanceof Error ? problem.message : String(problem)
      return new RefoldError('store-failed', { file: where, problem: said }, { cause: problem })
    }
    default:
      return failure satisfies never
  }
}

function textIn(problem: unknown, field: string): string {
  const value = fieldOf(problem, field)
  return typeof value === 'string' ? value : ''
}

function fieldOf(problem: unknown, field: string): unknown {
  return typeof problem === 'object' && problem !== null ? Reflect.get(problem, field) : undefined
}
