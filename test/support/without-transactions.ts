import type { Append, Appended, EventStore } from '@refold/events'

/** The same store as one that has no transactions: decisions read first and append later. */
export function withoutTransactions(
  store: EventStore,
  beforeAppend: (append: Append) => Promise<void> = async () => {},
): EventStore {
  return {
    capabilities: { ...store.capabilities, transactions: false },
    secret: store.secret,
    append: async (append): Promise<Appended> => {
      await beforeAppend(append)
      return store.append(append)
    },
    head: (stream) => store.head(stream),
    logHead: () => store.logHead(),
    readStream: (stream, range) => store.readStream(stream, range),
    readAll: (range) => store.readAll(range),
    readEvents: (refs) => store.readEvents(refs),
    readRaw: (stream, range) => store.readRaw(stream, range),
    find: (stream, id) => store.find(stream, id),
    blob: (hash) => store.blob(hash),
    onCommit: (listener) => store.onCommit(listener),
    subscribe: (from) => store.subscribe(from),
    close: () => store.close(),
  }
}
