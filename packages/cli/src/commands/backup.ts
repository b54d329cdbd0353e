import { resolve } from 'node:path'
import { command, type Command } from '../command.ts'
import { BadInput } from '../input/bad-input.ts'
import { byteSize, counted } from '../output/amount.ts'
import { Progress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from '../place/interruptible.ts'
import type { Place } from '../place/place.ts'
import { refuseStore } from '../place/refuse-store.ts'
import { storeMissing } from '../place/store-missing.ts'
import { operand } from '../words/operand.ts'
import { flag } from '../words/option.ts'

const backup: Command = command({
  description: `Copies the log into another file as of one moment, while others go on writing, and verifies the copy: pages, chain
of hashes, texts. The file appears when it is complete, readable by its owner only. To use it, name it with --db, or put it in
the place of a store that nobody has open, without that one's side files.`,
  operands: { file: operand('FILE', 'where to') },
  options: { force: flag('replaces a file that is there') },
  examples: ['refold backup refold-2026-06-19.db', 'refold --db refold-2026-06-19.db list'],
  run: async ({ operands: { file }, options: { force }, place, terminal }) => {
    const target = resolve(place.folder, file)
    await refuseStore(place, file)
    const backed = await backedUp(place, target, force, terminal)
    if (backed === 'exists')
      throw new BadInput('file-exists', `${file} is there already. Name another file, or say --force.`, { file })
    const { bytes, streams, events, blobs } = backed
    return {
      json: { file: backed.file, bytes, streams, events, blobs },
      people: () =>
        `Copied ${counted(events, 'event')} in ${counted(streams, 'stream')} to ${backed.file} (${byteSize(bytes)}); the chain is whole.`,
    }
  },
})

async function backedUp(place: Place, target: string, force: boolean, terminal: Terminal) {
  const { backUpStore, isRefoldError } = await import('@refold/engine')
  const bars = {
    copy: new Progress(terminal.errors, 'copy'),
    verify: new Progress(terminal.errors, 'verify'),
  }
  try {
    return await interruptible(
      (signal) =>
        backUpStore(place.file, target, {
          overwrite: force,
          signal,
          onProgress: ({ stage, done, total }) => {
            if (stage === 'verify') void bars.copy.close()
            bars[stage].update(done, total)
          },
        }),
      'Stopped. No file was written.',
    )
  } catch (problem) {
    throw isRefoldError(problem, 'store-missing') ? storeMissing(place) : problem
  } finally {
    await bars.copy.close()
    await bars.verify.close()
  }
}

export default backup
