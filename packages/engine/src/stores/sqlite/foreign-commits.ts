import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds after a change of the files at which to look: a commit shows a little after its bytes were written. */
const LOOKS = [0, 2, 5, 10, 20, 40, 80] as const
/** How often to look without being told: as a net under the watch, and where there is no watch. */
const NET_MS = 1_000
const WITHOUT_WATCH_MS = 50

/**
 * Notices what other processes commit. Whether there is anything new is told by SQLite's data version; when to ask is told
 * by a watch on the folder. Neither keeps the process alive.
 */
export class ForeignCommits {
  readonly #file: string
  readonly #dataVersion: () => number
  readonly #notify: () => void
  #known = 0
  #watcher: FSWatcher | undefined
  #net: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  #nextLook = 0

  constructor(file: string, dataVersion: () => number, notify: () => void) {
    this.#file = file
    this.#dataVersion = dataVersion
    this.#notify = notify
  }

  start(): void {
    this.#known = this.#version()
    const names = new Set([basename(this.#file), `${basename(this.#file)}-wal`])
    try {
      this.#watcher = watch(dirname(this.#file), { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) this.#lookSoon()
      })
      this.#watcher.on('error', () => this.#withoutWatch())
      this.#every(NET_MS)
    } catch {
      this.#withoutWatch() // the system has no watches left, or none for this file system
    }
  }

  stop(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    clearInterval(this.#net)
    clearTimeout(this.#look)
    this.#look = undefined
  }

  #withoutWatch(): void {
    this.stop()
    this.#every(WITHOUT_WATCH_MS)
  }

  #every(milliseconds: number): void {
    this.#net = setInterval(() => this.#check(), milliseconds).unref()
  }

  /** Begins the row of looks anew; one that is under way is enough for many changes. */
  #lookSoon(): void {
    this.#nextLook = 0
    if (this.#look === undefined) this.#scheduleLook()
  }

  #scheduleLook(): void {
    const delay = LOOKS[this.#nextLook]
    this.#look = undefined
    if (delay === undefined) return
    this.#nextLook += 1
    this.#look = setTimeout(() => {
      this.#check()
      this.#scheduleLook()
    }, delay).unref()
  }

  /** A file that cannot be asked has changed in a way that readers shall meet: waiting, or an error of their own. */
  #version(): number {
    try {
      return this.#dataVersion()
    } catch {
      return Number.NaN
    }
  }

  #check(): void {
    const version = this.#version()
    if (version === this.#known) return
    this.#known = version
    this.#notify()
  }
}
