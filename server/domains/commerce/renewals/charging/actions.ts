import { randomBytes } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { ChargeOutcome, StoredCard } from '../../../../ports/payments/port.ts'
import { recordOutcome } from '../../payments/outcome/actions.ts'
import { captureTogether, recordTogether } from '../capturing/actions.ts'
import { endRenewing, tellReviewed, tellUnpaid } from '../dunning/actions.ts'
import { placeRenewals, type SaleTerms } from '../placing/actions.ts'
import { isRenewable } from '../rules.ts'
import { type DueRow, findAttempts, lockDue, owing } from './data.ts'
import { type DueSubscription, isAnswer, isSilent, nextStep, recheckAt } from './rules.ts'

/** So many are committed together, and so many of them charged at the same time. */
const BATCH = 100
const AT_ONCE = 10
/** A charge of a batch that waited longer is looked at again before it is sent: recoveries look from 55 seconds on. */
const FRESH_MS = 20_000

/**
 * Charges every subscription that is due, of all fans or one, batch by batch; several processes share them. Ends early at
 * a gateway that hardly answers, whose next batch is for the next run. Returns how many were looked at.
 */
export async function chargeDue(context: Context, fanId?: string): Promise<number> {
  const { db, clock, config } = context
  const recorder = recordTogether((charged: Charged[]) => recordCharges(context, charged))
  let total = 0
  try {
    for (;;) {
      const now = clock.now()
      const { charges, claimed } = await db
        .transaction()
        .execute((tx) => claimDue(tx, { limit: BATCH, fanId, terms: termsOf(config), now }))
      await context.checkpoint('renewal.claimed')
      // The previous batch is recorded while the next one is claimed, but never more than one batch waits for that.
      await recorder.done()
      const waiting = [...charges]
      let answered = 0
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, waiting.length) }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            const charged = await charge(context, next)
            if (!charged) continue
            recorder.add(charged)
            if (isAnswer(charged.outcome)) answered++
          }
        }),
      )
      total += claimed
      if (claimed < BATCH || isSilent({ sent: charges.length, answered })) return total
    }
  } finally {
    // Also when the next ones can't be claimed, as a victim of a deadlock, what was charged is recorded first.
    await recorder.done()
  }
}

const termsOf = (config: Context['config']): SaleTerms => ({
  feePercent: config.PLATFORM_FEE_PERCENT,
  commission: config.REFERRAL_COMMISSION,
})

type Charged = { renewal: RenewalCharge; outcome: ChargeOutcome }

/** Sends one charge; null where it waited for its turn, and was called not made meanwhile. */
async function charge(context: Context, renewal: RenewalCharge): Promise<Charged | null> {
  const { db, clock } = context
  const { paymentId, submittedAt } = renewal
  const waited = clock.now().getTime() - submittedAt.getTime()
  if (waited > FRESH_MS && !(await db.transaction().execute((tx) => noteSent(tx, paymentId, clock.now()))))
    return null
  const outcome = await context.payments.charge({
    reference: renewal.reference,
    amountCents: renewal.amountCents,
    description: `${context.config.BRAND_NAME} subscription`,
    source: { storedCard: renewal.storedCard, networkTransactionId: renewal.networkTransactionId },
    occasion: 'renewal',
    customer: renewal.customer,
  })
  await context.checkpoint('renewal.gateway-answered')
  return { renewal, outcome }
}

/** Records what became of charges: what was plainly approved together, and each of the others by itself. */
async function recordCharges(context: Context, charged: Charged[]): Promise<void> {
  const approved = charged.flatMap(({ renewal, outcome }) =>
    outcome.kind === 'approved' ? [{ paymentId: renewal.paymentId, charge: outcome }] : [],
  )
  const captured = await captureTogether(context, approved)
  for (const each of charged) if (!captured.has(each.renewal.paymentId)) await record(context, each)
}

