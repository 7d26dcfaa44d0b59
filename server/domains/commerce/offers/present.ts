import type { z } from 'zod'
import { profileImageAddress } from '../../../../contract/files.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { OfferView } from '../../../../contract/offers.ts'
import { reducedCents } from '../../../../contract/reductions.ts'
import type { Offer, OwnOffer } from '../../../../contract/routes/commerce/offers.ts'
import { contentsVersion } from '../../media/versions/data.ts'
import type { Covers } from '../present.ts'
import type { OfferedItem, OfferRow, OwnOfferRow } from './data.ts'
import { offeredCents, showsContents, statusOf } from './rules.ts'

/** An offer for one viewer: what it gives only where the view shows it, of its items those that are `named` to them. */
export function presentOffer(
  row: OfferRow,
  {
    view,
    viewerId,
    items,
    named,
    covers,
    kept,
    leastCents,
  }: {
    view: OfferView
    viewerId: string | null
    items: OfferedItem[]
    named: OfferedItem[]
    covers: Covers
    /** How many of its items the viewer has for good, where that makes it cheaper. */
    kept: number
    leastCents: number
  },
): z.output<typeof Offer> {
  const shown = showsContents(view)
  return {
    ...presentTerms(row, shown),
    creatorId: {
      _id: row.creator_id,
      username: row.username,
      firstName: row.first_name,
      profileImage: profileImageAddress(row.creator_id, row.profile_image),
    },
    media: named.map(({ id, thumbhash, versionId: _, ...item }) => {
      const { url, poster, widths = [] } = covers.get(id) ?? {}
      return { ...item, _id: id, preview: thumbhash, url, poster, widths }
    }),
    reduced: presentReduced(row, kept, leastCents),
    // Of a subscription nobody counts what it holds, and not all of it is listed.
    contentsVersion: shown && !row.plan_id ? contentsVersion(items.map(({ versionId }) => versionId)) : null,
    regularPrice: shown && !row.plan_id ? formatMoney(wholeCents(row)) : null,
    availableTo: [],
    redeemedBy: row.redeemed && viewerId !== null ? [viewerId] : [],
  }
}

/** An offer's price comes first, then less what its viewer has of it. */
function presentReduced(row: OfferRow, owned: number, leastCents: number): z.output<typeof Offer>['reduced'] {
  const priceCents = centsNow(row)
  if (priceCents === null) return null
  const items = row.photoCount + row.videoCount
  const cents = reducedCents({ priceCents, items, owned, leastCents })
  return cents === null ? null : { price: formatMoney(cents), owned }
}

/** An offer for its creator, with what came of it. */
export function presentOwnOffer(row: OwnOfferRow, now: Date): z.output<typeof OwnOffer> {
  return {
    ...presentTerms(row, true),
    availableTo: row.recipients,
    createdAt: row.created_at.toISOString(),
    status: statusOf(row, now),
    views: row.views,
    redemptions: row.redemptions,
    earnings: formatMoney(row.earnedCents),
  }
}

type Priced = Pick<
  OwnOfferRow,
  'price_cents' | 'subscription_days' | 'planCents' | 'bundleCents' | 'singlesCents'
>

/** The price of all of it without the offer, for a subscription of one month. */
const wholeCents = ({ planCents, bundleCents, singlesCents }: Priced) =>
  planCents ?? bundleCents ?? singlesCents

/** The offer's price at this moment; null when it is free. */
const centsNow = (row: Priced) =>
  row.price_cents === null ? null : offeredCents(row.price_cents, wholeCents(row), row.subscription_days)

function presentTerms(
  row: Omit<OwnOfferRow, 'recipients' | 'redemptions' | 'earnedCents' | 'position'>,
  shown: boolean,
) {
  const { planTitle, planCents, bundleTitle, bundleCents } = row
  const cents = centsNow(row)
  const sold = (id: string | null, title: string | null, cents: number | null) =>
    shown && id && title !== null ? { _id: id, title, price: formatMoney(cents ?? 0) } : null
  return {
    _id: row.id,
    offerType: row.type,
    subscription: sold(row.plan_id, planTitle, planCents),
    subscriptionDays: shown ? row.subscription_days : null,
    bundle: sold(row.bundle_id, bundleTitle, bundleCents),
    photoCount: shown ? row.photoCount : 0,
    videoCount: shown ? row.videoCount : 0,
    videoSeconds: shown ? row.videoSeconds : 0,
    price: shown && cents !== null ? formatMoney(cents) : null,
    availableToAll: row.available_to_all,
    redemptionsAllowed: row.redemptions_allowed,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}
