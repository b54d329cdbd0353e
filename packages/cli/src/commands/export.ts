import { command, type Command } from '../command.ts'
import { BadInput } from '../input/bad-input.ts'
import { counted } from '../output/amount.ts'
import { interruptible } from '../place/interruptible.ts'
import { refuseStore } from '../place/refuse-store.ts'
import { writeWhole } from '../place/write-whole.ts'
import { useEngine } from '../place/use-engine.ts'
import { exportPieces } from '../render/export-pieces.ts'
import { operandsOrNone } from '../words/operand.ts'
import { choice, flag, text } from '../words/option.ts'
import { UsageError } from '../words/usage-error.ts'

const exportCommand: Command = command({
  description: `Writes sessions out. jsonl (the default) holds every event as it was recorded, its chain of hashes, all texts and
attachments, and of the sessions that these began from what they show of them: \`refold import\` gives the same sessions
elsewhere, and \`refold verify FILE\` checks the file with no store. md is the transcript to be read, json the one of \`show --json\`,
whole. With --out the file appears when it is complete.`,
  operands: { sessions: operandsOrNone('SESSION', 'a session, by any of its names') },
  options: {
    all: flag('every session of the namespace, deleted ones included (jsonl only)'),
    format: choice('F', ['jsonl', 'md', 'json'], 'else jsonl'),
    out: text('FILE', 'writes there, readable by its owner only, instead of on standard output'),
    force: flag('replaces a file that is there'),
  },
  examples: [
    'refold export release-notes > release-notes.jsonl',
    'refold export release-notes --format md --out release-notes.md',
    'refold export --all --out everything.jsonl',
  ],
  run: async ({ operands: { sessions }, options, place, terminal }) => {
    const { all, out, force, format = 'jsonl' } = options
    if (all === sessions.length > 0) throw new UsageError('Name sessions, or --all.')
    if (format !== 'jsonl' && (all || sessions.length > 1))
      throw new UsageError(`--format ${format} takes one session.`)
    if (out !== undefined && out !== '-') await refuseStore(place, out)
    return useEngine(place, async (engine) => {
      const pieces = await exportPieces(engine, all ? 'all' : sessions, format)
      if ('ok' in pieces) return pieces
      return interruptible(async (signal) => {
        if (out === undefined || out === '-') {
          for await (const piece of pieces.text) {
            signal.throwIfAborted()
            if (!(await terminal.stream(piece))) return undefined
          }
          return undefined
        }
        const written = await writeWhole(place, out, { text: pieces.text, force, signal })
        if (written === 'exists')
          throw new BadInput('file-exists', `${out} is there already. Name another file, or say --force.`, {
            file: out,
          })
        const { file, bytes } = written
        return {
          json: { file, format, bytes },
          people: () => `Wrote ${counted(bytes, 'byte')} to ${file}.`,
        }
      }, 'Stopped. No file was written.')
    })
  },
})

export default exportCommand
