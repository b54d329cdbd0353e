/** Epoch seconds as an event's `at`, however absurd; nothing where there is no number that JSON can hold. */
export function milliseconds(seconds: number | null): { readonly at?: number } {
  const at = seconds === null ? Number.NaN : Math.round(seconds * 1000)
  return Number.isFinite(at) ? { at } : {}
}
