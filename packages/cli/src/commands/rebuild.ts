import type { RebuiltView, RebuiltViews } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { grouped } from '../output/amount.ts'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from '../place/interruptible.ts'
import { useEngine } from '../place/use-engine.ts'
import { operandsOrNone } from '../words/operand.ts'
import { UsageError } from '../words/usage-error.ts'

const rebuild: Command = command({
  description: `Makes views anew from the log, beside those in use, and swaps them at the end: readers see the old ones all the
while, and what is appended meanwhile is in the new ones. Stopped or killed, it goes on where it was when it is run again.
VIEW is \`rows\` (the list, transcripts, contexts, titles, lineage and usage, which are folded together) or \`search\`.`,
  operands: { views: operandsOrNone('VIEW', 'rows or search; else both') },
  options: {},
  examples: ['refold rebuild', 'refold rebuild search'],
  run: ({ operands: { views }, place, terminal }) => {
    const wanted = views.map(viewOf)
    return useEngine(place, async (engine) => {
      const progress = new RebuildBars(terminal)
      try {
        const rebuilt = await interruptible(
          (signal) =>
            engine.rebuild({
              ...(wanted.length > 0 && { views: wanted }),
              signal,
              onProgress: ({ view, position, head }) => progress.update(view, position, head),
            }),
          'Stopped. The views are as they were; running it again goes on from there.',
        )
        return { json: { views: rebuilt.views }, people: () => wordsOf(rebuilt) }
      } finally {
        await progress.close()
      }
    })
  },
})

function viewOf(word: string): RebuiltView {
  if (word === 'rows' || word === 'search') return word
  throw new UsageError(`VIEW is rows or search, not ${JSON.stringify(word)}.`)
}

function wordsOf({ views }: RebuiltViews): string {
  return views.map(({ view, position }) => `${view}: made anew up to position ${grouped(position)}`).join('\n')
}

/** One bar a view, one after another. */
class RebuildBars {
  readonly #terminal: Terminal
  #view: RebuiltView | undefined
  #bar: Progress | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  update(view: RebuiltView, position: number, head: number): void {
    if (view !== this.#view) {
      void this.#bar?.close()
      this.#view = view
      this.#bar = new Progress(this.#terminal.errors, view)
    }
    this.#bar?.update(position, head)
  }

  async close(): Promise<void> {
    await this.#bar?.close()
  }
}

export default rebuild
