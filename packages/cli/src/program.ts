import { Argument, Command as Parser, Option as ParserOption } from 'commander'
import type { Command, CommandGroup, Words } from './command.ts'
import { commandTable, findEntry } from './command-table.ts'
import { asGiven } from './words/given.ts'
import { kebabCase } from './words/kebab-case.ts'
import type { Operand } from './words/operand.ts'
import type { Option } from './words/option.ts'

/** What may be said with every command, before or after it. */
export interface GlobalWords {
  readonly db?: string
  readonly namespace?: string
  readonly json: boolean
}

/** Called with the command that the words name. */
export type Perform = (command: Command, words: Words, global: GlobalWords) => Promise<void>

const description = `Keeps the sessions of AI agents as events, and folds them into what people read and what models are sent.

SESSION is an id, any id the session ever had, an exact title, or how an id or title begins (3 characters or more).`

const ending = `
Store: --db, else $REFOLD_DB, else the data folder of this machine.
Exit status: 0 done, 1 refused or not found, 2 wrong usage, 3 store damaged or not readable, 4 busy or unreachable.
\`refold COMMAND --help\` explains one command.`

/** The command line's grammar. A command's own part is filled in when it is called. */
export function program(version: string, printHelp: (text: string) => void, perform: Perform): Parser {
  const root = new Parser('refold')
    .description(description)
    .usage('[options] COMMAND …')
    .option('--db <FILE>', 'the store to work on')
    .option('--namespace <NAME>', 'whose sessions: else $REFOLD_NAMESPACE, else `default`')
    .option('--json', 'prints one JSON document and nothing else on standard output')
    .version(version, '--version', 'prints the version')
    .helpOption('-h, --help', 'explains the command')
    .helpCommand(false)
    .addHelpText('after', ending)
    .exitOverride()
    .configureOutput({ writeOut: printHelp, writeErr: silent, outputError: silent })
  const attach = (parser: Parser, command: Command): void => fillIn(parser, command, root, perform)

  for (const { heading, entries } of commandTable) {
    for (const { name, summary } of entries) root.command(name).summary(summary).helpGroup(heading)
  }
  root
    .command('help')
    .summary('explains a command')
    .helpGroup('First steps:')
    .argument('[COMMAND]')
    .action(async (name: string | undefined) => {
      const parser = name === undefined ? undefined : root.commands.find((known) => known.name() === name)
      if (parser !== undefined) await load(parser, attach)
      return (parser ?? root).help()
    })
  root.hook('preSubcommand', (_, parser) => load(parser, attach))
  return root
}

/** What goes wrong is said once, by the caller, on the stream that its own caller listens to. */
const silent = (): void => undefined

type Attach = (parser: Parser, command: Command) => void

async function load(parser: Parser, attach: Attach): Promise<void> {
  const entry = findEntry(parser.name())
  if (entry === undefined) return
  const { default: loaded } = await entry.load()
  if (isGroup(loaded)) {
    parser.description(unwrapped(loaded.description)).helpCommand(false)
    if (loaded.own) attach(parser, loaded.own)
    for (const [name, member] of Object.entries(loaded.members)) {
      const below = parser.command(name).summary(member.summary)
      attach(below, member.command)
    }
  } else attach(parser, loaded)
}

const isGroup = (loaded: Command | CommandGroup): loaded is CommandGroup => 'members' in loaded

/** The help wraps lines itself. */
const unwrapped = (text: string): string => text.replaceAll('\n', ' ')

function fillIn(parser: Parser, command: Command, root: Parser, perform: Perform): void {
  parser.description(unwrapped(command.description))
  for (const operand of Object.values(command.operands)) parser.addArgument(argumentOf(operand))
  for (const [name, option] of Object.entries(command.options)) parser.addOption(optionOf(name, option))
  parser.addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`)
  parser.configureHelp({ showGlobalOptions: true })
  parser.action(async () => {
    const given: { readonly [name: string]: unknown } = parser.opts()
    const options = Object.fromEntries(Object.keys(command.options).map((name) => [name, asGiven(given[name])]))
    const operands = parser.processedArgs.map(asGiven)
    await perform(command, { options, operands }, globalWords(root))
  })
}

function globalWords(root: Parser): GlobalWords {
  const { db, namespace, json } = root.opts<{ db?: string; namespace?: string; json?: boolean }>()
  return { json: json === true, ...(db !== undefined && { db }), ...(namespace !== undefined && { namespace }) }
}

function argumentOf({ name, help, takes }: Operand<unknown>): Argument {
  switch (takes) {
    case 'one':
      return new Argument(`<${name}>`, help)
    case 'one-or-none':
      return new Argument(`[${name}]`, help)
    case 'many':
      return new Argument(`<${name}...>`, help)
    case 'many-or-none':
      return new Argument(`[${name}...]`, help)
    default:
      return takes satisfies never
  }
}

function optionOf(name: string, { takes, placeholder, help, choices, required }: Option<unknown>): ParserOption {
  const long = `--${kebabCase(name)}`
  const words = choices === undefined ? help : `${help} (${choices.join(', ')})`
  switch (takes) {
    case 'nothing':
      return new ParserOption(long, words)
    case 'value':
      return new ParserOption(`${long} <${placeholder}>`, words).makeOptionMandatory(required === true)
    case 'value-or-nothing':
      return new ParserOption(`${long} [${placeholder}]`, words)
    case 'values':
      return new ParserOption(`${long} <${placeholder}...>`, words)
    default:
      return takes satisfies never
  }
}
