import type { Scheduler } from 'fast-check'
import type { EventStore } from '@refold/events'

/** A store each of whose answers comes when the scheduler lets it, so that callers overlap in every way. */
export function scheduled(inner: EventStore, scheduler: Scheduler, isOn: () => boolean): EventStore {
  const late = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (!isOn()) return work()
    await scheduler.schedule(Promise.resolve(), `${name} begins`)
    const done = await work()
    await scheduler.schedule(Promise.resolve(), `${name} answers`)
    return done
  }
  return {
    capabilities: inner.capabilities,
    secret: inner.secret,
    append: (append) => late('append', () => inner.append(append)),
    async transact(work) {
      return late('transact', async () => {
        if (!inner.transact) throw new TypeError('The store has no transactions.')
        return inner.transact(work)
      })
    },
    head: (stream) => late('head', () => inner.head(stream)),
    logHead: () => late('log head', () => inner.logHead()),
    readStream: (stream, range) => late('read stream', () => inner.readStream(stream, range)),
    readAll: (range) => late('read all', () => inner.readAll(range)),
    readEvents: (refs) => late('read events', () => inner.readEvents(refs)),
    readRaw: (stream, range) => inner.readRaw(stream, range),
    find: (stream, id) => late('find', () => inner.find(stream, id)),
    blob: (hash) => late('blob', () => inner.blob(hash)),
    onCommit: (listener) => inner.onCommit(listener),
    subscribe: (from) => inner.subscribe(from),
    close: () => inner.close(),
  }
}
