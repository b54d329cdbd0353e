import type { AnyRecorded, EventStore, LogTransaction, RefoldError } from '@refold/events'

export interface WatchedStore {
  readonly store: EventStore
  /** Each fails one write, the first first; null lets one pass. */
  readonly failingWrites: (RefoldError | null)[]
  /** Each fails one read. */
  readonly failingReads: RefoldError[]
  /** What was read so far, by whomever; `largest`: most events, `peak`: most bytes that one answer held. */
  readonly read: { events: number; bytes: number; largest: number; peak: number }
}

const writes = new Set(['append', 'transact'])
const reads = new Set(['readStream', 'readAll', 'readEvents', 'readRaw', 'find', 'blob', 'read'])

/** The same store, whose writes and reads can be made to fail as a disk makes them, and which counts what is read. */
export function watched(inner: EventStore): WatchedStore {
  const failingWrites: (RefoldError | null)[] = []
  const failingReads: RefoldError[] = []
  const read = { events: 0, bytes: 0, largest: 0, peak: 0 }

  const counted = (answer: unknown): unknown => {
    const all = Array.isArray(answer) ? answer : [answer]
    const before = read.bytes
    for (const one of all) count(one)
    read.peak = Math.max(read.peak, read.bytes - before)
    read.largest = Math.max(read.largest, all.length)
    return answer
  }
  const count = (one: AnyRecorded | Uint8Array | undefined): void => {
    if (one === undefined) return
    if (one instanceof Uint8Array) read.bytes += one.length
    else {
      read.events += 1
      read.bytes += JSON.stringify(one.data ?? null).length
    }
  }
  const watching = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...given: readonly unknown[]): unknown => {
          const method = String(name)
          const failure = writes.has(method) ? failingWrites.shift() : reads.has(method) ? failingReads.shift() : null
          if (failure) return Promise.reject(failure)
          if (method === 'transact')
            return Reflect.apply(
              value,
              target,
              given.map((work) => watchingWork(work)),
            )
          const answer: unknown = Reflect.apply(value, target, given)
          if (!reads.has(method)) return answer
          return answer instanceof Promise ? answer.then(counted) : counted(answer)
        }
      },
    })
  const watchingWork = (work: unknown): unknown =>
    typeof work === 'function'
      ? (log: LogTransaction): unknown => Reflect.apply(work, undefined, [watchingLog(log)])
      : work
  const watchingLog = (log: LogTransaction): LogTransaction =>
    new Proxy(log, {
      get(_, name) {
        const value: unknown = Reflect.get(log, name, log)
        if (typeof value !== 'function') return value
        return (...given: readonly unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, log, given)
          return reads.has(String(name)) ? counted(answer) : answer
        }
      },
    })
  return { store: watching(inner), failingWrites, failingReads, read }
}
