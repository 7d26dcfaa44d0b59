import type { z } from 'zod'
import { formatMoney } from '../../../contract/money.ts'
import type { Media } from '../../../contract/routes/media/viewing.ts'
import type { Signer } from '../../crypto/signer.ts'
import type { StoredVariant } from '../../db/tables/media.ts'
import type { Companion } from '../../viewer.ts'
import { linkExpiry, mainPicture } from './rules.ts'

/** A media item as the database gives it for one viewer; see `mediaFor`. */
export type MediaRow = {
  id: string
  creator_id: string
  username: string
  type: 'image' | 'video'
  red_gif: string
  title: string
  description: string
  price_cents: number
  duration_seconds: number | null
  width: number
  height: number
  thumbhash: string
  damaged: boolean
  variants: StoredVariant[]
  show_in_search: boolean
  reddit_promotion: boolean
  must_unlock: boolean
  show_in_store: boolean
  direct_only: boolean
  tag_ids: string[]
  created_at: Date
  viewable: boolean
  owned: boolean
  /** Who is depicted, as far as this viewer is told. */
  depicted: string[]
  /** Whether this viewer's name goes over it. */
  watermarked: boolean
}

export type MediaItem = z.input<typeof Media>

/** Makes the address of one variant, for one viewer at one moment. */
export type Links = (mediaId: string, variant: string) => string

const PURPOSE = 'media.link'
const claim = (mediaId: string, expiry: number, companionKey: string) =>
  `${mediaId}/${expiry}/${companionKey}`

/** Links bound to media, expiry and viewer: whoever else gets hold of one opens nothing (decisions §4). One signature an item. */
export function linksFor(signer: Signer, companion: Companion, now: Date): Links {
  const expiry = linkExpiry(now)
  let signed = { mediaId: '', signature: '' }
  return (mediaId, variant) => {
    if (signed.mediaId !== mediaId)
      signed = { mediaId, signature: signer.sign(PURPOSE, claim(mediaId, expiry, companion.key)) }
    return `/files/media/${mediaId}/${variant}?e=${expiry}&s=${signed.signature}`
  }
}

/** Whether this link was made by us for this viewer, and is not over yet. */
export function verifyMediaUrl(
  signer: Signer,
  link: { mediaId: string; expiry: string; signature: string },
  companionKey: string,
  now: Date,
): boolean {
  const expiry = /^\d{1,12}$/.test(link.expiry) ? Number(link.expiry) : 0
  if (expiry * 1000 <= now.getTime()) return false
  return signer.verify(PURPOSE, claim(link.mediaId, expiry, companionKey), link.signature)
}

const VIDEO = 'video.mp4'
const PLAYLIST = 'hls.m3u8'

/**
 * One item for one viewer. Locked, it has no link at all: type, price, duration, size, title and the blur remain, and
 * the description of what is for sale.
 */
export function presentMedia(row: MediaRow, links: Links): MediaItem {
  const variants = row.viewable ? row.variants : []
  // An AVIF has no address: it comes in place of the WebP, to browsers that can show it.
  const pictures = variants.filter(({ mime }) => mime === 'image/webp')
  const picture = mainPicture(pictures)
  const pictureUrl = picture && links(row.id, picture.name)
  const linkTo = (name: string) =>
    variants.some((variant) => variant.name === name) ? links(row.id, name) : null
  return {
    _id: row.id,
    creatorId: row.creator_id,
    username: row.username,
    type: row.type,
    url: row.type === 'image' ? pictureUrl : linkTo(VIDEO),
    poster: row.type === 'video' ? pictureUrl : null,
    stream: linkTo(PLAYLIST),
    sources: pictures.map(({ name, width, height }) => ({ url: links(row.id, name), width, height })),
    redGif: row.viewable ? row.red_gif : '',
    title: row.title,
    description: row.viewable || row.show_in_store ? row.description : '',
    price: formatMoney(row.price_cents),
    duration: row.duration_seconds,
    width: row.width,
    height: row.height,
    preview: row.thumbhash,
    locked: !row.viewable,
    ...(row.viewable && row.watermarked ? { watermarked: true } : {}),
    owned: row.owned,
    tagIds: row.tag_ids,
    performerIds: row.depicted,
    ...(row.damaged && row.depicted.length > 0 ? { damaged: true } : {}),
    showInSearch: row.show_in_search,
    redditPromotion: row.reddit_promotion,
    mustUnlock: row.must_unlock,
    showInStore: row.show_in_store,
    directOnly: row.direct_only,
    createdAt: row.created_at.toISOString(),
  }
}
