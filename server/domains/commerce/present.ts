import type { z } from 'zod'
import { formatMoney } from '../../../contract/money.ts'
import { DELETED_USER, DONATION_ID, type Kind, UNAVAILABLE_ACCOUNT } from '../../../contract/orders.ts'
import type { Showing } from '../../../contract/routes/commerce/subscriptions.ts'
import type { FeedMedia } from '../../../contract/routes/media/viewing.ts'

/**
 * A person beside a sale as operators see them, who find who is suspended: the money record stays when they are gone
 * (docs/product.md, Deleting an account).
 */
export function presentPerson(
  id: string,
  username: string,
  leavingSince: Date | null,
): { _id: string; username: string } {
  return { _id: id, username: leavingSince ? DELETED_USER : username }
}

/** Since when a person is hidden, and since when because they asked for deletion; both null while they are there. */
export type Absence = { hiddenAt: Date | null; leavingSince: Date | null }

/** The same as buyers and sellers see one another, from whom suspended people are hidden as well. */
export function presentParty(
  id: string,
  username: string,
  { hiddenAt, leavingSince }: Absence,
): { _id: string; username: string } {
  return presentPerson(id, hiddenAt ? UNAVAILABLE_ACCOUNT : username, leavingSince)
}

/** The absence of a row's creator. */
export const absenceOfCreator = (row: {
  creatorHiddenAt: Date | null
  creatorLeavingSince: Date | null
}) => ({
  hiddenAt: row.creatorHiddenAt,
  leavingSince: row.creatorLeavingSince,
})

/** The seller as the buyer sees them: for a donation the brand, not the account of its operator. */
export function presentSeller(
  row: {
    kind: Kind
    creator_id: string
    creatorUsername: string
    creatorHiddenAt: Date | null
    creatorLeavingSince: Date | null
  },
  brand: string,
): { _id: string; username: string } {
  if (row.kind === 'donation') return { _id: DONATION_ID, username: brand }
  return presentParty(row.creator_id, row.creatorUsername, absenceOfCreator(row))
}

/** The full price of an order whose buyer owned some of it and paid for the rest alone; else null. */
export function presentReduction({
  full_cents: full,
  owned_items: owned,
}: {
  full_cents: number | null
  owned_items: number | null
}): { fullPrice: string; owned: number } | null {
  return full === null || owned === null ? null : { fullPrice: formatMoney(full), owned }
}

/** The covers that can be shown, by the item's id. */
export type Covers = ReadonlyMap<string, z.output<typeof FeedMedia>>

/** How something that is sold is shown; a cover that the viewer may not know of is none. */
export function presentShowing(
  row: { description: string; cover_media_id: string | null; retired_at: Date | null; deletable: boolean },
  covers: Covers,
): z.output<typeof Showing> {
  const cover = row.cover_media_id === null ? null : (covers.get(row.cover_media_id) ?? null)
  return { description: row.description, cover, retired: row.retired_at !== null, deletable: row.deletable }
}
