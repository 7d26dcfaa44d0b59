import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import { reducedCents } from '../../../../contract/reductions.ts'
import type { Bundle } from '../../../../contract/routes/commerce/bundles.ts'
import type { Context } from '../../../context.ts'
import { contentsVersion } from '../../media/versions/data.ts'
import { type Covers, presentShowing } from '../present.ts'
import type { BundleRow } from './data.ts'

/** A bundle as the viewing person sees it. */
export function presentBundle(
  row: BundleRow,
  covers: Covers,
  { MIN_PRICE_CENTS: leastCents }: Pick<Context['config'], 'MIN_PRICE_CENTS'>,
): z.output<typeof Bundle> {
  return {
    _id: row.id,
    userId: row.creator_id,
    title: row.title,
    ...presentShowing(row, covers),
    price: formatMoney(row.price_cents),
    lessOwned: row.less_owned,
    reduced: presentReduced(row, leastCents),
    mediaIds: row.mediaIds,
    contentsVersion: contentsVersion(row.versionIds),
    photoCount: row.photoCount,
    videoCount: row.videoCount,
    videoSeconds: row.videoSeconds,
    ownedCount: row.ownedCount,
    purchased: isOwned(row),
  }
}

/** Whether nothing of it is left to buy: it was bought as a whole, or each of its items is the viewer's for good. */
function isOwned({ purchased, keptCount, mediaIds }: BundleRow): boolean {
  return purchased === true || (mediaIds.length > 0 && keptCount === mediaIds.length)
}

/** The price of a bundle for a viewer who owns some of it for good; null if they pay the full price or bought it. */
function presentReduced(row: BundleRow, leastCents: number): z.output<typeof Bundle>['reduced'] {
  const { price_cents: priceCents, keptCount: owned, mediaIds } = row
  if (!row.less_owned || row.purchased) return null
  const cents = reducedCents({ priceCents, items: mediaIds.length, owned, leastCents })
  return cents === null ? null : { price: formatMoney(cents), owned }
}
