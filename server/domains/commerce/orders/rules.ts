import type { ErrorCode } from '../../../../contract/errors.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Kind } from '../../../../contract/orders.ts'
import { reducedCents } from '../../../../contract/reductions.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import { type OfferTerms, offeredCents } from '../offers/rules.ts'

/** One item in one version. */
export type Content = { mediaId: string; versionId: string }

/** Something as it is sold at this moment. */
export type Item = {
  kind: Kind
  creatorId: string
  creatorHidden: boolean
  /** Its creator stopped selling it. */
  retired?: boolean
  title: string
  priceCents: number
  /** The items that a buyer would own for good; null for what is only lent. */
  contents: Content[] | null
  /** Fingerprint of all of them, including what the buyer owns already. */
  contentsVersion?: string
  /** Of a subscription how many items it includes at this moment: some come and go while it runs. */
  includes?: number
  /** In how many days after the payment it is delivered, where that isn't at once. */
  deliveryDays?: number
  /** All that is paid for it is the platform's: nobody has a share or a commission. */
  isPlatforms?: boolean
  /** Of a subscription for how many months it is paid at a time, and that it isn't sold for so many. */
  months?: TermMonths
  termGone?: boolean
  /** Which of it its buyer has for good already, where its creator asks for the price of the rest alone. */
  owned?: ReadonlySet<string>
  /** The price of all of it, and how many items its buyer has: `priceCents` and `contents` are those of the rest. */
  reduction?: { fullCents: number; ownedItems: number }
  /** None of it is to be paid for twice, so what is being paid for as part of something else is waited for. */
  paidAlone?: boolean
  /** The offer by which it is sold for less, whose price `priceCents` is. */
  offer?: OfferTerms
}

/** Something as it is sold by a discount offer: at its price, or at the regular one where that is lower by now. */
export function discounted(
  item: Item,
  offer: { id: string; price_cents: number | null; subscription_days: number | null },
): Item {
  const { id, price_cents: cents, subscription_days: days } = offer
  const trial = days === null ? null : { days, renewalCents: item.priceCents }
  const priceCents = cents === null ? item.priceCents : offeredCents(cents, item.priceCents, days)
  return { ...item, priceCents, offer: { id, trial } }
}

/**
 * A product for a buyer who already owns some of it, at its price of this moment, which may be an offer's
 * (docs/decisions/056-bundle-reductions.md).
 */
export function lessOwned(item: Item, leastCents: number): Item {
  const { priceCents, contents, owned } = item
  if (!owned || !contents) return item
  const rest = contents.filter(({ mediaId }) => !owned.has(mediaId))
  const ownedItems = contents.length - rest.length
  const cents = reducedCents({ priceCents, items: contents.length, owned: ownedItems, leastCents })
  if (cents === null) return item
  return { ...item, priceCents: cents, contents: rest, reduction: { fullCents: priceCents, ownedItems } }
}

/** How many items somebody sees in it, those that they have included; null where nobody counts. */
function itemCount({ contents, reduction, includes }: Item): number | null {
  return contents ? contents.length + (reduction?.ownedItems ?? 0) : (includes ?? null)
}

/** Whether it holds what somebody was shown, as far as they said; a subscription may hold more by now. */
function holds(item: Item, shownItems: number | null, shownVersion: string | null): boolean {
  const items = itemCount(item)
  const enough =
    items === null || shownItems === null || (item.contents ? items === shownItems : items >= shownItems)
  return enough && (shownVersion === null || shownVersion === (item.contentsVersion ?? shownVersion))
}

/** The platform's share of an item's price, in hundredths of a percent. */
export function feeBasisPointsOf({ isPlatforms }: Item, feePercent: number): number {
  return isPlatforms ? 10_000 : Math.round(feePercent * 100)
}

