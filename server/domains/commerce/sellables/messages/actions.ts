import { sql } from 'kysely'
import { freeForAll } from '../../../media/data.ts'
import { itemOf, type Sellable } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/** The attachments of a message, in the versions that were sent, for the person it was sent to. */
export const message: Sellable = {
  ...forGood('message'),
  async find(db, messageId, { buyerId }) {
    const sold = await db
      .selectFrom('messages as item')
      .innerJoin('conversation_members as buyer', 'buyer.conversation_id', 'item.conversation_id')
      .innerJoin('users', 'users.id', 'item.sender_id')
      .select(['item.sender_id as creator_id', 'item.price_cents', 'users.hidden_at'])
      .where('item.id', '=', messageId)
      .where('item.deleted_at', 'is', null)
      .where('item.price_cents', 'is not', null)
      .where('buyer.user_id', '=', buyerId)
      .whereRef('buyer.other_id', '=', 'item.sender_id')
      .modifyEnd(sql`for share of item`)
      .executeTakeFirst()
    if (!sold) return null
    const attached = await db
      .selectFrom('message_attachments')
      .innerJoin('media', 'media.id', 'message_attachments.media_id')
      .innerJoin('media_versions as version', 'version.id', 'message_attachments.version_id')
      .select(['media.id as mediaId', 'version.id as versionId', 'version.purged_at', 'media.quarantined_at'])
      .select(freeForAll.as('free'))
      .where('message_id', '=', messageId)
      .orderBy('place')
      .execute()
    // What was taken down or purged, or is free for everyone by now, can't be sold, and only a part isn't what was shown.
    if (attached.some(({ quarantined_at, purged_at, free }) => quarantined_at || purged_at || free))
      return null
    const title = attached.length === 1 ? '1 item in a message' : `${attached.length} items in a message`
    const contents = attached.map(({ mediaId, versionId }) => ({ mediaId, versionId }))
    return itemOf('message', { ...sold, title, price_cents: sold.price_cents ?? 0 }, contents)
  },
}
