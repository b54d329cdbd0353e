import type { LogTransaction } from '@refold/events'

/** A transaction's log for one piece of work; once that is over, it refuses to be used. */
export function workScope(log: LogTransaction): { readonly log: LogTransaction; readonly end: () => void } {
  let isOver = false
  const during = (): LogTransaction => {
    if (isOver) throw new TypeError('This transaction is over. Use its log only while the work runs.')
    return log
  }
  return {
    log: {
      head: (stream) => during().head(stream),
      read: (stream, range) => during().read(stream, range),
      find: (stream, eventId) => during().find(stream, eventId),
      blob: (hash) => during().blob(hash),
      readLogRaw: (range) => during().readLogRaw(range),
      append: (append) => during().append(append),
      appendRecorded: (append) => during().appendRecorded(append),
      erase: (event, masked, salt) => during().erase(event, masked, salt),
      eraseBlob: (hash) => during().eraseBlob(hash),
    },
    end: () => {
      isOver = true
    },
  }
}
