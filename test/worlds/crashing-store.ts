import type { EventStore } from '@refold/events'

export class Killed extends Error {
  override readonly name = 'Killed'
}

export interface CrashingStore extends EventStore {
  /** The next write dies before anything of it is durable, or when all of it is and nobody was told. */
  crashNext(when: 'before' | 'after' | 'never'): void
}

/** A store whose process dies on either side of a commit; a commit has no inside to die in. */
export function crashing(inner: EventStore): CrashingStore {
  let armed: 'before' | 'after' | undefined
  const take = (): typeof armed => {
    const when = armed
    armed = undefined
    return when
  }
  return {
    capabilities: inner.capabilities,
    secret: inner.secret,
    crashNext: (when) => {
      armed = when === 'never' ? undefined : when
    },
    async append(append) {
      const when = take()
      if (when === 'before') throw new Killed()
      const appended = await inner.append(append)
      if (when === 'after') throw new Killed()
      return appended
    },
    async transact(work) {
      if (!inner.transact) throw new TypeError('The store has no transactions.')
      const when = take()
      const done = await inner.transact((log) => {
        const result = work(log)
        if (when === 'before') throw new Killed()
        return result
      })
      if (when === 'after') throw new Killed()
      return done
    },
    head: (stream) => inner.head(stream),
    logHead: () => inner.logHead(),
    readStream: (stream, range) => inner.readStream(stream, range),
    readAll: (range) => inner.readAll(range),
    readEvents: (refs) => inner.readEvents(refs),
    readRaw: (stream, range) => inner.readRaw(stream, range),
    find: (stream, id) => inner.find(stream, id),
    blob: (hash) => inner.blob(hash),
    onCommit: (listener) => inner.onCommit(listener),
    subscribe: (from) => inner.subscribe(from),
    close: () => inner.close(),
  }
}
