import { type Selectable, sql } from 'kysely'
import { formatMoney } from '../../../../contract/money.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { OrderTables } from '../../../db/tables/commerce/orders.ts'
import type { Capture } from '../../../ports/payments/port.ts'
import { notify } from '../../notifications/actions.ts'
import { cardName } from '../cards/rules.ts'
import { isStolen, removedItSince } from '../payments/keeping/data.ts'
import { absenceOfCreator, presentParty, presentReduction } from '../present.ts'
import { payingOf } from '../price-changes/rules.ts'
import { agreedAhead } from '../renewals/data.ts'

type Order = Pick<
  Selectable<OrderTables['orders']>,
  | 'id'
  | 'kind'
  | 'title'
  | 'amount_cents'
  | 'full_cents'
  | 'owned_items'
  | 'buyer_id'
  | 'creator_id'
  | 'subscription_id'
>

/**
 * Sends a buyer the receipt of what they just paid for, once, with what renews and when. A renewal has a receipt of its
 * own, which `subscription.renewed` is.
 */
export async function sendReceipt(tx: Tx, order: Order, card: Capture['card'], now: Date): Promise<void> {
  if (order.subscription_id !== null) return
  const seller = await tx
    .selectFrom('users')
    .select([
      'username as creatorUsername',
      'hidden_at as creatorHiddenAt',
      'deletion_requested_at as creatorLeavingSince',
    ])
    .where('id', '=', order.creator_id)
    .executeTakeFirstOrThrow()
  const data = {
    title: order.title,
    amount: formatMoney(order.amount_cents),
    // The title of a donation names it.
    seller:
      order.kind === 'donation'
        ? ''
        : presentParty(order.creator_id, seller.creatorUsername, absenceOfCreator(seller)).username,
    // With the seller's account goes what was told of it.
    fromId: order.kind === 'donation' ? null : order.creator_id,
    items: await countItems(tx, order.id),
    reduced: presentReduction(order),
    card: cardName(card.brand, card.lastFour) ?? 'your card',
    on: now.toISOString().slice(0, 10),
    number: order.id,
    ...(order.kind === 'subscription' ? await findRenewal(tx, order.id) : { renews: null, until: null }),
  }
  await notify(
    tx,
    { kind: 'purchase.receipt', person: order.buyer_id, data },
    { now, once: `purchase.receipt ${order.id}` },
  )
}

async function countItems(db: Db, orderId: string): Promise<number> {
  const { count } = await db
    .selectFrom('order_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Renewal = { on: string; amount: string; months: TermMonths }
type Next = { renews: Renewal; until: null } | { renews: null; until: string }

/**
 * When the subscription that an order began is charged again, how much, and for how long. Else until when it is paid: it has no
 * card and none is being kept for it, as its fan removed the one that paid while the payment was reviewed.
 */
async function findRenewal(db: Db, orderId: string): Promise<Next> {
  const { isRenewed, current_period_end, ...row } = await db
    .selectFrom('orders')
    .innerJoin('subscriptions', 'subscriptions.id', 'orders.subscription_id')
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .select(['current_period_end', 'subscriptions.price_cents', 'subscriptions.months'])
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents'])
    .innerJoin('payments', 'payments.id', 'orders.paid_by')
    .where('orders.id', '=', orderId)
    .select((eb) =>
      eb
        .or([
          eb('subscriptions.stored_card_id', 'is not', null),
          eb('keep_card_due_at', 'is not', null).and(sql<boolean>`not ${removedItSince} and not ${isStolen}`),
        ])
        .$castTo<boolean>()
        .as('isRenewed'),
    )
    .executeTakeFirstOrThrow()
  const on = current_period_end.toISOString().slice(0, 10)
  if (!isRenewed) return { renews: null, until: on }
  const { months, cents } = payingOf(row)
  return { renews: { on, amount: formatMoney(cents), months }, until: null }
}
