import { CommanderError } from 'commander'
import { exitCode, type ExitCode } from './exit-code.ts'
import { failureOf, refused, type Failure } from './output/failure.ts'
import { safeText } from './output/safe-text.ts'
import { openTerminal, type Streams, type Terminal } from './output/terminal.ts'
import type { Machine } from './place/data-folder.ts'
import { Interrupted } from './place/interruptible.ts'
import { isFromCheckout, standingFolder } from './place/standing-folder.ts'
import { storePlace } from './place/store-place.ts'
import { findEntry } from './command-table.ts'
import { program } from './program.ts'

/** The process around the command. */
export interface Surroundings extends Streams, Machine {
  readonly workingFolder: string
  readonly version: string
}

/**
 * Carries out one command line (without the program's own name) and says how it went. Throws only {@link Interrupted}: the
 * process is to end by that signal.
 */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { environment, home, workingFolder } = surroundings
  const open = (json: boolean): Terminal => openTerminal(surroundings, environment, json)
  const forHelp = open(false)
  let terminal: Terminal | undefined
  let exit: ExitCode = exitCode.done
  const printHelp = (text: string): void => forHelp.write(text.trimEnd())
  const grammar = program(surroundings.version, printHelp, async (command, given, global) => {
    terminal = open(global.json)
    const folder = standingFolder(environment, workingFolder)
    const store = storePlace({ ...global, folder }, surroundings)
    const calledAs = isFromCheckout(environment) ? 'npm run --silent refold --' : 'refold'
    const answer = await command.run(
      given,
      { ...store, folder, home, environment, calledAs, isChosen: global.db !== undefined },
      terminal,
    )
    if (answer === undefined) return
    if ('ok' in answer) exit = await report(terminal, refused(answer))
    else {
      await terminal.print(answer)
      exit = answer.exit ?? exitCode.done
    }
  })
  try {
    await grammar.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.done
    if (error instanceof Interrupted) throw error
    return report(
      terminal ?? open(wantsJson(words)),
      error instanceof CommanderError ? wrongUsage(error, words) : await failureOf(error),
    )
  }
  return exit
}

async function report(terminal: Terminal, { exit, error }: Failure): Promise<ExitCode> {
  if (terminal.json) await terminal.print({ json: { error }, people: () => '' })
  else terminal.say(`refold: ${safeText(error.message)}`)
  return exit
}

function wrongUsage(error: CommanderError, words: readonly string[]): Failure {
  // What commander shows as help on standard error is the message already.
  const message =
    error.code === 'commander.help'
      ? 'No command was given. `refold --help` lists them.'
      : `${sentence(error.message)}. ${whereToLook(words)}`
  return { exit: exitCode.usage, error: { code: 'usage', message } }
}

function whereToLook(words: readonly string[]): string {
  const named = words.find((word) => findEntry(word) !== undefined)
  return named === undefined ? '`refold --help` lists the commands.' : `\`refold ${named} --help\` explains it.`
}

const sentence = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n+/g, ' ')
    .replace(/\.$/, '')

/** Whether a caller whose words could not be parsed wanted JSON. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return (end < 0 ? words : words.slice(0, end)).includes('--json')
}
