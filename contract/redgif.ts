const PAGE = /^(?:https?:\/\/)?(?:www\.)?redgifs\.com\/(?:watch|ifr|gifs\/detail)\/([a-z0-9]+)(?:[/?#].*)?$/i
const PICTURE = /^(?:https?:\/\/)?i\.redgifs\.com\/i\/([a-z0-9]+)(?:[^a-z0-9].*)?$/i
const BARE = /^([a-z0-9]+)$/i
const LONGEST_ID = 100

/**
 * The embed URL of an external gif from a pasted page link, picture link or bare id; empty when there is no id in it
 * (docs/product.md, Media).
 */
export function redGifEmbedUrl(pasted: string): string {
  const text = pasted.trim()
  const id = (PAGE.exec(text) ?? PICTURE.exec(text) ?? BARE.exec(text))?.[1]
  return id === undefined || id.length > LONGEST_ID ? '' : `https://www.redgifs.com/ifr/${id.toLowerCase()}`
}
