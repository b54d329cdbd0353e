/** What the parser found for one option or operand. */
export type Given = string | boolean | readonly string[] | undefined

export function givenText(given: Given): string | undefined {
  return typeof given === 'string' ? given : undefined
}

export function givenTexts(given: Given): readonly string[] {
  if (typeof given === 'string') return [given]
  return typeof given === 'object' ? given : []
}

/** Narrows what the parser hands over, whose types say nothing. */
export function asGiven(value: unknown): Given {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(String)
  return undefined
}
