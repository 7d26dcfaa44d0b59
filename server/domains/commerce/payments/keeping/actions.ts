import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { forgetUnkept, keepCard, takeCardsTurn } from '../../cards/actions.ts'
import { retryAfter } from '../../renewals/charging/rules.ts'
import { tellNoneKept } from '../../renewals/reminders/actions.ts'
import { keptAgainAt, unkeptBefore } from '../rules.ts'
import { isStolen, removedItSince, removedOneSince } from './data.ts'

/**
 * Has the gateway keep the card of a captured charge, which can be asked again: what it keeps already is found. False
 * when it gave no answer; then it is asked again later, for 30 days.
 */
export async function keepItsCard({ db, clock, payments }: Context, paymentId: string): Promise<boolean> {
  const charged = await db.transaction().execute((tx) => beginKeeping(tx, paymentId, clock.now()))
  if (!charged) return true
  const { transactionId, brand, lastFour, buyerId, email, capturedAt } = charged
  const customer = { id: buyerId, email }
  const answer = await payments.keepCardOf({ transactionId, card: { lastFour }, customer })
  if (answer.kind === 'unavailable') {
    const now = clock.now()
    if (capturedAt <= unkeptBefore(now))
      await db.transaction().execute((tx) => giveUpKeeping(tx, paymentId, now))
    return false
  }
  await db.transaction().execute(async (tx) => {
    const now = clock.now()
    await takeCardsTurn(tx, buyerId)
    const keepable = await lockKeepable(tx, paymentId)
    await endKeeping(tx, paymentId)
    if (answer.kind === 'refused') return
    const card = { ...answer.card, brand, lastFour, expires: null }
    if (!keepable) return forgetUnkept(tx, buyerId, card, now)
    const cardId = await keepCard(tx, buyerId, card, now)
    if (cardId) await payByIt(tx, paymentId, keepable.subscriptionId, cardId, now)
  })
  return true
}

/** Commits when the gateway is asked again, before it is asked; null where the card isn't to be kept anymore. */
async function beginKeeping(db: Tx, paymentId: string, now: Date) {
  const charged = await lockKeepable(db, paymentId)
  const { transactionId, brand, lastFour } = charged ?? {}
  if (!charged || !transactionId || !brand || !lastFour) {
    await endKeeping(db, paymentId)
    return null
  }
  await db
    .updateTable('payments')
    .set({ keep_card_due_at: keptAgainAt(charged.capturedAt, now) })
    .where('id', '=', paymentId)
    .execute()
  return { ...charged, transactionId, brand, lastFour }
}

/** Ends the asking, and tells the fan of a subscription that there is no card to renew it with. */
async function giveUpKeeping(db: Tx, paymentId: string, now: Date): Promise<void> {
  const keepable = await lockKeepable(db, paymentId)
  await endKeeping(db, paymentId)
  if (keepable?.subscriptionId) await tellNoneKept(db, keepable.subscriptionId, now)
}

async function endKeeping(db: Tx, paymentId: string): Promise<void> {
  await db.updateTable('payments').set({ keep_card_due_at: null }).where('id', '=', paymentId).execute()
}

/**
 * Whether the fan removed the card of a subscription without one since this payment of it; beside both. What begins without a
 * card has had none unless one was chosen; of any other it isn't known which card of theirs it had.
 */
const isByWish = sql<boolean>`case
  when exists (select from orders where orders.id = payments.order_id and orders.period = 1)
  then subscriptions.card_chosen_at is not null else ${removedOneSince} end`

/**
 * Notes the card that a payment was made by, and charges its subscription to it from now on, as if it had been kept at once:
 * where it has none, and that isn't its fan's wish, or another one, and they chose none since.
 */
async function payByIt(
  db: Tx,
  paymentId: string,
  subscriptionId: string | null,
  cardId: string,
  now: Date,
): Promise<void> {
  const payment = await db
    .updateTable('payments')
    .set({ stored_card_id: cardId })
    .where('id', '=', paymentId)
    .returning(['network_transaction_id', 'created_at'])
    .executeTakeFirstOrThrow()
  const renewed = await db
    .updateTable('subscriptions')
    .set({ stored_card_id: cardId, network_transaction_id: payment.network_transaction_id })
    .where('id', '=', subscriptionId)
    .where(({ or, and, not, eb, exists, selectFrom }) =>
      or([
        and([
          eb('stored_card_id', 'is', null),
          not(exists(selectFrom('payments').select('id').where('id', '=', paymentId).where(isByWish))),
        ]),
        and([
          eb('stored_card_id', 'is not', null),
          or([eb('card_chosen_at', 'is', null), eb('card_chosen_at', '<', payment.created_at)]),
        ]),
      ]),
    )
    .returning(['id', 'status', 'current_period_end'])
    .executeTakeFirst()
  if (renewed?.status !== 'past_due') return
  // It has waited without a card for its end.
  await db
    .updateTable('subscriptions')
    .set({ renewal_due_at: sql<Date>`least(renewal_due_at, ${retryAfter(renewed.current_period_end, now)})` })
    .where('id', '=', renewed.id)
    .execute()
}

/**
 * A captured charge whose card is to be kept and isn't, after its subscription, as refunds hold them: not once such a card
 * was removed, by its owner or as it was stolen.
 */
async function lockKeepable(db: Tx, paymentId: string) {
  await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .innerJoin('orders', 'orders.id', 'order_id')
        .select('subscription_id')
        .where('payments.id', '=', paymentId),
    )
    .forUpdate()
    .execute()
  return db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'order_id')
    .innerJoin('users', 'users.id', 'payments.buyer_id')
    .select(['payments.gateway_transaction_id as transactionId', 'payments.card_brand as brand'])
    .select(['payments.card_last_four as lastFour', 'payments.status_at as capturedAt'])
    .select(['payments.buyer_id as buyerId', 'email', 'subscription_id as subscriptionId'])
    .where('payments.id', '=', paymentId)
    .where('payments.status', '=', 'captured')
    .where('keep_card_due_at', 'is not', null)
    .where('hidden_at', 'is', null)
    .where(sql<boolean>`not ${removedItSince} and not ${isStolen}`)
    .forNoKeyUpdate('payments')
    .executeTakeFirst()
}
