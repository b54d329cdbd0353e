/** Standard input, or a file named, is missing or holds something that no command can be made of. Nothing was written. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  readonly code:
    | 'bad-line'
    | 'bad-input'
    | 'file-not-readable'
    | 'file-exists'
    | 'file-not-writable'
    | 'unknown-history'
    | 'store-missing'
    | 'bad-heads'
    | 'bad-key'
    | 'bad-signature'
    | 'bundle-broken'
    | 'other-namespace'
    | 'diverged'
    | 'id-taken'
    | 'bad-id'
  readonly fields: { readonly [name: string]: string | number }

  constructor(
    code: BadInput['code'],
    message: string,
    fields: { readonly [name: string]: string | number },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.fields = fields
  }
}

export function badLine(line: number, problem: string, cause?: unknown): BadInput {
  return new BadInput(
    'bad-line',
    `Line ${line} is no message: ${problem}. Nothing of it was written.`,
    { line, problem },
    { cause },
  )
}
