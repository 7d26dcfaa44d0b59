import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CommissionReading } from '../../../../../contract/commissions.ts'
import { formatMoney } from '../../../../../contract/money.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { StoredCard } from '../../../../ports/payments/port.ts'
import { notify } from '../../../notifications/actions.ts'
import { recordOutcome } from '../../payments/outcome/actions.ts'
import { agreeCommissions } from '../../referrals/actions.ts'
import { tellOfSubscriptions } from '../../sellers/actions.ts'
import { endSubscriptions } from '../../subscriptions/actions.ts'
import { isRenewable } from '../rules.ts'
import { type DueRow, findAttempts, lockDue } from './data.ts'
import { type DueSubscription, nextStep, recheckAt } from './rules.ts'

/** So many are committed together, and so many of them charged at the same time. */
const BATCH = 100
const AT_ONCE = 10

/**
 * Charges every subscription that is due, of all fans or one, batch by batch; several processes share them. Returns how
 * many were due.
 */
export async function chargeDue(context: Context, fanId?: string): Promise<number> {
  const { db, clock, config } = context
  let total = 0
  for (;;) {
    const now = clock.now()
    const { charges, claimed } = await db
      .transaction()
      .execute((tx) => claimDue(tx, { limit: BATCH, fanId, terms: termsOf(config), now }))
    await context.checkpoint('renewal.claimed')
    const waiting = [...charges]
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, waiting.length) }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await charge(context, next)
      }),
    )
    total += claimed
    if (claimed < BATCH) return total
  }
}

/** What the platform keeps of a renewal, and how its referrers are paid out of that. */
type SaleTerms = { feePercent: number; commission: CommissionReading }

const termsOf = (config: Context['config']): SaleTerms => ({
  feePercent: config.PLATFORM_FEE_PERCENT,
  commission: config.REFERRAL_COMMISSION,
})

/** Sends one charge and records what became of it; what can't be recorded is looked up, and never sent again. */
async function charge(context: Context, renewal: RenewalCharge): Promise<void> {
  const { db, clock, config, log, payments } = context
  const { subscriptionId, paymentId, reference, amountCents, customer } = renewal
  if (!(await db.transaction().execute((tx) => noteSent(tx, paymentId, clock.now())))) return
  const outcome = await payments.charge({
    reference,
    amountCents,
    description: `${config.BRAND_NAME} subscription`,
    source: { storedCard: renewal.storedCard, networkTransactionId: renewal.networkTransactionId },
    occasion: 'renewal',
    customer,
  })
  await context.checkpoint('renewal.gateway-answered')
  try {
    await recordOutcome(context, paymentId, outcome, 'live')
    if (outcome.kind === 'approved') return
    await db.transaction().execute((tx) => followUp(tx, subscriptionId, clock.now()))
  } catch (error) {
    log.error(
      { err: error, paymentId },
      'the outcome of a renewal could not be recorded; it will be looked up',
    )
  }
}

/**
 * Notes that a charge is sent now: those of its batch before it may have taken minutes. False when it was called not made
 * meanwhile, and so must not be.
 */
async function noteSent(tx: Tx, paymentId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('payments')
    .set({ submitted_at: now })
    .where('id', '=', paymentId)
    .where('status', '=', 'submitting')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A charge that was committed as being sent. */
type RenewalCharge = {
  subscriptionId: string
  paymentId: string
  reference: string
  amountCents: number
  storedCard: StoredCard
  networkTransactionId: string | null
  customer: { id: string; email: string }
}

/**
 * Takes due subscriptions that no other process holds, and does with each what `nextStep` says. Answers the charges to
 * send, which are committed as being sent together with this transaction, and how many subscriptions were due.
 */
async function claimDue(
  db: Tx,
  { limit, fanId, terms, now }: { limit: number; fanId: string | undefined; terms: SaleTerms; now: Date },
): Promise<{ charges: RenewalCharge[]; claimed: number }> {
  const due = await lockDue(db, now, { limit, fanId })
  const attempts = await findAttempts(
    db,
    due.map(({ id }) => id),
  )
  const charges: RenewalCharge[] = []
  for (const row of due) {
    const attempt = attempts.get(row.id)
    const state: DueSubscription = {
      periodEnd: row.expiration,
      renewable: isRenewable(row),
      hasCard: row.customer_profile_id !== null,
      last: attempt?.last ?? null,
    }
    const step = nextStep(state, now)
    if (step.step === 'end') await end(db, row, step.why, now)
    else if (step.step === 'wait') await wait(db, row, step, now)
    else {
      const charge = await beginCharge(db, row, attempt?.openOrderId ?? null, { terms, now })
      if (charge) charges.push(charge)
    }
  }
  return { charges, claimed: due.length }
}

/** Does at once what the outcome of an attempt asks for; what is missed here is done when the subscription is next due. */
async function followUp(db: Tx, subscriptionId: string, now: Date): Promise<void> {
  const [row] = await lockDue(db, now, { limit: 1, only: subscriptionId })
  if (!row) return
  const last = (await findAttempts(db, [subscriptionId])).get(subscriptionId)?.last ?? null
  if (!last) return
  const step = nextStep(
    { periodEnd: row.expiration, renewable: isRenewable(row), hasCard: row.stored_card_id !== null, last },
    now,
  )
  if (step.step === 'wait' && step.declined) await wait(db, row, step, now)
}

async function wait(
  db: Tx,
  row: DueRow,
  { until, declined }: { until: Date; declined: boolean },
  now: Date,
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ renewal_due_at: until, ...(declined ? { status: 'past_due' as const } : {}) })
    .where('id', '=', row.id)
    .execute()
  if (!declined) return
  const data = { title: row.title, amount: formatMoney(row.price_cents), creator: row.creatorUsername }
  await notify(
    db,
    { kind: 'subscription.declined', person: row.fan_id, data },
    { now, once: `subscription.declined ${row.id} ${row.expiration.toISOString()}` },
  )
}

