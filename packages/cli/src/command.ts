import type { Answer } from './output/answer.ts'
import type { Terminal } from './output/terminal.ts'
import type { Place } from './place/place.ts'
import type { Given } from './words/given.ts'
import type { Operand } from './words/operand.ts'
import type { Option } from './words/option.ts'
import { kebabCase } from './words/kebab-case.ts'
import { UsageError } from './words/usage-error.ts'
import type { RefusalLike } from './output/failure.ts'

type Options = { readonly [name: string]: Option<unknown> }
type Operands = { readonly [name: string]: Operand<unknown> }

type Readables = { readonly [name: string]: { readonly read: (given: Given) => unknown } }

type Values<K extends Readables> = {
  readonly [N in keyof K]: ReturnType<K[N]['read']>
}

/** What a command is called with. */
export interface Call<O extends Options, P extends Operands> {
  readonly options: Values<O>
  readonly operands: Values<P>
  readonly place: Place
  readonly terminal: Terminal
}

/** A command as it is written down, one file each under `commands/`. */
export interface CommandText<O extends Options, P extends Operands> {
  /** What the help says below the usage line. */
  readonly description: string
  readonly operands: P
  readonly options: O
  /** Complete lines, as a person would type them. */
  readonly examples: readonly string[]
  /** Says what was done, or why not; void where it printed as it went. */
  readonly run: (call: Call<O, P>) => Promise<Answer | RefusalLike | void>
}

/** The words of one call, as the parser found them. */
export interface Words {
  readonly options: { readonly [name: string]: Given }
  readonly operands: readonly Given[]
}

/** A command with its own value types hidden behind `run`. */
export interface Command {
  readonly description: string
  readonly operands: Operands
  readonly options: Options
  readonly examples: readonly string[]
  readonly run: (words: Words, place: Place, terminal: Terminal) => Promise<Answer | RefusalLike | void>
}

/** A word that only gathers commands below it, such as `turn`; itself a command where there is `own`. */
export interface CommandGroup {
  readonly description: string
  readonly own?: Command
  readonly members: { readonly [name: string]: { readonly summary: string; readonly command: Command } }
}

export function command<const O extends Options, const P extends Operands>(text: CommandText<O, P>): Command {
  return {
    ...text,
    run: async (words, place, terminal) => {
      const options = readEach(
        text.options,
        (name) => words.options[name],
        (name) => `--${kebabCase(name)}`,
      )
      const names = Object.keys(text.operands)
      const operands = readEach(
        text.operands,
        (name) => words.operands[names.indexOf(name)],
        (name) => text.operands[name]?.name ?? name,
      )
      return text.run({ options, operands, place, terminal })
    },
  }
}

function readEach<K extends Readables>(
  kinds: K,
  given: (name: string) => Given,
  label: (name: string) => string,
): Values<K> {
  const values: { [name: string]: unknown } = {}
  for (const [name, kind] of Object.entries(kinds)) {
    try {
      values[name] = kind.read(given(name))
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`${label(name)}: ${error.message}.`, { cause: error })
      throw error
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the boundary where parsed words become values: one for each key of `kinds`
  return values as Values<K>
}
