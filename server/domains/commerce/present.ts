import { DONATION_ID, type Kind } from '../../../contract/orders.ts'

/** A person beside a sale, for whom the money record stays when they are gone (docs/product.md, Deleting an account). */
export function presentPerson(
  id: string,
  username: string,
  hiddenAt: Date | null,
): { _id: string; username: string } {
  return { _id: id, username: hiddenAt ? 'Deleted User' : username }
}

/** Who sold something, as its buyer sees them: of a donation the site, not the account of whoever runs it. */
export function presentSeller(row: {
  kind: Kind
  creator_id: string
  creatorUsername: string
  creatorHiddenAt: Date | null
}): { _id: string; username: string } {
  if (row.kind === 'donation') return { _id: DONATION_ID, username: 'this site' }
  return presentPerson(row.creator_id, row.creatorUsername, row.creatorHiddenAt)
}
