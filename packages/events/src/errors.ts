/*
 * One family of errors. Expected refusals are return values and share the codes; what a caller could not foresee is
 * thrown. Every message says what happened, to what, and what to do.
 */

/** Fields that each code carries. */
export interface ErrorFields {
  'event-malformed': { readonly type: string; readonly problem: string }
  'append-malformed': { readonly stream: string; readonly problem: string }
  'bad-id': { readonly what: string; readonly value: string }
  'outcome-unknown': { readonly streams: readonly string[] }
  'store-busy': { readonly file: string; readonly waitedMs: number }
  'store-full': { readonly file: string }
  'store-readonly': { readonly file: string }
  'store-unreachable': { readonly where: string }
  'store-denied': { readonly where: string }
  'store-closed': { readonly file: string }
  'store-damaged': { readonly file: string; readonly problem: string }
  'store-failed': { readonly file: string; readonly problem: string }
  'store-replaced': { readonly file: string }
  'store-missing': { readonly file: string }
  'not-a-store': { readonly file: string }
  'store-newer': { readonly file: string; readonly found: number; readonly known: number }
  'sqlite-too-old': { readonly found: string; readonly needed: string }
  'cannot-erase': { readonly store: string }
  'batch-too-large': { readonly bytes: number; readonly limit: number }
  'blob-missing': { readonly blob: string }
  'views-behind': { readonly missing: number }
  contended: { readonly stream: string; readonly tries: number }
}

export type ErrorCode = keyof ErrorFields

const messages: { readonly [C in ErrorCode]: (fields: ErrorFields[C]) => string } = {
  'event-malformed': ({ type, problem }) =>
    `The data of ${type} does not fit its schema (${problem}). Nothing was written.`,
  'append-malformed': ({ stream, problem }) =>
    `An append to ${JSON.stringify(stream.slice(0, 60))} is malformed (${problem}). Nothing was written.`,
  'bad-id': ({ what, value }) =>
    `${what} ${JSON.stringify(value.slice(0, 60))} is no valid id: 1 to 200 characters of well-formed text are. Give another one.`,
  'outcome-unknown': ({ streams }) =>
    `The connection was lost before the store answered for ${streams.join(', ')}. Send the same command with the same key again: it is written once at most.`,
  'store-busy': ({ file, waitedMs }) =>
    `${file} was locked by another process for ${waitedMs} ms. Nothing was written; try again.`,
  'store-full': ({ file }) => `There is no space left for ${file}. Nothing was written; free some space and try again.`,
  'store-readonly': ({ file }) => `${file} may not be written. Check its permissions and those of its folder.`,
  'store-unreachable': ({ where }) => `${where} cannot be reached. Nothing is known to be written; check that it runs.`,
  'store-denied': ({ where }) => `${where} refuses these credentials. Check user, password and rights.`,
  'store-closed': ({ file }) => `${file} was closed. Open it again before using it.`,
  'store-damaged': ({ file, problem }) =>
    `${file} is damaged (${problem}). Nothing was changed; restore a backup, or salvage what is readable with \`sqlite3 FILE .recover\`.`,
  'store-failed': ({ file, problem }) =>
    `The system refused to read or write ${file} (${problem}). Check the disk and the folder, then try again.`,
  'store-replaced': ({ file }) => `${file} was replaced or deleted while it was open. Close it and open the new one.`,
  'store-missing': ({ file }) =>
    `There is no store at ${file}. Name another file, or make one: starting a session or importing a history does.`,
  'not-a-store': ({ file }) =>
    `${file} is not a Refold store. Name another file, or import it if it is another program's history.`,
  'store-newer': ({ file, found, known }) =>
    `${file} has format ${found}; this version of Refold writes up to ${known}. Update Refold.`,
  'sqlite-too-old': ({ found, needed }) =>
    `The bundled SQLite is ${found}; ${needed} or newer is needed. Reinstall better-sqlite3.`,
  'cannot-erase': ({ store }) =>
    `${store} cannot erase what was written. \`delete\` hides a session everywhere at once.`,
  'batch-too-large': ({ bytes, limit }) =>
    `The append has ${bytes} bytes; the store takes ${limit}. Split it, nothing was written.`,
  'blob-missing': ({ blob }) =>
    `The text with hash ${blob} is not in the store, though an event refers to it. Give the text itself when writing; restore what was lost from a backup.`,
  'views-behind': ({ missing }) => `The stored views lack ${missing} events and another process holds them. Try again.`,
  contended: ({ stream, tries }) => `${stream} changed under each of ${tries} tries. Nothing was written; try again.`,
}

/** What Refold throws: a stable `code`, typed `fields`, and the cause where there is one. */
export class RefoldError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'RefoldError'
  readonly code: C
  readonly fields: ErrorFields[C]

  constructor(code: C, fields: ErrorFields[C], options?: ErrorOptions) {
    super(messages[code](fields), options)
    this.code = code
    this.fields = fields
  }
}

export function isRefoldError<C extends ErrorCode>(error: unknown, code: C): error is RefoldError<C> {
  return error instanceof RefoldError && error.code === code
}
