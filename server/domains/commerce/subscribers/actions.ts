import { accessUntil } from '../../../../contract/subscriptions.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import type { Viewer } from '../../../viewer.ts'
import { grant } from '../../media/entitlements/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { addFreeMonths, addTrialDays, expireSubscriptions, startTrial } from '../subscriptions/actions.ts'
import { findPlan, isDeclined, isRenewing, lockFan, lockLive } from './data.ts'
import { daysRefusal, extensionRefusal, subscribersRefusal } from './rules.ts'

type Gift = {
  /** The creator whose subscription it is, or an operator, whose gifts are written to the audit log. */
  actor: Viewer
  subscriberId: string
  planId: string
  reason: string | undefined
  now: Date
}

type Plan = NonNullable<Awaited<ReturnType<typeof findPlan>>>

/**
 * Gives somebody free days of a plan: a trial of their own, or more days of the one that they have. Returns the id of
 * the subscription. Throws what `findGift` and `daysRefusal` say, and `already_subscribed` to all but one at a time.
 */
export async function giveFreeDays(
  db: Tx,
  gift: Gift & { creatorId: string; days: number },
): Promise<string> {
  const { subscriberId: fanId, planId, days, now } = gift
  const notAllowed = subscribersRefusal(gift.actor, gift.creatorId)
  if (notAllowed) throw new AppError(notAllowed)
  const plan = await findGift(db, gift)
  if (plan.creator_id !== gift.creatorId) throw new AppError('item_not_found')
  const live = await lockLive(db, fanId, planId)
  const refused = daysRefusal(live?.status ?? null)
  if (refused) throw new AppError(refused)
  // Who has a retired plan keeps it, and nobody new gets it.
  if (!live && plan.retired_at !== null) throw new AppError('item_not_found')
  const trial = live
    ? { id: live.id, currentPeriodEnd: await addTrialDays(db, live, days) }
    : await beginTrial(db, plan, { fanId, days, now })
  const { id, currentPeriodEnd: until } = trial
  await grant(db, {
    userId: fanId,
    source: { kind: 'subscription', id },
    gives: { planId, validUntil: until },
    now,
  })
  await record(db, gift, plan, { id, until, renews: false, detail: { days } })
  return id
}

/**
 * Makes a live subscription last 1, 2 or 3 months longer, for free; its next renewal comes by as much later. Returns its
 * id. Throws what `findGift` and `extensionRefusal` say.
 */
export async function extendSubscription(db: Tx, gift: Gift & { months: number }): Promise<string> {
  const { subscriberId: fanId, planId, months, now } = gift
  const plan = await findGift(db, gift)
  const live = await lockLive(db, fanId, planId)
  const underWay = live !== undefined && (await isRenewing(db, live.id))
  const refused = extensionRefusal(live?.status ?? null, { underWay })
  if (refused) throw new AppError(refused)
  if (!live) throw new AppError('not_subscribed')
  const until = await addFreeMonths(db, live, months, now)
  await grant(db, {
    userId: fanId,
    source: { kind: 'subscription', id: live.id },
    gives: { planId, validUntil: live.status === 'trialing' ? until : accessUntil(until) },
    now,
  })
  const renews = live.status === 'active' && !(await isDeclined(db, live.id))
  await record(db, gift, plan, { id: live.id, until, renews, detail: { months } })
  return live.id
}

/**
 * The free time, once its fan may have it: nobody gives to a stranger, who would get emails about it. Throws
 * `item_not_found`, `user_not_found`, `fan_unavailable`, and what `subscribersRefusal` says.
 */
async function findGift(db: Tx, { actor, subscriberId, planId, now }: Gift): Promise<Plan> {
  const plan = await findPlan(db, planId)
  if (!plan) throw new AppError('item_not_found')
  const notAllowed = subscribersRefusal(actor, plan.creator_id)
  if (notAllowed) throw new AppError(notAllowed)
  const fan = await lockFan(db, subscriberId, plan.creator_id)
  const isOperator = actor.id !== plan.creator_id
  if (!fan || !(fan.isFan || isOperator)) throw new AppError('user_not_found')
  const isThere = fan.hidden_at === null && fan.email_verified_at !== null
  if (!isThere || fan.blocked || fan.id === plan.creator_id) throw new AppError('fan_unavailable')
  await expireSubscriptions(db, now, fan.id)
  return plan
}

async function beginTrial(db: Tx, plan: Plan, trial: { fanId: string; days: number; now: Date }) {
  const { id: planId, creator_id: creatorId, price_cents: priceCents } = plan
  try {
    return await startTrial(db, { ...trial, planId, creatorId, priceCents })
  } catch (error) {
    throw violates(error, 'subscriptions_one_live') ? new AppError('already_subscribed') : error
  }
}

/** Tells the fan, and writes down what an operator gave. */
async function record(
  db: Tx,
  { actor, subscriberId, reason = 'No reason given', now }: Gift,
  plan: Plan,
  given: { id: string; until: Date; renews: boolean; detail: Record<string, number> },
): Promise<void> {
  if (actor.id !== plan.creator_id)
    await writeAudit(db, {
      actorId: actor.id,
      action: 'subscription.extended',
      targetKind: 'subscription',
      targetId: given.id,
      reason,
      detail: { subscriberId, creatorId: plan.creator_id, ...given.detail },
      now,
    })
  const until = given.until.toISOString().slice(0, 10)
  const { title, username: creator, creator_id: creatorId } = plan
  const data = { title, creator, creatorId, until, renews: given.renews }
  await notify(db, { kind: 'subscription.extended', person: subscriberId, data }, { now })
}
