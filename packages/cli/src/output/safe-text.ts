/*
 * Stored text may hold anything, also sequences that move a terminal's cursor, change its title or answer for the
 * person. Nothing stored reaches a terminal as a control.
 */

// oxlint-disable-next-line no-control-regex -- controls are what this is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex -- as above
const jsonUnsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Controls as visible signs (`␛`), reordering characters as `<U+202E>`; tabs and line feeds stay. */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(controls, visibleControl)
    .replace(reordering, (character) => `<U+${hex(character)}>`)
    .toWellFormed()
}

/** The same on one line, white space folded. */
export function safeLine(text: string): string {
  return safeText(text.replace(/\s+/g, ' ').trim())
}

/** The same JSON document, with what a terminal could obey (and JSON leaves bare) as escapes. */
export function safeJson(json: string): string {
  return json.replace(jsonUnsafe, (character) => `\\u${hex(character)}`)
}

function visibleControl(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : `<U+${hex(character)}>`
}

const hex = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
