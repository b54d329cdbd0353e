import type { EventStore } from '@refold/events'
import type { Verified, VerifyOptions } from '@refold/engine'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from './interruptible.ts'

/** Walks the chain, with a bar for long logs, until a signal stops it. */
export async function verifying(
  store: EventStore,
  terminal: Terminal,
  options: Pick<VerifyOptions, 'streams' | 'heads'> = {},
): Promise<Verified> {
  const { systemSource, verifyStore } = await import('@refold/engine')
  const progress = new Progress(terminal.errors, 'verify')
  try {
    return await interruptible(
      (signal) =>
        verifyStore(store, systemSource.sha256, {
          ...options,
          signal,
          onProgress: ({ done, total }) => progress.update(done, total),
        }),
      'Stopped. Nothing was changed.',
    )
  } finally {
    await progress.close()
  }
}
