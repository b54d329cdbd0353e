const signals = ['SIGINT', 'SIGTERM'] as const

/** Work that was stopped by a signal, after it had cleaned up behind itself. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: (typeof signals)[number]

  constructor(signal: (typeof signals)[number], words: string) {
    super(words)
    this.signal = signal
  }
}

/**
 * Lets long work stop where it is safe instead of dying at once: the abort signal's reason is an {@link Interrupted}. A
 * second signal of the kind ends the process at once. `words` are what the person is told.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  words = 'Stopped. What was written stays; running the command again goes on from there.',
): Promise<T> {
  const controller = new AbortController()
  const listeners = signals.map((signal) => [signal, () => controller.abort(new Interrupted(signal, words))] as const)
  for (const [signal, stop] of listeners) process.once(signal, stop)
  try {
    return await work(controller.signal)
  } finally {
    for (const [signal, stop] of listeners) process.off(signal, stop)
  }
}
