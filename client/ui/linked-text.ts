/** An address as people write it within text, without the punctuation behind it. */
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"']*[^\s<>"'.,:;!?)\]]/gi

type Piece = {
  text: string
  /** Where in the whole text it begins. */
  at: number
  href: string | null
}

/** A text in pieces, some of which lead somewhere. Only addresses of the web do. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    // A phone begins a sentence with a capital.
    const href = /^http/i.test(address) ? address : `https://${address}`
    if (!URL.canParse(href)) continue
    if (index > end) pieces.push({ text: text.slice(end, index), at: end, href: null })
    pieces.push({ text: address, at: index, href })
    end = index + address.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), at: end, href: null })
  return pieces
}
