import { TERMS_VERSION } from '../../../../../contract/constants.ts'
import { formatMoney } from '../../../../../contract/money.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { consentNetwork } from '../../../../networks.ts'
import { lockOwnSubscription, type OwnSubscriptionRow } from '../data.ts'
import { termRefusal, termsOf } from '../rules.ts'

type Wanted = {
  fanId: string
  subscriptionId: string
  months: TermMonths
  /** The price in cents that the fan was shown for the term. */
  shownCents: number
  ip: string
  now: Date
}

/**
 * Agrees on another term from the next renewal on, at the price of now; the subscription's own term undoes that, at its
 * own price or the lower one of now. Throws `subscription_not_found`, what `termRefusal` says, `term_not_offered` and `price_changed`.
 */
export async function changeTerm(db: Tx, wanted: Wanted): Promise<OwnSubscriptionRow> {
  const { subscriptionId, months, now } = wanted
  const subscription = await lockWithPrices(db, wanted)
  const refused = termRefusal(subscription, now)
  if (refused) throw new AppError(refused)
  const term = termsOf(subscription, now).find((offered) => offered.months === months)
  if (!term) throw new AppError('term_not_offered')
  if (term.cents !== wanted.shownCents)
    throw new AppError('price_changed', { details: { price: formatMoney(term.cents) } })
  await db
    .updateTable('subscription_agreements')
    .set({ withdrawn_at: now })
    .where('subscription_id', '=', subscriptionId)
    .where('applied_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    // A lower price of another term is dropped with that term; a lower price of the own one stays.
    .where((eb) => eb.or([eb('consented_at', 'is not', null), eb('months', '!=', subscription.months)]))
    .execute()
  const isOwn = months === subscription.months
  if (!isOwn || term.cents < subscription.keptCents)
    await db
      .insertInto('subscription_agreements')
      .values({
        subscription_id: subscriptionId,
        months,
        price_cents: term.cents,
        effective_from: now,
        ...(isOwn
          ? {}
          : {
              terms_version: TERMS_VERSION,
              consented_at: now,
              consent_network: consentNetwork(wanted.ip),
            }),
        created_at: now,
      })
      .execute()
  return lock(db, wanted)
}

/** The subscription before its plan, as a purchase locks them; what the plan costs stays until the end. */
async function lockWithPrices(db: Tx, wanted: Wanted): Promise<OwnSubscriptionRow> {
  const { plan_id: planId } = await lock(db, wanted)
  await db.selectFrom('subscription_plans').select('id').where('id', '=', planId).forShare().execute()
  return lock(db, wanted)
}

async function lock(db: Tx, { fanId, subscriptionId }: Wanted): Promise<OwnSubscriptionRow> {
  const subscription = await lockOwnSubscription(db, fanId, subscriptionId)
  if (!subscription) throw new AppError('subscription_not_found')
  return subscription
}
