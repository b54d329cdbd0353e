import type { SqliteStore } from '@refold/engine'
import type { EventStore } from '@refold/events'

export interface BreakableStore extends EventStore {
  /** The next write fails: `before` anything of it is durable, or `after` all of it is and nobody was told. */
  breakNext(when: 'before' | 'after', times?: number): void
}

const killed = (): Error => new Error('The process was killed.')

/** A store whose process can be killed, in effect, on either side of a commit; there is nothing in between to be killed in. */
export function breakable(inner: SqliteStore): BreakableStore {
  const plan: ('before' | 'after')[] = []
  return {
    capabilities: inner.capabilities,
    secret: inner.secret,
    breakNext: (when, times = 1) => {
      for (let time = 0; time < times; time += 1) plan.push(when)
    },
    async append(append) {
      const when = plan.shift()
      if (when === 'before') throw killed()
      const appended = await inner.append(append)
      if (when === 'after') throw killed()
      return appended
    },
    async transact(work) {
      const when = plan.shift()
      const done = await inner.transact((log) => {
        const result = work(log)
        if (when === 'before') throw killed()
        return result
      })
      if (when === 'after') throw killed()
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