/** How the buyer stands to the item already. */
export type ExistingAccess = {
  /** An attempt to buy it is still being decided. */
  open: boolean
  /** Bought before, subscribed now, or every single item of it bought otherwise. */
  has: boolean
  /** Bought before, and their bank is deciding on the payment. */
  disputed?: boolean
}

/** Why this cannot be bought, or null. The order of the lines is the product's precedence. What was not said of what was shown is null. */
export function refusal(
  item: Item | null,
  existingAccess: ExistingAccess,
  wanted: {
    buyerId: string
    blockedSeller: boolean
    shownCents: number | null
    shownItems: number | null
    /** The fingerprint of the contents that the buyer was shown. */
    shownVersion?: string | null
    /** In how many days the buyer was shown that it is delivered. */
    shownDays?: number | null
    /** The monthly price after a trial that the buyer was shown. */
    shownRenewalCents?: number | null
    publishingOpen: boolean
  },
): ErrorCode | null {
  if (!item || item.creatorHidden) return 'item_not_found'
  if (item.creatorId === wanted.buyerId) return 'own_item'
  if (wanted.blockedSeller) return 'seller_blocked'
  if (!wanted.publishingOpen) return 'publishing_closed'
  if (item.retired) return 'no_longer_sold'
  if (item.priceCents === 0 || item.contents?.length === 0) return 'item_not_found'
  if (existingAccess.open) return 'purchase_in_progress'
  if (existingAccess.has) return item.kind === 'subscription' ? 'already_subscribed' : 'already_owned'
  if (existingAccess.disputed) return 'purchase_disputed'
  if (item.termGone) return 'term_not_offered'
  if (wanted.shownCents !== null && wanted.shownCents !== item.priceCents) return 'price_changed'
  const renewalCents = item.offer?.trial?.renewalCents ?? null
  const { shownRenewalCents = null } = wanted
  if (shownRenewalCents !== null && shownRenewalCents !== renewalCents) return 'price_changed'
  const { shownDays = null } = wanted
  if (shownDays !== null && shownDays !== item.deliveryDays) return 'delivery_changed'
  return holds(item, wanted.shownItems, wanted.shownVersion ?? null) ? null : 'contents_changed'
}

const CHANGES: readonly ErrorCode[] = ['price_changed', 'contents_changed', 'delivery_changed']

/** Whether a refusal says that the item isn't as the buyer was shown it. */
export const isChange = (code: ErrorCode): boolean => CHANGES.includes(code)

/** The item's terms of now by the fields of the call that said others, so that the buyer can be shown them. */
export function termsNow(item: Item): Record<string, string> {
  const { priceCents, reduction, deliveryDays, offer, contentsVersion } = item
  const renewalCents = offer?.trial?.renewalCents
  const items = itemCount(item)
  return {
    price: formatMoney(priceCents),
    ...(reduction
      ? { fullPrice: formatMoney(reduction.fullCents), ownedCount: String(reduction.ownedItems) }
      : {}),
    ...(items === null ? {} : { itemCount: String(items) }),
    ...(contentsVersion ? { contentsVersion } : {}),
    ...(deliveryDays ? { deliveryDays: String(deliveryDays) } : {}),
    ...(renewalCents ? { renewalPrice: formatMoney(renewalCents) } : {}),
  }
}

/** Whether an order that is still open is the one that would be made now, so that it can be paid by another attempt. */
export function isSameOrder(
  open: { amountCents: number; contents: (Content | null)[]; months?: TermMonths; offer?: OfferTerms | null },
  item: Item,
): boolean {
  const contents = item.contents ?? []
  return (
    open.amountCents === item.priceCents &&
    (open.months ?? 1) === (item.months ?? 1) &&
    open.offer?.id === item.offer?.id &&
    open.offer?.trial?.renewalCents === item.offer?.trial?.renewalCents &&
    open.contents.length === contents.length &&
    contents.every(({ mediaId, versionId }, position) => {
      const agreed = open.contents[position]
      return agreed?.mediaId === mediaId && agreed.versionId === versionId
    })
  )
}
