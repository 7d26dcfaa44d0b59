import type { SubscriptionStatus } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { discard, enqueue } from '../../../jobs/enqueue.ts'
import { notify } from '../../notifications/actions.ts'
import { absenceOfCreator, presentParty } from '../present.ts'
import { passOnMissed } from '../price-changes/actions.ts'
import { payingOf } from '../price-changes/rules.ts'
import { tellResumed } from '../price-changes/telling/actions.ts'
import { tellOfSubscriptions } from '../sellers/actions.ts'
import { expireSubscriptions } from '../subscriptions/actions.ts'
import { lockOwnSubscription, type OwnSubscriptionRow } from './data.ts'
import { resumeRefusal } from './rules.ts'

/** Who undoes a cancellation within this time gets no email about it. */
const CONFIRMED_AFTER_MS = 60_000

const confirmationKey = (subscriptionId: string) => `subscriptions.confirm ${subscriptionId}`

type Asked = { fanId: string; subscriptionId: string; now: Date }

/**
 * Stops the renewals of a subscription; one whose paid period is over ends at once. Again, after its end, or on a free
 * trial, which doesn't renew, it changes nothing. Its creator is told that its fan canceled, unless they `disputed` a payment
 * of it. Throws `subscription_not_found`.
 */
export async function cancelSubscription(
  db: Tx,
  asked: Asked,
  why: 'asked' | 'disputed' = 'asked',
): Promise<OwnSubscriptionRow> {
  const { status } = await lock(db, asked)
  if (status === 'active' || status === 'past_due') {
    await setStatus(db, asked, 'canceled')
    if (why === 'asked') await tellOfSubscriptions(db, [asked.subscriptionId], 'canceled', asked.now)
  }
  await expireSubscriptions(db, asked.now, asked.fanId)
  return lock(db, asked)
}

/** The same as its fan asks for it, who gets an email about it. */
export async function cancelOwnSubscription(db: Tx, asked: Asked): Promise<OwnSubscriptionRow> {
  const { status } = await lock(db, asked)
  const canceled = await cancelSubscription(db, asked)
  if (canceled.status !== 'canceled' || status === 'canceled') return canceled
  const { fanId, subscriptionId, now } = asked
  await enqueue(
    db,
    'subscriptions.confirm',
    { fanId, subscriptionId, canceledAt: now.toISOString() },
    { key: confirmationKey(subscriptionId), runAt: new Date(now.getTime() + CONFIRMED_AFTER_MS) },
  )
  return canceled
}

/**
 * Tells a fan once that they canceled their subscription. Nothing is told of one that they resumed, nor of one that has
 * ended, which has a mail of its own.
 */
export async function confirmCancellation(
  db: Tx,
  { fanId, subscriptionId, canceledAt, now }: Asked & { canceledAt: string },
): Promise<void> {
  const canceled = await lockOwnSubscription(db, fanId, subscriptionId)
  if (canceled?.status !== 'canceled' || canceled.expiration <= now || canceled.fanHiddenAt !== null) return
  const until = canceled.expiration.toISOString().slice(0, 10)
  const data = {
    title: canceled.title,
    creatorId: canceled.creator_id,
    creator: presentParty(canceled.creator_id, canceled.creatorUsername, absenceOfCreator(canceled)).username,
    until,
    resumable: resumeRefusal(canceled, now) === null,
  }
  await notify(
    db,
    { kind: 'subscription.canceled', person: fanId, data },
    { now, once: `subscription.canceled ${subscriptionId} ${canceledAt}` },
  )
}

/**
 * Undoes a cancellation before the paid period ends, at the plan's price of now where that is lower. After the commit, the
 * fan is told of a price that they weren't told of yet. Throws `subscription_not_found` and what `resumeRefusal` says.
 */
export async function resumeSubscription(db: Tx, asked: Asked): Promise<OwnSubscriptionRow> {
  // Once more: who waited for the lock reads the prices of before.
  await lock(db, asked)
  const subscription = await lock(db, asked)
  const refused = resumeRefusal(subscription, asked.now)
  if (refused) throw new AppError(refused)
  if (subscription.status !== 'canceled') return subscription
  await setStatus(db, asked, 'active')
  // What cancels it from now on, such as a dispute, isn't the cancellation that was undone.
  await discard(db, confirmationKey(asked.subscriptionId))
  await tellResumed(db, subscription, asked.now)
  const { id: subscriptionId, plan_id: planId } = subscription
  await passOnMissed(db, { subscriptionId, planId, paying: payingOf(subscription) }, asked.now)
  return lock(db, asked)
}

async function lock(db: Tx, { fanId, subscriptionId }: Asked): Promise<OwnSubscriptionRow> {
  const subscription = await lockOwnSubscription(db, fanId, subscriptionId)
  if (!subscription) throw new AppError('subscription_not_found')
  return subscription
}

async function setStatus(db: Tx, { subscriptionId }: Asked, status: SubscriptionStatus): Promise<void> {
  await db.updateTable('subscriptions').set({ status }).where('id', '=', subscriptionId).execute()
}
