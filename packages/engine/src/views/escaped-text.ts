/*
 * SQLite keeps text as UTF-8, which has no lone surrogates, though JavaScript's strings and so a view's titles and previews may.
 * They are written as U+D7FF, which no script uses, with what follows it: the code points' order stays theirs, and each text
 * comes back as it was.
 */

const MARK = '\ud7ff'
/** What follows the mark where it stands for itself, and for a lone surrogate: rising, as the code points do. */
const ITSELF = '1'
const SURROGATE = '2'
const FIRST_SURROGATE = 0xd800
/** Keeps the third character clear of controls. */
const SHIFT = 0x100

export function escapeText(text: string): string {
  if (text.isWellFormed() && !text.includes(MARK)) return text
  return Array.from(text, (character) => {
    if (character === MARK) return MARK + ITSELF
    if (character.isWellFormed()) return character
    return MARK + SURROGATE + String.fromCharCode(character.charCodeAt(0) - FIRST_SURROGATE + SHIFT)
  }).join('')
}

export function unescapeText(text: string): string {
  if (!text.includes(MARK)) return text
  return text.replace(/\ud7ff(?:1|2(.))/gs, (_, surrogate: string | undefined) =>
    surrogate === undefined ? MARK : String.fromCharCode(surrogate.charCodeAt(0) - SHIFT + FIRST_SURROGATE),
  )
}
