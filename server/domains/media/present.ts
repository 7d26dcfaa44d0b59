import type { z } from 'zod'
import { profileImageAddress } from '../../../contract/files.ts'
import { mediaFolder } from '../../../contract/media-links.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { libraryRoutes } from '../../../contract/routes/media/library.ts'
import type { Tag } from '../../../contract/routes/media/tags.ts'
import type { FeedMedia, Media, MediaVersion } from '../../../contract/routes/media/viewing.ts'
import { type TakedownGround, takedownReason } from '../../../contract/takedowns.ts'
import type { Signer } from '../../crypto/signer.ts'
import type { StoredVariant } from '../../db/tables/media.ts'
import type { Companion } from '../../viewer.ts'
import type { TheirVersion } from './entitlements/data.ts'
import type { UnlockableRow } from './library/unlocking/data.ts'
import { linkExpiry, mainPicture } from './rules.ts'
import type { TagRow } from './tags/data.ts'
import { contentsVersion } from './versions/data.ts'

/** A media item of a list as the database gives it for one viewer; see `FEED_COLUMNS`. */
export type FeedRow = {
  id: string
  username: string
  type: 'image' | 'video'
  red_gif: string
  title: string
  price_cents: number
  duration_seconds: number | null
  width: number
  height: number
  thumbhash: string
  variants: StoredVariant[]
  version_id: string
  show_in_store: boolean
  viewable: boolean
  owned: boolean
  /** Whether this viewer's name goes over it. */
  watermarked: boolean
  /** The version that they bought, shown in place of the current one. */
  their_version?: TheirVersion | null
  /** Given where an item that was taken down can be met at all. */
  quarantined_at?: Date | null
}

/** All of a media item for one viewer; see `mediaFor`. */
export type MediaRow = FeedRow & {
  creator_id: string
  description: string
  show_in_search: boolean
  reddit_promotion: boolean
  must_unlock: boolean
  direct_only: boolean
  tag_ids: string[]
  created_at: Date
  damaged: boolean
  quarantine_ground: TakedownGround | null
  quarantine_note: string
  /** The people depicted, as far as this viewer is told. */
  depicted: string[]
}

export type MediaItem = z.input<typeof Media>
export type FeedItem = z.input<typeof FeedMedia>

/** Makes the address of the folder in which the files of one version lie, for one viewer at one moment. */
export type Links = (versionId: string) => string

const PURPOSE = 'media.link'
const signedPayload = (versionId: string, expiry: number, companionKey: string) =>
  `${versionId}/${expiry}/${companionKey}`

/** Links bound to a version, an expiry and a viewer: nobody else can use them (docs/product.md, Media). */
export function linksFor(signer: Signer, companion: Companion, now: Date): Links {
  const expiry = linkExpiry(now)
  return (versionId) =>
    mediaFolder(versionId, expiry, signer.sign(PURPOSE, signedPayload(versionId, expiry, companion.key)))
}

/** Expiry and signature from the folder of a link; null when it has expired or is malformed. */
export function readLink(folder: string, now: Date): { expiry: number; signature: string } | null {
  const [, seconds, signature = ''] = /^([1-9]\d{0,11})\.(.+)$/.exec(folder) ?? []
  const expiry = Number(seconds ?? 0)
  return expiry * 1000 > now.getTime() ? { expiry, signature } : null
}

/** Whether this link was made by us, for this viewer and this version. */
export function verifyLink(
  signer: Signer,
  link: { expiry: number; signature: string },
  versionId: string,
  companionKey: string,
): boolean {
  return signer.verify(PURPOSE, signedPayload(versionId, link.expiry, companionKey), link.signature)
}

const VIDEO = 'video.mp4'
const PLAYLIST = 'hls.m3u8'

/** The files of an item as the contract names them. An AVIF has no address: it comes in place of the WebP. */
function filesOf(row: FeedRow, links: Links) {
  const pictures = row.variants.filter(({ mime }) => mime === 'image/webp').sort((a, b) => a.width - b.width)
  const picture = mainPicture(pictures)?.name ?? null
  const has = (name: string) => row.variants.some((variant) => variant.name === name)
  const main = row.type === 'image' ? picture : has(VIDEO) ? VIDEO : null
  return {
    url: main && links(row.version_id) + main,
    poster: row.type === 'video' ? picture : null,
    stream: has(PLAYLIST) ? PLAYLIST : null,
    widths: pictures.map(({ width }) => width),
  }
}

const NO_FILES = { url: null, poster: null, stream: null, widths: [] }

/**
 * An item of a list for one viewer, with what is shown of it there; locked, it has no link at all, and taken down
 * neither title nor blur.
 */
