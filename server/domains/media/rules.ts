import type { ErrorCode } from '../../../contract/errors.ts'
import { type Flags, turn } from '../../../contract/visibility.ts'

/** From the weakest claim to the strongest: what is turned on last wins, so a private item stays private. */
const PRECEDENCE = ['redditPromotion', 'showInStore', 'mustUnlock', 'showInSearch', 'directOnly'] as const

export type SentFlags = { [Name in keyof Flags]?: Flags[Name] | undefined }

/**
 * The flags after an edit that sent some of them (docs/product.md, Media): first what is turned off, then what is to be on,
 * also where it was on before, since another one might clear it. From consistent flags come only consistent ones.
 */
export function flagsAfter(flags: Flags, sent: SentFlags): Flags {
  const off = PRECEDENCE.filter((name) => sent[name] === false && flags[name])
  const on = PRECEDENCE.filter((name) => sent[name] === true)
  const without = off.reduce((next, name) => turn(next, name, false), flags)
  return on.reduce((next, name) => turn(next, name, true), without)
}

/** The flags as the columns of an item. */
export const flagColumns = (flags: Flags) => ({
  show_in_search: flags.showInSearch,
  reddit_promotion: flags.redditPromotion,
  must_unlock: flags.mustUnlock,
  show_in_store: flags.showInStore,
  direct_only: flags.directOnly,
})

/** The ways in which an item reaches people whom its owner did not pick: listed, promoted, sold, or open by its link. */
function publications({ showInSearch, redditPromotion, showInStore, mustUnlock, directOnly }: Flags) {
  return [showInSearch, redditPromotion, showInStore, !mustUnlock && !directOnly]
}

/** `titleRequired`: a title was sent for a file; an external gif may go without (docs/product.md, Media). */
export type Edited = { flags: Flags; title: string; priceCents: number; titleRequired: boolean }

/**
 * Why an edit is refused, or null: an item keeps a title once it is given one, a single on sale has title and a
 * price that isn't too low (docs/product.md, Media), and only creators show and sell, while publishing is open (docs/product.md, Records and
 * moderation).
 */
export function editRefusal(
  before: Flags,
  after: Edited,
  may: { ownerIsCreator: boolean; publishingOpen: boolean; leastPriceCents: number },
): ErrorCode | null {
  if (after.title === '' && (after.titleRequired || after.flags.showInStore)) return 'must_include_title'
  if (after.flags.showInStore && after.priceCents === 0) return 'must_include_price'
  if (after.flags.showInStore && after.priceCents < may.leastPriceCents) return 'price_too_low'
  const was = publications(before)
  if (!publications(after.flags).some((now, index) => now && !was[index])) return null
  if (!may.ownerIsCreator) return 'creators_only'
  return may.publishingOpen ? null : 'publishing_closed'
}

const MINUTE_SECONDS = 60
const SHORTEST_LINK_SECONDS = 240

/**
 * When a media link made now ends, in seconds since 1970: 240 to 300 seconds ahead (docs/product.md, Media), on a full minute,
 * so that reading again within the minute gives the same address and the browser keeps what it has.
 */
export function linkExpiry(now: Date): number {
  return Math.ceil((now.getTime() / 1000 + SHORTEST_LINK_SECONDS) / MINUTE_SECONDS) * MINUTE_SECONDS
}

type Rendition = { name: string; width: number }

const COMFORTABLE_WIDTH = 1080

/** The picture to show first: the widest of at most 1080 pixels, else the narrowest there is. */
export function mainPicture<Picture extends Rendition>(pictures: Picture[]): Picture | null {
  const byWidth = pictures.toSorted((a, b) => a.width - b.width)
  return byWidth.findLast((picture) => picture.width <= COMFORTABLE_WIDTH) ?? byWidth[0] ?? null
}

/** Characters without a shape, but for the joiners that scripts and emoji are written with. */
const INVISIBLE = /[^\P{Cf}\u200c\u200d]/gu

/** A tag's name as it is kept: composed letters, single spaces. Null when there is nothing in it to be seen. */
export function tagName(typed: string): string | null {
  const name = typed.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? name : null
}
