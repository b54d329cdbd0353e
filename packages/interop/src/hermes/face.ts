/** Lines that stand for an image or a file where a surface could only store text. */
const placeholder =
  /^\[(?:screenshot|image|images|photo|picture|file|attachment|audio|voice|video|document)\b[^\]\n]*\]$/i

/** A text without what differs between an original and its copies: placeholder lines and outer white space. */
export function faceOf(text: string): string {
  if (!text.includes('[')) return text.trim()
  return text
    .split('\n')
    .filter((line) => !placeholder.test(line.trim()))
    .join('\n')
    .trim()
}
