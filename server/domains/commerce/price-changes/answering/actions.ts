import { TERMS_VERSION } from '../../../../../contract/constants.ts'
import { formatMoney } from '../../../../../contract/money.ts'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { consentNetwork } from '../../../../networks.ts'
import { lockOwnSubscription, type OwnSubscriptionRow } from '../../renewals/data.ts'
import { noticeEnds } from '../rules.ts'

type Answer = {
  fanId: string
  subscriptionId: string
  agree: boolean
  /** The price in cents that the fan was shown. */
  shownCents: number
  ip: string
  now: Date
}

/**
 * Agrees to a higher price, which holds from the first renewal after its notice, or declines it; the last answer before
 * the charge counts. Throws `subscription_not_found`, `price_change_over`, `price_changed` and `price_change_charging`.
 */
export async function answerPriceChange(db: Tx, answer: Answer): Promise<OwnSubscriptionRow> {
  const { subscriptionId, agree, now } = answer
  // The charge that held the lock may have used the new price, so the request is read after locking.
  await lock(db, answer)
  const subscription = await lock(db, answer)
  const notice = await findNotice(db, subscriptionId)
  const isCharged = subscription.status === 'active' || subscription.status === 'past_due'
  if (!isCharged || !notice || subscription.askedCents === null) throw new AppError('price_change_over')
  if (notice.price_cents !== answer.shownCents)
    throw new AppError('price_changed', { details: { price: formatMoney(notice.price_cents) } })
  if (agree === (notice.agreed_at !== null) && (agree || notice.declined_at)) return subscription
  if (!agree && (await isBeingCharged(db, subscriptionId, notice.price_cents)))
    throw new AppError('price_change_charging')
  const effectiveFrom = noticeEnds(notice, now)
  await db
    .updateTable('price_change_notices')
    .set({ effective_from: effectiveFrom, agreed_at: agree ? now : null, declined_at: agree ? null : now })
    .where('change_id', '=', notice.change_id)
    .where('subscription_id', '=', subscriptionId)
    .execute()
  if (agree) {
    const consent = {
      terms_version: TERMS_VERSION,
      consented_at: now,
      consent_network: consentNetwork(answer.ip),
    }
    const { months, price_cents } = notice
    await db
      .insertInto('subscription_agreements')
      .values({
        subscription_id: subscriptionId,
        price_change_id: notice.change_id,
        months,
        price_cents,
        effective_from: effectiveFrom,
        ...consent,
        created_at: now,
      })
      .execute()
  } else {
    // Left open, the order would be paid by a new purchase at that price, which was to begin a subscription that renews.
    await db
      .updateTable('orders')
      .set({ status: 'void', closed_at: now })
      .where('subscription_id', '=', subscriptionId)
      .where('status', '=', 'open')
      .where('months', '=', notice.months)
      .where('amount_cents', '=', notice.price_cents)
      .execute()
    await db
      .updateTable('subscription_agreements')
      .set({ withdrawn_at: now })
      .where('subscription_id', '=', subscriptionId)
      .where('price_change_id', '=', notice.change_id)
      .where('applied_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .execute()
  }
  return lock(db, answer)
}

async function lock(db: Tx, { fanId, subscriptionId }: Answer): Promise<OwnSubscriptionRow> {
  const subscription = await lockOwnSubscription(db, fanId, subscriptionId)
  if (!subscription) throw new AppError('subscription_not_found')
  return subscription
}

/** The open request of a fan; only the holder of the subscription's lock replaces it. */
function findNotice(db: Tx, subscriptionId: string) {
  return db
    .selectFrom('price_change_notices as notice')
    .innerJoin('price_changes as change', 'change.id', 'notice.change_id')
    .selectAll('notice')
    .where('notice.subscription_id', '=', subscriptionId)
    .where('change.closed_at', 'is', null)
    .executeTakeFirst()
}

/** Whether a renewal at this price is being charged, or what became of that isn't known yet. */
async function isBeingCharged(db: Tx, subscriptionId: string, cents: number): Promise<boolean> {
  const attempt = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('payments.id')
    .where('orders.subscription_id', '=', subscriptionId)
    .where('orders.status', '=', 'open')
    .where('orders.amount_cents', '=', cents)
    .where('payments.status', 'in', UNDECIDED_STATUSES)
    .executeTakeFirst()
  return attempt !== undefined
}
