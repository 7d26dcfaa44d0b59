import type { z } from 'zod'
import { formatMoney } from '../../../contract/money.ts'
import type { Media, MediaVersion } from '../../../contract/routes/media/viewing.ts'
import type { Signer } from '../../crypto/signer.ts'
import type { StoredVariant } from '../../db/tables/media.ts'
import type { Companion } from '../../viewer.ts'
import type { TheirVersion } from './entitlements/data.ts'
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
  version_id: string
  /** What they bought of it, which is shown in place of its current version. */
  their_version?: TheirVersion | null
  /** Given where an item that was taken down can be met at all. */
  quarantined_at?: Date | null
}

export type MediaItem = z.input<typeof Media>

/** Makes the address of one variant of one version, for one viewer at one moment. */
export type Links = (versionId: string, variant: string) => string

const PURPOSE = 'media.link'
const claim = (versionId: string, expiry: number, companionKey: string) =>
  `${versionId}/${expiry}/${companionKey}`

/** Links bound to a version, expiry and viewer: whoever else gets hold of one opens nothing (decisions §4). One signature an item. */
export function linksFor(signer: Signer, companion: Companion, now: Date): Links {
  const expiry = linkExpiry(now)
  let signed = { versionId: '', signature: '' }
  return (versionId, variant) => {
    if (signed.versionId !== versionId)
      signed = { versionId, signature: signer.sign(PURPOSE, claim(versionId, expiry, companion.key)) }
    return `/files/media/${versionId}/${variant}?e=${expiry}&s=${signed.signature}`
  }
}

/** Whether this link was made by us for this viewer, and is not over yet. */
export function verifyMediaUrl(
  signer: Signer,
  link: { versionId: string; expiry: string; signature: string },
  companionKey: string,
  now: Date,
): boolean {
  const expiry = /^\d{1,12}$/.test(link.expiry) ? Number(link.expiry) : 0
  if (expiry * 1000 <= now.getTime()) return false
  return signer.verify(PURPOSE, claim(link.versionId, expiry, companionKey), link.signature)
}

const VIDEO = 'video.mp4'
const PLAYLIST = 'hls.m3u8'

/**
 * One item for one viewer. Locked, it has no link at all: type, price, duration, size, title and the blur remain, and
 * the description of what is for sale.
 */
export function presentMedia(given: MediaRow, links: Links): MediaItem {
  const row = inTheirVersion(given)
  const variants = row.viewable ? row.variants : []
  // An AVIF has no address: it comes in place of the WebP, to browsers that can show it.
  const pictures = variants.filter(({ mime }) => mime === 'image/webp')
  const picture = mainPicture(pictures)
  const pictureUrl = picture && links(row.version_id, picture.name)
  const linkTo = (name: string) =>
    variants.some((variant) => variant.name === name) ? links(row.version_id, name) : null
  return {
    _id: row.id,
    creatorId: row.creator_id,
    username: row.username,
    type: row.type,
    url: row.type === 'image' ? pictureUrl : linkTo(VIDEO),
    poster: row.type === 'video' ? pictureUrl : null,
    stream: linkTo(PLAYLIST),
    sources: pictures.map(({ name, width, height }) => ({ url: links(row.version_id, name), width, height })),
    redGif: row.viewable ? row.red_gif : '',
    title: row.title,
    description: row.viewable || row.show_in_store ? row.description : '',
    price: formatMoney(row.price_cents),
    duration: row.duration_seconds,
    width: row.width,
    height: row.height,
    preview: row.quarantined_at ? NO_PREVIEW : row.thumbhash,
    locked: !row.viewable,
    ...(row.viewable && row.watermarked ? { watermarked: true } : {}),
    owned: row.owned,
    tagIds: row.tag_ids,
    performerIds: row.depicted,
    showInSearch: row.show_in_search,
    redditPromotion: row.reddit_promotion,
    mustUnlock: row.must_unlock,
    showInStore: row.show_in_store,
    directOnly: row.direct_only,
    createdAt: row.created_at.toISOString(),
    ...(row.version_id === given.version_id ? {} : { versionId: row.version_id }),
    ...(row.quarantined_at ? { takenDownAt: row.quarantined_at.toISOString() } : {}),
  }
}

/** One of the versions of an item that its viewer may see. */
export function presentVersion(
  row: MediaRow,
  { versionId, current, addedAt, version }: ShownVersion,
  links: Links,
): z.input<typeof MediaVersion> {
  const media = presentMedia({ ...row, their_version: version }, links)
  return { versionId, current, addedAt: addedAt.toISOString(), media }
}

type ShownVersion = { versionId: string; current: boolean; addedAt: Date; version: TheirVersion }

/** A plain gray in place of the blur of what was taken down. */
const NO_PREVIEW = 'IAgCBABYi3iId3t3+JcAAAAAAA=='

/** The item as its buyer bought it, whatever its file was replaced by since. */
function inTheirVersion(row: MediaRow): MediaRow {
  if (!row.their_version) return row
  const { id, ...version } = row.their_version
  return { ...row, ...version, version_id: id, viewable: true }
}
