import { holdSingles } from '../../offers/data.ts'
import { itemOf, type Sellable } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/** Several singles at the one price of the offer that names them, each in the version that it has when they are bought. */
export const singles: Sellable = {
  ...forGood('singles'),
  async find(db, offerId) {
    const offer = await db
      .selectFrom('offers as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(['item.creator_id', 'item.price_cents', 'users.hidden_at'])
      .where('item.id', '=', offerId)
      .where('item.type', 'in', ['discountSingles', 'freeSingles'])
      .where('item.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!offer) return null
    const held = await holdSingles(db, offerId)
    const [only] = held
    const title = held.length === 1 && only?.title ? only.title : `${held.length} singles`
    const contents = held.map(({ mediaId, versionId }) => ({ mediaId, versionId }))
    return itemOf('singles', { ...offer, title, price_cents: offer.price_cents ?? 0 }, contents)
  },
}
