import { sql } from 'kysely'
import type { Kind } from '../../../../../contract/orders.ts'
import { grant, revoke } from '../../../media/entitlements/actions.ts'
import { boughtItem, countUnlocked } from '../../../media/entitlements/data.ts'
import type { Sellable } from '../data.ts'

/** What a sellable does whose buyer keeps the items that it held when it was bought. */
export const forGood = (kind: Kind): Omit<Sellable, 'find'> => ({
  boughtOnce: true,
  renews: false,
  async isOwned(db, buyerId, { id, contents }) {
    const { rows } = await sql<{ paid: boolean }>`select ${boughtItem(buyerId, kind, id)} as paid`.execute(db)
    const isPaid = rows[0]?.paid === true
    if (isPaid || contents.length === 0) return isPaid
    // What a subscription lends is not owned.
    const mediaIds = contents.map(({ mediaId }) => mediaId)
    return (await countUnlocked(db, buyerId, mediaIds)) === contents.length
  },
  grant(db, { id, buyerId, contents, now }) {
    return grant(db, {
      userId: buyerId,
      source: { kind: 'purchase', id },
      gives: { media: contents },
      now,
    })
  },
  revoke: (db, { id }, now) => revoke(db, 'purchase', [id], now),
})
