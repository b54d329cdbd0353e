import { givenText, givenTexts, type Given } from './given.ts'
import { UsageError } from './usage-error.ts'

/** One word of a command that is no option; operands stand in the order of the command's `operands`. */
export interface Operand<T> {
  readonly name: string
  readonly help: string
  readonly takes: 'one' | 'one-or-none' | 'many' | 'many-or-none'
  readonly read: (given: Given) => T
}

export function operand(name: string, help: string): Operand<string> {
  return { name, help, takes: 'one', read: (given) => givenText(given) ?? missing() }
}

export function operandOrNone(name: string, help: string): Operand<string | undefined> {
  return { name, help, takes: 'one-or-none', read: givenText }
}

export function operands(name: string, help: string): Operand<readonly string[]> {
  return { name, help, takes: 'many', read: givenTexts }
}

export function operandsOrNone(name: string, help: string): Operand<readonly string[]> {
  return { name, help, takes: 'many-or-none', read: givenTexts }
}

const sessionHelp = 'an id, any id it ever had, an exact title, or how an id or title begins (3 characters or more)'

export const sessionOperand: Operand<string> = operand('SESSION', sessionHelp)
export const sessionOperandOrNone: Operand<string | undefined> = operandOrNone('SESSION', sessionHelp)

function missing(): never {
  throw new UsageError('is missing')
}
