import { type Selectable, sql } from 'kysely'
import { formatMoney } from '../../../../contract/money.ts'
import type { NotificationEvent } from '../../../../contract/notifications.ts'
import type { Kind } from '../../../../contract/orders.ts'
import type { Tx } from '../../../db/client.ts'
import type { OrderTables } from '../../../db/tables/commerce/orders.ts'
import { notify, notifyEach } from '../../notifications/actions.ts'

/** Creators' words for their products; other kinds have notifications of their own, or none. */
const ITEMS = { single: 'single', singles: 'offer', bundle: 'bundle', message: 'message' } as const
const isItem = (kind: Kind): kind is keyof typeof ITEMS => kind in ITEMS

type Sold = Pick<
  Selectable<OrderTables['orders']>,
  'id' | 'kind' | 'title' | 'amount_cents' | 'buyer_id' | 'creator_id' | 'subscription_id'
>

/** Tells a creator of what was just paid for: a sale, a subscriber or a tip, but no renewal. */
export async function tellSale(tx: Tx, order: Sold, now: Date): Promise<void> {
  const { id, kind, title, creator_id: person } = order
  const amount = formatMoney(order.amount_cents)
  const from = await findBuyer(tx, order.buyer_id)
  if (!from) return
  const tell = (event: NotificationEvent) => notify(tx, event, { now, once: `${event.kind} ${id}` })
  if (kind === 'tip') await tell({ kind: 'tip.received', person, data: { ...from, amount } })
  else if (isItem(kind))
    await tell({ kind: 'sale.made', person, data: { ...from, title, amount, item: ITEMS[kind] } })
  else if (kind === 'subscription' && order.subscription_id === null)
    await tell({ kind: 'subscriber.added', person, data: { ...from, title, amount } })
}

async function findBuyer(tx: Tx, id: string): Promise<{ from: string; fromId: string } | null> {
  const buyer = await tx.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst()
  return buyer ? { from: buyer.username, fromId: id } : null
}

/** Tells the creators of subscriptions what became of them: a free trial began, they were canceled, or ended. */
export async function tellOfSubscriptions(
  tx: Tx,
  ids: readonly string[],
  what: 'began' | 'canceled' | 'ended',
  now: Date,
): Promise<void> {
  const rows = await tx
    .selectFrom('subscriptions')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .select(['subscriptions.id', 'subscriptions.creator_id', 'current_period_end'])
    .select(['fan.id as fromId', 'fan.username as from', 'plan.title'])
    .where('subscriptions.id', '=', sql<string>`any(${ids}::uuid[])`)
    // In one order everywhere, as each creator's settings may be written.
    .orderBy('subscriptions.creator_id')
    .execute()
  const events = rows.map(({ id, creator_id: person, current_period_end, from, fromId, title }) => {
    const until = current_period_end.toISOString().slice(0, 10)
    const data = { from, fromId, title }
    const event: NotificationEvent = {
      began: { kind: 'subscriber.added' as const, person, data: { ...data, amount: null } },
      canceled: { kind: 'subscriber.canceled' as const, person, data: { ...data, until } },
      ended: { kind: 'subscriber.ended' as const, person, data },
    }[what]
    // Canceled again after a resumption, it is told once for the same period.
    return { event, once: `${event.kind} ${id} ${until}` }
  })
  await notifyEach(tx, events, { now })
}
