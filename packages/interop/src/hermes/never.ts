/** Where the compiler has proven that no case is left. */
export function never(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`)
}
