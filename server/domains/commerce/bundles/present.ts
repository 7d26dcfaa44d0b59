import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Bundle } from '../../../../contract/routes/commerce/bundles.ts'
import { type Covers, presentShowing } from '../present.ts'
import type { BundleRow } from './data.ts'

/** A bundle as the viewing person sees it. */
export function presentBundle(row: BundleRow, covers: Covers): z.output<typeof Bundle> {
  return {
    _id: row.id,
    userId: row.creator_id,
    title: row.title,
    ...presentShowing(row, covers),
    price: formatMoney(row.price_cents),
    mediaIds: row.mediaIds,
    photoCount: row.photoCount,
    videoCount: row.videoCount,
    videoSeconds: row.videoSeconds,
    ownedCount: row.ownedCount,
    purchased: row.purchased === true,
  }
}