export function presentFeedItem(given: FeedRow, links: Links): FeedItem {
  const row = inTheirVersion(given)
  if (row.quarantined_at) return takenDownItem(row)
  const item: FeedItem = {
    _id: row.id,
    username: row.username,
    type: row.type,
    widths: [],
    title: row.title,
    width: row.width,
    height: row.height,
    preview: row.thumbhash,
  }
  if (row.viewable) {
    const { url, poster, stream, widths } = filesOf(row, links)
    item.widths = widths
    if (url) item.url = url
    if (poster) item.poster = poster
    if (stream) item.stream = stream
    if (row.red_gif) item.redGif = row.red_gif
    if (row.watermarked) item.watermarked = true
  } else item.locked = true
  if (row.duration_seconds !== null) item.duration = row.duration_seconds
  if (row.owned) item.owned = true
  if (row.version_id !== given.version_id) item.versionId = row.version_id
  if (row.show_in_store) {
    item.showInStore = true
    item.price = formatMoney(row.price_cents)
    if (!row.owned) item.contentsVersion = contentsVersion([given.version_id])
  }
  return item
}

/** Placeholder for an item in a list that was taken down. */
const takenDownItem = ({ id, username, type, width, height }: FeedRow): FeedItem => ({
  _id: id,
  username,
  type,
  widths: [],
  title: '',
  width,
  height,
  preview: NO_PREVIEW,
  locked: true,
  takenDown: true,
})

/** The creator whose picture stands beside an item in a list of several people's items. */
export const portraitOf = (row: { creator_id: string; profile_image: string | null }) => ({
  profileImage: profileImageAddress(row.creator_id, row.profile_image),
})

type ListedCreator = {
  id: string
  username: string
  profile_image: string | null
  month_cents: number | null
}

/** A creator in a row of creators. */
export function presentCreatorInList({ id, username, profile_image, month_cents }: ListedCreator) {
  return {
    _id: id,
    username,
    profileImage: profileImageAddress(id, profile_image),
    monthPrice: month_cents === null ? null : formatMoney(month_cents),
  }
}

/**
 * One item for one viewer. Locked, it has no link at all: type, price, duration, size, title and the blur remain, and
 * the description of what is for sale.
 */
export function presentMedia(given: MediaRow, links: Links): MediaItem {
  const row = inTheirVersion(given)
  return {
    _id: row.id,
    creatorId: row.creator_id,
    username: row.username,
    type: row.type,
    ...(row.viewable ? filesOf(row, links) : NO_FILES),
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
    ...(row.damaged && row.depicted.length > 0 ? { damaged: true } : {}),
    showInSearch: row.show_in_search,
    redditPromotion: row.reddit_promotion,
    mustUnlock: row.must_unlock,
    showInStore: row.show_in_store,
    directOnly: row.direct_only,
    createdAt: row.created_at.toISOString(),
    ...(row.version_id === given.version_id ? {} : { versionId: row.version_id }),
    ...(row.show_in_store && !row.owned ? { contentsVersion: contentsVersion([given.version_id]) } : {}),
    ...(row.quarantined_at
      ? {
          takenDownAt: row.quarantined_at.toISOString(),
          takenDownReason: takedownReason(row.quarantine_ground, row.quarantine_note),
        }
      : {}),
  }
}

/** An own item as changing many at once needs it. */
export function presentSelected(
  row: Pick<
    MediaRow,
    | 'id'
    | 'creator_id'
    | 'type'
    | 'red_gif'
    | 'title'
    | 'price_cents'
    | 'tag_ids'
    | 'show_in_search'
    | 'reddit_promotion'
    | 'must_unlock'
    | 'show_in_store'
    | 'direct_only'
    | 'quarantined_at'
  >,
) {
  return {
    _id: row.id,
    creatorId: row.creator_id,
    type: row.type,
    redGif: row.red_gif,
    title: row.title,
    price: formatMoney(row.price_cents),
    tagIds: row.tag_ids,
    showInSearch: row.show_in_search,
    redditPromotion: row.reddit_promotion,
    mustUnlock: row.must_unlock,
    showInStore: row.show_in_store,
    directOnly: row.direct_only,
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
function inTheirVersion<Row extends FeedRow>(row: Row): Row {
  if (!row.their_version) return row
  const { id, ...version } = row.their_version
  return { ...row, ...version, version_id: id, viewable: true }
}

/** A tag as its people pick it. */
export function presentTag({ id, name }: TagRow): z.input<typeof Tag> {
  return { _id: id, name }
}

type Unlockable = z.output<typeof libraryRoutes.unlockableMedia.output>['items'][number]

/**
 * A locked item as shown to somebody who may unlock it for another person: only its words, as not all of them see all
 * media.
 */
export function presentUnlockable(row: UnlockableRow): Unlockable {
  return {
    _id: row.id,
    title: row.title,
    type: row.type,
    price: row.price_cents === null ? null : formatMoney(row.price_cents),
    createdAt: row.created_at.toISOString(),
  }
}
