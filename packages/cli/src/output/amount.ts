/** `1 message`, `24 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** `2.3 kB`; decimal units. */
export function byteSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return unit === 0 ? counted(bytes, 'byte') : `${value.toFixed(1)} ${units[unit] ?? ''}`
}

/** US dollars, to the cent; smaller sums to the hundredth of a cent. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && Math.abs(amount) < 1 ? 4 : 2)}`
}
