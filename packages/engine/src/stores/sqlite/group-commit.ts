import type { TransactOptions } from '@refold/events'
import { runWork } from '../run-work.ts'

/** The transaction of a group, as its queue drives it. All of it is synchronous: between begin and commit nobody waits. */
export interface GroupTransaction<L> {
  /** False while another process is in the way. Throws when waiting would not help. */
  begin(): boolean
  /**
   * The log for one piece of work, and how to end its use. Without a savepoint, which costs something, undoing what the
   * piece wrote undoes the group.
   */
  open(needsSavepoint: boolean): { readonly log: L; readonly end: () => void }
  /** Takes back what the current piece wrote before it met this problem: that alone, or the group when it is committed. */
  undoPiece(problem: unknown): void
  /** Makes the group durable. True when anything was written. */
  commit(): boolean
  /** Takes everything back, after whatever failed. */
  abandon(): void
}

export interface GroupCommitOptions {
  /** Longest wait of a piece of work for other processes, in milliseconds. */
  readonly waitMs: number
  /** Milliseconds before the next try to begin. */
  readonly pauseBefore: (attempt: number) => number
  readonly busy: (waitedMs: number) => Error
  readonly onCommit: () => void
}

interface Piece<L> {
  readonly queuedAt: number
  /** Does the work; answers how to hand out its result once that is durable. */
  readonly run: (log: L) => () => void
  readonly failsLate: boolean
  readonly reject: (problem: unknown) => void
}

/** More would hold the lock too long for other processes; the price of a commit is spread thinly enough by then. */
const LARGEST_GROUP = 256

/**
 * One durable commit for all work that is waiting when it begins. A piece that throws rejects its own caller and leaves
 * nothing; a commit that fails rejects the whole group. Nobody is answered before the commit.
 */
export class GroupCommit<L> {
  readonly #transaction: GroupTransaction<L>
  readonly #options: GroupCommitOptions
  readonly #queue: Piece<L>[] = []
  #running: Promise<void> | undefined

  constructor(transaction: GroupTransaction<L>, options: GroupCommitOptions) {
    this.#transaction = transaction
    this.#options = options
  }

  submit<T>(work: (log: L) => T, { failsLate = true }: TransactOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = (log: L): (() => void) => {
        const result = runWork(work, log)
        return () => resolve(result)
      }
      this.#queue.push({ queuedAt: performance.now(), run, failsLate, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves once all that was submitted so far is answered. */
  async drained(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      // A turn of the event loop lets all callers join who were waiting for the same thing.
      await new Promise((resolve) => setImmediate(resolve))
      if (await this.#begun()) this.#commitGroup(this.#queue.splice(0, LARGEST_GROUP))
    }
    this.#running = undefined
  }

  /** Waits for the lock; false when nobody is left who wants it. */
  async #begun(): Promise<boolean> {
    for (let attempt = 0; this.#queue.length > 0; attempt += 1) {
      try {
        if (this.#transaction.begin()) return true
      } catch (problem) {
        for (const piece of this.#queue.splice(0)) piece.reject(problem)
        return false
      }
      this.#giveUpWaiting()
      await new Promise((resolve) => setTimeout(resolve, this.#options.pauseBefore(attempt)))
    }
    return false
  }

  #giveUpWaiting(): void {
    const now = performance.now()
    while (this.#queue[0] !== undefined && now - this.#queue[0].queuedAt >= this.#options.waitMs) {
      const piece = this.#queue.shift()
      piece?.reject(this.#options.busy(Math.round(now - piece.queuedAt)))
    }
  }

  #commitGroup(group: readonly Piece<L>[]): void {
    try {
      const isCrowd = group.length > 1
      const answers = group.map((piece) => this.#attempt(piece, isCrowd && piece.failsLate))
      const wrote = this.#transaction.commit()
      for (const answer of answers) answer()
      if (wrote) this.#options.onCommit()
    } catch (problem) {
      this.#transaction.abandon()
      for (const piece of group) piece.reject(problem)
    }
  }

  #attempt(piece: Piece<L>, needsSavepoint: boolean): () => void {
    const { log, end } = this.#transaction.open(needsSavepoint)
    try {
      return piece.run(log)
    } catch (problem) {
      this.#transaction.undoPiece(problem)
      return () => piece.reject(problem)
    } finally {
      end()
    }
  }
}
