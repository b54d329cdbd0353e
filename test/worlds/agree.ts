/**
 * Whether what was found says what was wanted, in the wanted text's well-formed form; `partly`: fields that nobody asked for
 * are let be. Only quick, so that most comparisons cost no report: what does not agree is compared again, with one.
 */
export function agrees(found: unknown, wanted: unknown, partly = false): boolean {
  if (typeof wanted === 'string') return found === wanted.toWellFormed()
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return Object.is(found, wanted)
  if (Array.isArray(wanted) || Array.isArray(found))
    return (
      Array.isArray(wanted) &&
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((one, place) => agrees(found[place], one, partly))
    )
  const fields = Object.entries(wanted).filter(([, value]) => value !== undefined)
  if (!partly && Object.values(found).filter((value) => value !== undefined).length !== fields.length) return false
  return fields.every(([field, value]) => agrees(Reflect.get(found, field), value, partly))
}
