/**
 * Runs a piece of work that must be over when it returns: a transaction cannot stay open while a promise is waited for.
 */
export function runWork<L, T>(work: (log: L) => T, log: L): T {
  const result = work(log)
  if (result instanceof Promise) {
    result.catch(() => {}) // what it rejects with is of no account beside the mistake that is reported
    throw new TypeError(
      'The work of a transaction returned a promise. Read what it needs before, and decide without waiting.',
    )
  }
  return result
}
