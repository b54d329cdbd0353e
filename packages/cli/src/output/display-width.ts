/* Columns that a terminal gives a text: exact for what people write, be it Latin, CJK or emoji. */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const emoji = /\p{Emoji_Presentation}|\uFE0F|\u200D/u
const marks = /[\p{M}\u200b-\u200d\ufeff]/gu
/** East Asian wide and full-width characters. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}\u{1b001}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]/u
// oxlint-disable-next-line no-control-regex -- the colours that this program itself puts in
const colour = /\u001b\[\d*m/g
/** One column each, as most of what is printed: Latin letters and the usual punctuation. To segment them costs much. */
const plain = /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027\u2030-\u205e]*$/

export function displayWidth(text: string): number {
  const bare = text.replace(colour, '')
  if (plain.test(bare)) return bare.length
  let width = 0
  for (const { segment } of segmenter.segment(bare)) width += graphemeWidth(segment)
  return width
}

/** The text, or as much of it as fits into `width` columns with an ellipsis; never half a character. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (plain.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    const next = graphemeWidth(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return `${kept.trimEnd()}…`
}

function graphemeWidth(grapheme: string): number {
  if (emoji.test(grapheme)) return 2
  let width = 0
  for (const character of grapheme.replace(marks, '')) width += wide.test(character) ? 2 : 1
  return width
}
