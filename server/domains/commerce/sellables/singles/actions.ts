import { sql } from 'kysely'
import { itemOf, type Sellable, SOLD_COLUMNS } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/** One item of a creator's store, in the version that it has when it is bought. */
export const single: Sellable = {
  ...forGood('single'),
  async find(db, itemId) {
    const sold = await db
      .selectFrom('media as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(SOLD_COLUMNS)
      .select('item.version_id as versionId')
      .where('item.id', '=', itemId)
      .where('item.show_in_store', '=', true)
      .where('item.deleted_at', 'is', null)
      .where('item.quarantined_at', 'is', null)
      .modifyEnd(sql`for share of item`)
      .executeTakeFirst()
    if (!sold) return null
    const contents = [{ mediaId: itemId, versionId: sold.versionId }]
    return { ...itemOf('single', sold, contents), paidAlone: true }
  },
}
