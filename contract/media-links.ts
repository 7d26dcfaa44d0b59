/**
 * The files of an item lie beside one another in one folder, `/files/media/<item>/<expiry>.<signature>/`, so that one
 * signature is good for all of them: what a page or a playlist names relative to one of them is signed along.
 */
export const MEDIA_FILES = '/files/media'

/** The folder's address; `expiry` in seconds since 1970. */
export function mediaFolder(mediaId: string, expiry: number, signature: string): string {
  return `${MEDIA_FILES}/${mediaId}/${expiry}.${signature}/`
}

/** The file of this name in the folder of the one that the link names. */
export function fileBeside(link: string, name: string): string {
  return link.slice(0, link.lastIndexOf('/') + 1) + name
}

/** When a link ends, in seconds since 1970; 0 when it does not say. */
export function expiryOf(link: string): number {
  return Number(/\/(\d+)\.[^/]*\/[^/]*$/.exec(link)?.[1] ?? 0)
}

/** An item's files and links; see `Media`. */
type Files = {
  type: 'image' | 'video'
  url?: string | null | undefined
  poster?: string | null | undefined
  stream?: string | null | undefined
  widths: readonly number[]
}

/** The picture of an item, or the poster of a video; null when there is none, or when it is locked. */
export function pictureOf({ type, url, poster }: Files): string | null {
  if (!url) return null
  if (type === 'image') return url
  return poster ? fileBeside(url, poster) : null
}

/** The same picture in every width that there is, the narrowest first; its height follows from the item's proportions. */
export function sourcesOf(media: Files): { url: string; width: number }[] {
  const picture = pictureOf(media)
  if (picture === null) return []
  return media.widths.map((width) => ({ url: picture.replace(/w\d+(?=\.webp$)/, `w${width}`), width }))
}

/** The playlist of a longer video in several qualities (HLS); null when there is none, or when it is locked. */
export function streamOf({ url, stream }: Files): string | null {
  return url && stream ? fileBeside(url, stream) : null
}
