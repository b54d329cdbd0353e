/** An object's fields without those that are undefined, as optional fields. */
export type Present<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** Leaves out what was not given, for engines and JSON tell "not said" from "said to be nothing". */
export function present<T extends object>(fields: T): Present<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, minus the undefined ones
  return Object.fromEntries(entries) as Present<T>
}
