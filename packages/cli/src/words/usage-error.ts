/** The words on the command line make no command. Nothing was read or written. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
