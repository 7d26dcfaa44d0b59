import { sql } from 'kysely'
import { unlockedMediaIds } from '../../../media/entitlements/data.ts'
import { holdBundleContents } from '../../bundles/data.ts'
import { itemOf, type Sellable, SOLD_COLUMNS } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/** Several items at one price, each in the version that it has when they are bought. */
export const bundle: Sellable = {
  ...forGood('bundle'),
  async find(db, itemId, { buyerId }) {
    const sold = await db
      .selectFrom('bundles as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(SOLD_COLUMNS)
      .select(['item.retired_at', 'item.less_owned'])
      .where('item.id', '=', itemId)
      .where('item.deleted_at', 'is', null)
      .modifyEnd(sql`for share of item`)
      .executeTakeFirst()
    if (!sold) return null
    const held = await holdBundleContents(db, itemId)
    const contents = held.sort((one, other) => one.position - other.position)
    const item = { ...itemOf('bundle', sold, contents), retired: sold.retired_at !== null }
    if (!sold.less_owned) return item
    const mediaIds = contents.map(({ mediaId }) => mediaId)
    return { ...item, owned: await unlockedMediaIds(db, buyerId, mediaIds), paidAlone: true }
  },
}
