import type { Kind } from '../../../../../contract/orders.ts'
import { grant, revoke } from '../../../media/entitlements/actions.ts'
import { countUnlocked } from '../../../media/entitlements/data.ts'
import type { Sellable } from '../data.ts'

/** What a sellable does whose buyer keeps the items that it held when it was bought. */
export const forGood = (kind: Kind): Omit<Sellable, 'find'> => ({
  boughtOnce: true,
  renews: false,
  async isOwned(db, buyerId, { id, contents }) {
    const paid = await db
      .selectFrom('orders')
      .innerJoin('payments', 'payments.id', 'orders.paid_by')
      .select('orders.id')
      .where('orders.buyer_id', '=', buyerId)
      .where('kind', '=', kind)
      .where('item_id', '=', id)
      .where('orders.status', '=', 'paid')
      .where('refunded_at', 'is', null)
      .where('bought_once', '=', true)
      // What a bank has taken back is with nobody until it decides.
      .where('payments.status', '<>', 'disputed')
      .executeTakeFirst()
    if (paid || contents.length === 0) return paid !== undefined
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
