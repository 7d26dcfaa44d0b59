import { sql } from 'kysely'
import type { Kind } from '../../../../../contract/orders.ts'
import { grant, revoke } from '../../../media/entitlements/actions.ts'
import { boughtItem, countUnlocked } from '../../../media/entitlements/data.ts'
import type { Sellable } from '../data.ts'

/** The behavior shared by everything that is bought for good. */
export const forGood = (kind: Kind): Omit<Sellable, 'find'> => ({
  boughtOnce: true,
  renews: false,
  async isOwned(db, buyerId, { id, contents }) {
    const { rows } = await sql<{ paid: boolean }>`select ${boughtItem(buyerId, kind, id)} as paid`.execute(db)
    const isPaid = rows[0]?.paid === true
    if (isPaid || contents.length === 0) return isPaid
    // Items lent by a subscription aren't owned.
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
