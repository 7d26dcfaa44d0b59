/** Most characters that come before what was found, in UTF-16 code units. */
const BEFORE = 20

/** A text from a few words before what was found in it, so that one line shows this also far down a long message. */
export function fromFound(content: string, sought: string): string {
  const at = content.toLowerCase().indexOf(sought.trim().toLowerCase())
  if (at <= BEFORE) return content
  const space = content.slice(at - BEFORE, at).search(/\s/)
  return `…${content.slice(space < 0 ? at : at - BEFORE + space + 1)}`
}
