import type { z } from 'zod'
import { profileImageAddress } from '../../../../contract/files.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { reducedCents } from '../../../../contract/reductions.ts'
import type { viewingRoutes } from '../../../../contract/routes/media/viewing.ts'
import type { ProfileLink } from '../../../db/tables/profiles.ts'
import { contentsVersion } from '../versions/data.ts'
import type { FindOwed, Unlock } from './data.ts'

export type CreatorRow = {
  creator_id: string
  username: string
  first_name: string
  profile_image: string | null
  links: ProfileLink[]
  erasedAt: Date | null
}

/**
 * A way to unlock an item, with its price, what it costs who has some of it already, and what is owed of it. What can't be paid
 * anymore, as its fan didn't agree to the price, is offered as to anybody.
 */
export function presentUnlock(
  { id, price_cents: priceCents, keptCount: owned, versionIds, ...row }: Unlock,
  { leastCents, owed, undecided }: { leastCents: number } & Awaited<ReturnType<FindOwed>>,
) {
  const owedCents = owed.get(id)
  const cents = reducedCents({ priceCents, items: row.photoCount + row.videoCount, owned, leastCents })
  const reduced = cents === null ? null : { price: formatMoney(cents), owned }
  const contents = versionIds ? { contentsVersion: contentsVersion(versionIds) } : {}
  const owes = owedCents === undefined ? null : formatMoney(owedCents)
  const pastDue = owes !== null || undecided.has(id)
  return { _id: id, ...row, ...contents, price: formatMoney(priceCents), pastDue, owed: owes, reduced }
}

/** The creator of an item as its page shows them. */
export function presentCreator(row: CreatorRow): z.input<typeof viewingRoutes.viewMedia.output>['creator'] {
  return {
    _id: row.creator_id,
    username: row.username,
    firstName: row.first_name,
    profileImage: profileImageAddress(row.creator_id, row.profile_image),
    links: row.links,
    erasedAt: row.erasedAt?.toISOString() ?? null,
  }
}
