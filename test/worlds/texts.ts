import * as fc from 'fast-check'

/**
 * Words that something somewhere once bent: other scripts, half characters, separators that are no line ends, zero bytes,
 * marks at the front of a file, texts that go to the blob store. Named, so that a counterexample can be read.
 */
const TEXTS = {
  word: 'a word',
  words: 'some more words, long enough that a summary of them is shorter than they are',
  question: 'why does the sensor fail?',
  empty: '',
  blank: ' \t\n ',
  cjk: '你好，世界',
  emoji: '🧪👩‍👩‍👧‍👦',
  'half before': '\uD83D half',
  'half behind': 'half \uDE00',
  separators: 'line\u2028line\u2029line\r\nline',
  'zero first': '\u0000after nothing',
  'zero inside': 'zero\u0000inside',
  marked: '\uFEFFmarked',
  composed: 'e\u0301 é',
  json: '"quotes" \\ {"json":1}',
  summary: '[CONTEXT SUMMARY] of nothing',
  long: 'long '.repeat(4_000),
  'long and marked': `\uFEFF${'marked '.repeat(3_000)}`,
  'long cjk': '很长'.repeat(4_000),
  'at the limit': 'x'.repeat(16_384),
  'just too long': `${'x'.repeat(16_384)}🧪`,
} as const

export type TextName = keyof typeof TEXTS

export const textOf = (name: TextName): string => TEXTS[name]

const odd = Object.keys(TEXTS).filter((name): name is TextName => !['word', 'words', 'question'].includes(name))

export const texts: fc.Arbitrary<TextName> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('word', 'words', 'question') },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
)
