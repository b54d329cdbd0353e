/** Characters that a title may have, counted as a reader counts code points. */
export const TITLE_LIMIT = 100

/** Zero-width characters and those that steer the direction of writing. */
const UNSEEN = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu
/** Control characters but those that are white space. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const CONTROL = /[\u0000-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F]/gu
// oxlint-disable-next-line no-control-regex -- the separators among them count as white space
const WHITE_SPACE = /[\s\u001C-\u001F\u0085]+/gu

/** A title as it is kept: no control, zero-width or bidi characters, white space folded. Doing it twice changes nothing. */
export function cleanTitle(title: string): string {
  return title.toWellFormed().replace(CONTROL, '').replace(UNSEEN, '').replace(WHITE_SPACE, ' ').trim()
}

/** False for what a reader would take for nothing at all. */
export function hasVisibleCharacter(text: string): boolean {
  return cleanTitle(text) !== ''
}

export function titleLength(title: string): number {
  return Array.from(title).length
}

/** `name #2` for `name`: the name without a number that was given before, shortened where the whole would be too long. */
export function numberedTitle(title: string, number: number): string {
  const suffix = ` #${number}`
  const base = title.replace(/ #\d+$/u, '')
  const room = TITLE_LIMIT - suffix.length
  const shortened = titleLength(base) > room ? Array.from(base).slice(0, room).join('').trimEnd() : base
  return shortened + suffix
}

/** The number with which a title stands for a name; 0 where it does not. */
export function numberIn(name: string, title: string): number {
  const number = Number(/ #([1-9]\d*)$/u.exec(title)?.[1] ?? 0)
  return number > 1 && numberedTitle(name, number) === title ? number : 0
}
