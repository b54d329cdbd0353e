import type { DoctorProgress, DoctorReport } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from '../place/interruptible.ts'
import type { Place } from '../place/place.ts'
import { storeMissing } from '../place/store-missing.ts'
import { doctorJson, doctorWords } from '../render/doctor-words.ts'
import { flag } from '../words/option.ts'

const doctor: Command = command({
  description: `Checks the whole store, whatever the namespace: the chain of hashes, every text and attachment, the titles and routes
that are held against those that sessions have, and each row of the stored views against a fresh fold of the log. Names
what is wrong, by which event, and what to do; ends with exit status 3 where there is damage. Changes nothing without
--repair, which mends what needs no guess (views, search index, held names), says what it did, and looks again.`,
  operands: {},
  options: { repair: flag('mends what can be mended without a guess') },
  examples: ['refold doctor', 'refold doctor --repair', 'refold doctor --json'],
  run: async ({ options: { repair }, place, terminal }) => {
    const report = await examined(place, repair, terminal)
    return {
      ...(report.ok ? {} : { exit: exitCode.unreadable }),
      json: doctorJson(report),
      people: (look) => doctorWords(look, report),
    }
  },
})

async function examined(place: Place, repair: boolean, terminal: Terminal): Promise<DoctorReport> {
  const { doctorOfFile, isRefoldError } = await import('@refold/engine')
  const bars = new DoctorBars(terminal)
  try {
    return await interruptible(
      (signal) =>
        doctorOfFile(place.file, {
          repair,
          signal,
          actor: { kind: 'person', id: 'person', surface: 'cli' },
          onProgress: (progress) => bars.update(progress),
        }),
      repair ? 'Stopped. What was mended stays; running it again goes on.' : 'Stopped. Nothing was changed.',
    )
  } catch (problem) {
    throw isRefoldError(problem, 'store-missing') ? storeMissing(place) : problem
  } finally {
    await bars.close()
  }
}

/** One bar a stage, one after another. */
class DoctorBars {
  readonly #terminal: Terminal
  #stage: DoctorProgress['stage'] | undefined
  #bar: Progress | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  update({ stage, done, total }: DoctorProgress): void {
    if (stage !== this.#stage) {
      void this.#bar?.close()
      this.#stage = stage
      this.#bar = new Progress(this.#terminal.errors, stage)
    }
    this.#bar?.update(done, total)
  }

  async close(): Promise<void> {
    await this.#bar?.close()
  }
}

export default doctor
