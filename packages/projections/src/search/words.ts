/*
 * What a word is, for the index and for finding matches in a text alike. The index itself only parts ASCII letters and digits
 * from all else and folds their case; whatever goes beyond that happens here, so that it does not hang on the version of
 * Unicode that SQLite was built with.
 */

/** Scripts that are written without spaces, and pictures: each character is a word, and words of several are phrases. */
const ALONE =
  String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u3006\u30fc\uff70` +
  String.raw`\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}`

const piece = new RegExp(String.raw`[${ALONE}]|[[\p{L}\p{M}\p{N}]--[${ALONE}]]+`, 'gv')
const ascii = /^[\0-\x7f]*$/ // oxlint-disable-line no-control-regex -- all of ASCII
/** Of the former those that are most frequent, and that folding leaves as they are. */
const plainAlone = /[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/g
/** A word with something else beyond ASCII in it, and whatever of that hangs together with it. */
const beyondAscii =
  /(?<![0-9A-Za-z])[0-9A-Za-z]*[\u0080-\u3040\u3097-\u30a0\u30fb-\u4dff\ua000-\uabff\ud7a4-\u{10ffff}][0-9A-Za-z\u0080-\u3040\u3097-\u30a0\u30fb-\u4dff\ua000-\uabff\ud7a4-\u{10ffff}]*/gu
const separators = /[^\p{L}\p{M}\p{N}\p{S}]+|[$+<=>^`|~]+/u
/** Accents, points and the like, and what only says how a character is drawn. */
const marks = new RegExp(
  String.raw`[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]|` +
    String.raw`[\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]|\p{Variation_Selector}`,
  'gu',
)

/** A word as the index has it, and where it stands in the text: UTF-16 units `[from, to)`. */
export interface Word {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** The words of a text in Unicode NFC, one after the other as they are asked for. */
export function* wordsOf(text: string): Generator<Word, void> {
  for (const { 0: found, index } of text.matchAll(piece))
    for (const word of folded(found)) yield { word, from: index, to: index + found.length }
}

/** A text in Unicode NFC as it goes into the index: plain English stays as it is. */
export function indexForm(text: string): string {
  if (ascii.test(text)) return text
  return text.replace(plainAlone, ' $& ').replace(beyondAscii, (run) => {
    const words: string[] = []
    for (const { word } of wordsOf(run)) words.push(word)
    return ` ${words.join(' ')} `
  })
}

const foldedBefore = new Map<string, readonly string[]>()
/** Words whose folding is remembered, before memory begins anew. */
const REMEMBERED = 10_000

/** Case, accents and forms of width folded. Several words where a sign stands for several, none where nothing is left. */
function folded(found: string): readonly string[] {
  const known = foldedBefore.get(found)
  if (known) return known
  const words = ascii.test(found) ? [found.toLowerCase()] : fold(found)
  if (foldedBefore.size >= REMEMBERED) foldedBefore.clear()
  foldedBefore.set(found, words)
  return words
}

function fold(found: string): readonly string[] {
  const plain = found.normalize('NFKD').toLowerCase().replace(marks, '').replaceAll('ς', 'σ').normalize('NFC')
  return plain.split(separators).filter((word) => word !== '')
}
