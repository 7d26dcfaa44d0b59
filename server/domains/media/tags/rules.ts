/** Characters without a shape, but for the joiners that scripts and emoji are written with. */
const INVISIBLE = /[^\P{Cf}\u200c\u200d]/gu

/** A tag's name as it is kept: composed letters, single spaces. Null when there is nothing in it to be seen. */
export function tagName(typed: string): string | null {
  const name = typed.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? name : null
}
