/** A small seeded generator (mulberry32): the same shapes in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const syllables = [
  'sen',
  'sor',
  'log',
  'fold',
  'ses',
  'sion',
  'tip',
  'branch',
  'stream',
  're',
  'vi',
  'sion',
  'a',
  'the',
]

/** Text of about this many bytes that compresses and tokenises like prose, unlike one letter repeated. */
export function words(bytes: number, random: () => number): string {
  let text = ''
  while (text.length < bytes) {
    const length = 1 + Math.floor(random() * 3)
    for (let part = 0; part < length; part++) text += syllables[Math.floor(random() * syllables.length)] ?? ''
    text += random() < 0.08 ? '. ' : ' '
  }
  return text.slice(0, bytes)
}
