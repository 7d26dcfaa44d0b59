import { unlockedMediaIds } from '../../../media/entitlements/data.ts'
import { holdSingles } from '../../offers/data.ts'
import { itemOf, type Sellable } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/**
 * Several singles that an offer names, each in the version that it has when they are bought, at the sum of their prices;
 * the offer's own price is that of `discounted`.
 */
export const singles: Sellable = {
  ...forGood('singles'),
  async find(db, offerId, { buyerId }) {
    const offer = await db
      .selectFrom('offers as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(['item.creator_id', 'users.hidden_at'])
      .where('item.id', '=', offerId)
      .where('item.type', 'in', ['discountSingles', 'freeSingles'])
      .where('item.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!offer) return null
    const held = await holdSingles(db, offerId)
    const [only] = held
    const title = held.length === 1 && only?.title ? only.title : `${held.length} singles`
    const contents = held.map(({ mediaId, versionId }) => ({ mediaId, versionId }))
    // One that left the store for no price leaves nothing to compare the offer's with.
    const isPriced = held.every(({ priceCents }) => priceCents > 0)
    const price_cents = isPriced ? held.reduce((sum, { priceCents }) => sum + priceCents, 0) : 0
    const mediaIds = contents.map(({ mediaId }) => mediaId)
    const owned = await unlockedMediaIds(db, buyerId, mediaIds)
    return { ...itemOf('singles', { ...offer, title, price_cents }, contents), owned, paidAlone: true }
  },
}
