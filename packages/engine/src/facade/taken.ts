import type { Refusal } from '../refusal.ts'

/** A refusal as an error, for programs that would rather catch than look. `refusal` has its code and fields. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Whether a command or a read was refused. */
export function isRefusal(answer: object): answer is Refusal {
  return 'ok' in answer && answer.ok === false
}

/**
 * What a command or a read answered; throws {@link RefusedError} if it was refused.
 *
 * ```ts
 * const { handle } = taken(await engine.start({ title: 'Sensors' }))
 * const { messages } = taken(await handle.context())
 * ```
 */
export function taken<T extends object>(answer: T | Refusal): T {
  if (isRefusal(answer)) throw new RefusedError(answer)
  return answer
}