async function end(db: Tx, row: DueRow, why: 'unavailable' | 'unpaid', now: Date): Promise<void> {
  await endSubscriptions(db, [row.id], why === 'unpaid' ? 'uncollectible' : 'void', now)
  await tellOfSubscriptions(db, [row.id], 'ended', now)
  const data = { title: row.title, unpaid: why === 'unpaid' }
  await notify(
    db,
    { kind: 'subscription.ended', person: row.fan_id, data },
    { now, once: `subscription.ended ${row.id}` },
  )
}

/** Commits order and attempt; null when the period's order was replaced, and nothing is owed any more. */
async function beginCharge(
  db: Tx,
  row: DueRow,
  openOrderId: string | null,
  { terms, now }: { terms: SaleTerms; now: Date },
): Promise<RenewalCharge | null> {
  const { customer_profile_id: customerProfileId, payment_profile_id: paymentProfileId } = row
  await db
    .updateTable('subscriptions')
    .set({ renewal_due_at: recheckAt(now) })
    .where('id', '=', row.id)
    .execute()
  const orderId = openOrderId ?? (await placeRenewal(db, row, terms, now))
  if (!orderId || !customerProfileId || !paymentProfileId) return null
  const reference = randomBytes(10).toString('hex')
  const { id: paymentId } = await db
    .insertInto('payments')
    .values({
      order_id: orderId,
      buyer_id: row.fan_id,
      amount_cents: row.price_cents,
      status: 'created',
      source: 'live',
      status_at: now,
      reference,
      stored_card_id: row.stored_card_id,
      off_session: true,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('payments')
    .set({ status: 'submitting', submitted_at: now })
    .where('id', '=', paymentId)
    .execute()
  return {
    subscriptionId: row.id,
    paymentId,
    reference,
    amountCents: row.price_cents,
    storedCard: { customerProfileId, paymentProfileId },
    networkTransactionId: row.network_transaction_id,
    customer: { id: row.fan_id, email: row.email },
  }
}

/** The order of the next period at the subscription's own price, agreed to when it began; null where there was one already. */
async function placeRenewal(db: Tx, row: DueRow, terms: SaleTerms, now: Date): Promise<string | null> {
  const feeBasisPoints = Math.round(terms.feePercent * 100)
  const { rows } = await sql<{ id: string }>`
    insert into orders (buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once,
      subscription_id, period, created_at, tried_at, terms_version, consented_at, consent_network)
    select ${row.fan_id}, ${row.creator_id}, 'subscription', ${row.plan_id}, ${row.title}, ${row.price_cents},
      ${feeBasisPoints}, false, ${row.id},
      coalesce(max(period) filter (where status = 'paid'), 1) + 1, ${now}, ${now},
      (array_agg(terms_version order by period))[1], (array_agg(consented_at order by period))[1],
      (array_agg(consent_network order by period))[1]
    from orders where subscription_id = ${row.id}
    on conflict do nothing returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) return null
  const agreed = { amount_cents: row.price_cents, fee_basis_points: feeBasisPoints }
  await agreeCommissions(
    db,
    { id, buyer_id: row.fan_id, creator_id: row.creator_id, ...agreed },
    terms.commission,
    now,
  )
  return id
}
