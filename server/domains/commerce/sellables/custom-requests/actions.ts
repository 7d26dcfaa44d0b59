import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import { notify } from '../../../notifications/actions.ts'
import { disputedFor } from '../../disputes/data.ts'
import { sentOutsideFor } from '../../refunds/data.ts'
import { itemOf, type Sellable } from '../data.ts'
import { forGood } from '../for-good/actions.ts'

/** Something that a creator makes for one fan, at the price they accepted it for; what it holds is delivered later. */
export const custom: Sellable = {
  ...forGood('custom'),
  async find(db, requestId, { buyerId }) {
    const sold = await db
      .selectFrom('custom_requests as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select([
        'item.creator_id',
        'item.price_cents',
        'item.delivery_days',
        'users.username',
        'users.hidden_at',
      ])
      .where('item.id', '=', requestId)
      .where('item.fan_id', '=', buyerId)
      .where('item.status', '=', 'accepted')
      .where('item.price_cents', 'is not', null)
      // A refunded request stays closed: it isn't sold a second time.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('orders')
              .select('orders.id')
              .whereRef('orders.item_id', '=', 'item.id')
              .where('orders.kind', '=', 'custom')
              .where('orders.refunded_at', 'is not', null),
          ),
        ),
      )
      .modifyEnd(sql`for share of item`)
      .executeTakeFirst()
    if (!sold) return null
    const title = `Custom request to @${sold.username}`
    const item = itemOf('custom', { ...sold, title, price_cents: sold.price_cents ?? 0 }, null)
    return { ...item, deliveryDays: sold.delivery_days ?? 0 }
  },
  async deliveredBy(db, orderId) {
    const { rows } = await sql<{ delivered_by: Date }>`
      select orders.paid_at + ${disputedFor(sql.ref('orders.paid_by'))} + ${sentOutsideFor(sql.ref('orders.paid_by'))}
        + delivery_days * interval '24 hours' as delivered_by
      from orders join custom_requests on custom_requests.id = orders.item_id
      where orders.id = ${orderId} and orders.paid_at is not null and delivery_days is not null and delivered_at is null
    `.execute(db)
    return rows[0]?.delivered_by ?? null
  },
  async grant(db, order) {
    await forGood('custom').grant(db, order)
    const { buyerId, creatorId, itemId, amountCents, now } = order
    const { username } = await db
      .selectFrom('users')
      .select('username')
      .where('id', '=', buyerId)
      .executeTakeFirstOrThrow()
    const message = await db
      .selectFrom('messages')
      .select('id')
      .where('custom_request_id', '=', itemId)
      .where('sender_id', '=', buyerId)
      .executeTakeFirst()
    const told = { state: 'paid' as const, from: username, fromId: buyerId, messageId: message?.id ?? null }
    const data = { ...told, amount: formatMoney(amountCents) }
    const once = `custom.sold ${itemId} paid`
    await notify(db, { kind: 'custom.sold', person: creatorId, data }, { now, once })
  },
}
