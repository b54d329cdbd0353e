/** Beyond this a date cannot say it. */
const furthest = 8.64e15

/** ISO 8601 in UTC; null for a time that no calendar holds. */
export function isoTime(time: number): string | null {
  return Math.abs(time) <= furthest ? new Date(time).toISOString() : null
}

/** `2026-06-19 15:11`, in the time zone of whoever reads it. */
export function localTime(time: number): string {
  if (!(Math.abs(time) <= furthest)) return '?'
  const date = new Date(time)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const two = (value: number): string => String(value).padStart(2, '0')