/** Records what became of one charge; what can't be recorded is looked up, and never sent again. */
async function record(context: Context, { renewal, outcome }: Charged): Promise<void> {
  const { db, clock, log } = context
  const { subscriptionId, paymentId } = renewal
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
 * Notes that a charge is sent now: those of its batch before it may have taken minutes. False when it must not be: it was
 * called not made meanwhile, its fan canceled, or removed the card; then a look-up ends it, as nobody was charged.
 */
async function noteSent(tx: Tx, paymentId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('payments')
    .set({ submitted_at: now })
    .where('id', '=', paymentId)
    .where('status', '=', 'submitting')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('orders')
          .innerJoin('stored_cards as card', (join) => join.onRef('card.id', '=', 'payments.stored_card_id'))
          .select('orders.id')
          .whereRef('orders.id', '=', 'payments.order_id')
          .where('orders.status', '=', 'open')
          .where('card.removed_at', 'is', null),
      ),
    )
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
  submittedAt: Date
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
  const dueCharges: DueCharge[] = []
  const unplaced: DueRow[] = []
  const waiting: Parameters<typeof tellReviewed>[1] = []
  for (const found of due) {
    const attempt = attempts.get(found.id)
    const row = owing(found, attempt)
    const state: DueSubscription = {
      periodEnd: row.expiration,
      renewable: isRenewable(row),
      agreed: attempt?.agreed ?? true,
      hasCard: row.customer_profile_id !== null,
      last: attempt?.last ?? null,
    }
    const step = nextStep(state, now)
    if (step.step === 'end') await endRenewing(db, row, step.why, now)
    else if (step.step === 'wait') {
      await wait(db, row, step, now)
      if (step.declined && !attempt?.open) unplaced.push(row)
      if (state.renewable && state.agreed) waiting.push({ row, last: attempt?.last ?? null })
    } else dueCharges.push({ row, openOrderId: attempt?.open?.id ?? null })
  }
  await tellReviewed(db, waiting, now)
  // Owed without a card as well, so that who subscribes again pays for that period, not for one from that day on.
  await placeRenewals(db, unplaced, terms, now)
  return { charges: await startCharges(db, dueCharges, { terms, now }), claimed: due.length }
}

/** Does at once what the outcome of an attempt asks for; what is missed here is done when the subscription is next due. */
export async function followUp(db: Tx, subscriptionId: string, now: Date): Promise<void> {
  const [found] = await lockDue(db, now, { limit: 1, only: subscriptionId })
  if (!found) return
  const attempts = (await findAttempts(db, [subscriptionId])).get(subscriptionId)
  const last = attempts?.last ?? null
  if (!last) return
  const row = owing(found, attempts)
  const step = nextStep(
    {
      periodEnd: row.expiration,
      renewable: isRenewable(row),
      agreed: attempts?.agreed ?? true,
      hasCard: row.stored_card_id !== null,
      last,
    },
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
  if (declined) await tellUnpaid(db, [row], now)
}

type DueCharge = { row: DueRow; openOrderId: string | null }

/** Commits orders and attempts; without those whose order was replaced, so that nothing is owed anymore. */
async function startCharges(
  db: Tx,
  dueCharges: DueCharge[],
  { terms, now }: { terms: SaleTerms; now: Date },
): Promise<RenewalCharge[]> {
  if (dueCharges.length === 0) return []
  await db
    .updateTable('subscriptions')
    .set({ renewal_due_at: recheckAt(now) })
    .where(
      'id',
      'in',
      dueCharges.map(({ row }) => row.id),
    )
    .execute()
  const without = dueCharges.filter(({ openOrderId }) => openOrderId === null).map(({ row }) => row)
  const placed = await placeRenewals(db, without, terms, now)
  const charges = dueCharges.flatMap(({ row, openOrderId }) => {
    const orderId = openOrderId ?? placed.get(row.id)
    const { customer_profile_id: customerProfileId, payment_profile_id: paymentProfileId } = row
    if (!orderId || !customerProfileId || !paymentProfileId) return []
    const storedCard = { customerProfileId, paymentProfileId }
    return [{ row, orderId, storedCard, reference: randomBytes(10).toString('hex') }]
  })
  if (charges.length === 0) return []
  const payments = await db
    .insertInto('payments')
    .values(
      charges.map(({ row, orderId, reference }) => ({
        order_id: orderId,
        buyer_id: row.fan_id,
        amount_cents: row.price_cents,
        status: 'created' as const,
        source: 'live' as const,
        status_at: now,
        reference,
        stored_card_id: row.stored_card_id,
        off_session: true,
        created_at: now,
      })),
    )
    .returning(['id', 'reference'])
    .execute()
  const ids = new Map(payments.map(({ id, reference }) => [reference, id]))
  await db
    .updateTable('payments')
    .set({ status: 'submitting', submitted_at: now })
    .where('id', 'in', [...ids.values()])
    .execute()
  return charges.map(({ row, reference, storedCard }) => ({
    subscriptionId: row.id,
    paymentId: ids.get(reference) ?? '',
    reference,
    amountCents: row.price_cents,
    storedCard,
    networkTransactionId: row.network_transaction_id,
    customer: { id: row.fan_id, email: row.email },
    submittedAt: now,
  }))
}
