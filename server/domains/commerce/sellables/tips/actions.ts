import { rolesWith } from '../../../../../contract/permissions.ts'
import { grant, revoke } from '../../../media/entitlements/actions.ts'
import { itemOf, type Sellable } from '../data.ts'

/** Money for a creator or the operator, as much as its buyer chooses and as often; it opens nothing. */
export const tip: Sellable = {
  boughtOnce: false,
  renews: false,
  async find(db, creatorId, { amountCents }) {
    const creator = await db
      .selectFrom('users')
      .select(['id', 'username', 'hidden_at', 'is_creator'])
      .where('id', '=', creatorId)
      .where((eb) => eb.or([eb('is_creator', '=', true), eb('role', 'in', rolesWith('tips.receive'))]))
      .executeTakeFirst()
    if (!creator || amountCents === null) return null
    const { id: creator_id, username, hidden_at, is_creator } = creator
    return itemOf(
      'tip',
      {
        creator_id,
        title: is_creator ? `Tip for @${username}` : 'Tip for this site',
        price_cents: amountCents,
        hidden_at,
      },
      null,
    )
  },
  isOwned: async () => false,
  // A grant of nothing: every payment that was captured has one.
  grant: (db, { id, buyerId, now }) =>
    grant(db, { userId: buyerId, source: { kind: 'purchase', id }, gives: { media: [] }, now }),
  revoke: (db, { id }, now) => revoke(db, 'purchase', [id], now),
}
