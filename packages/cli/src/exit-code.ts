/** What the command's exit status says; part of the public contract. */
export const exitCode = {
  done: 0,
  /** Refused, or not found; a code says which. */
  refused: 1,
  usage: 2,
  /** The store is damaged or cannot be read. */
  unreadable: 3,
  /** Busy or unreachable: the same command may work later. */
  busy: 4,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
