import type { SingleBar } from 'cli-progress'
import type { Sink } from './terminal.ts'

const patience = 500

/**
 * A bar on standard error for work that takes longer than half a second, on a terminal only. Close it, however the work
 * ended: what follows begins on a line of its own.
 */
export class Progress {
  readonly #timer: NodeJS.Timeout | undefined
  readonly #label: string
  readonly #errors: Sink
  #isDue = false
  #bar: SingleBar | undefined
  #opening: Promise<void> | undefined
  #isClosed = false
  #done = 0
  #total = 0

  constructor(errors: Sink, label: string) {
    this.#errors = errors
    this.#label = label
    if (errors.isTTY === true) {
      this.#timer = setTimeout(() => {
        this.#isDue = true
        this.#draw()
      }, patience).unref()
    }
  }

  update(done: number, total: number): void {
    this.#done = done
    this.#total = total
    if (this.#isDue) this.#draw()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isClosed = true
    await this.#opening
    this.#bar?.stop()
  }

  #draw(): void {
    if (this.#bar !== undefined) {
      this.#bar.setTotal(this.#total)
      this.#bar.update(this.#done)
    } else this.#opening ??= this.#open()
  }

  async #open(): Promise<void> {
    const { default: progress } = await import('cli-progress')
    if (this.#isClosed) return
    this.#bar = new progress.SingleBar({
      format: `${this.#label} {bar} {percentage}% ({value} of {total}, {eta_formatted} left)`,
      clearOnComplete: true,
      stream: this.#errors,
    })
    this.#bar.start(this.#total, this.#done)
  }
}
