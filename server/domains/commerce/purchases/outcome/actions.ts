import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { CommerceTables, PurchaseStatus } from '../../../../db/tables/commerce.ts'
import { violates } from '../../../../errors.ts'
import type { Capture, ChargeOutcome } from '../../../../ports/payments/port.ts'
import { grantPurchase } from '../../../media/actions.ts'
import { bundleContents } from '../../bundles/data.ts'
import { postSale } from '../../ledger/actions.ts'
import { startSubscription } from '../../subscriptions/actions.ts'
import { accessUntil } from '../../subscriptions/rules.ts'
import { REASONS, refusalReason, voidReason } from '../rules.ts'

/** Sent to the gateway, and its end not known here. */
const UNDECIDED: PurchaseStatus[] = ['submitting', 'held', 'unknown']
/** An approval that comes after everybody believed in no charge is still money, and still grants. */
const CAPTURABLE: PurchaseStatus[] = [...UNDECIDED, 'refused']

/**
 * Records what the gateway said of an attempt. An approval becomes capture, journal and entitlement in one
 * transaction; when nothing can be granted for it any more, the charge is taken back. Whoever comes second, the live
 * call or a recovery, changes nothing.
 */
export async function recordOutcome(
  context: Context,
  purchaseId: string,
  outcome: ChargeOutcome,
): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  const record = (change: Parameters<typeof conclude>[2]) =>
    db.transaction().execute((tx) => conclude(tx, purchaseId, change))
  switch (outcome.kind) {
    case 'approved':
      return capture(context, purchaseId, outcome)
    case 'held':
      return record({
        status: 'held',
        gateway_transaction_id: outcome.transactionId || null,
      })
    case 'declined':
      return record({ status: 'declined', reason: outcome.reason, decided_at: now })
    case 'refused':
      return record({ status: 'refused', reason: refusalReason(outcome), decided_at: now })
    case 'unknown':
      return record({ status: 'unknown', reason: outcome.detail.slice(0, 200) })
  }
}

/** Records that the gateway has taken the charge back, by our wish or its own. */
export async function recordVoided(
  db: Tx,
  purchaseId: string,
  transactionId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('purchases')
    .set({ status: 'voided', gateway_transaction_id: transactionId, decided_at: now })
    .where('id', '=', purchaseId)
    .where('status', 'in', CAPTURABLE)
    .execute()
}

type Conclusion = Partial<
  Pick<CommerceTables['purchases'], 'status' | 'reason' | 'gateway_transaction_id' | 'decided_at'>
>

async function conclude(db: Tx, purchaseId: string, conclusion: Conclusion): Promise<void> {
  await db
    .updateTable('purchases')
    .set(conclusion)
    .where('id', '=', purchaseId)
    .where('status', 'in', conclusion.status === 'unknown' ? ['submitting'] : UNDECIDED)
    .execute()
}

async function capture(context: Context, purchaseId: string, charge: Capture): Promise<void> {
  const { db, clock, config } = context
  let toVoid: string | null = null
  try {
    toVoid = await db.transaction().execute(async (transaction) => {
      const moment = { feePercent: config.PLATFORM_FEE_PERCENT, now: clock.now() }
      const refused = await captureAndGrant(transaction, purchaseId, charge, moment)
      await context.checkpoint('purchase.before-capture-commit')
      return refused
    })
  } catch (error) {
    toVoid = ungrantable(error)
    if (!toVoid) throw error
  }
  if (toVoid) return voidUngranted(context, purchaseId, charge.transactionId, toVoid)
  await context.checkpoint('purchase.capture-committed')
}

/** Why the database refused to grant what was paid: it is the buyer's already. Null for any other error. */
function ungrantable(error: unknown): string | null {
  if (violates(error, 'purchases_bought_once')) return REASONS.alreadyOwned
  if (violates(error, 'subscriptions_one_live')) return REASONS.alreadySubscribed
  return null
}

/** Capture, journal and entitlement, once. Returns why the charge is to be taken back instead, when that was decided before. */
async function captureAndGrant(
  db: Tx,
  purchaseId: string,
  charge: Capture,
  { feePercent, now }: { feePercent: number; now: Date },
): Promise<string | null> {
  const purchase = await db
    .selectFrom('purchases')
    .selectAll()
    .where('id', '=', purchaseId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!CAPTURABLE.includes(purchase.status)) return null
  const voided = voidReason(purchase.reason)
  if (voided) return voided
  await db
    .updateTable('purchases')
    .set({
      status: 'captured',
      reason: null,
      gateway_transaction_id: charge.transactionId,
      network_transaction_id: charge.networkTransactionId,
      card_brand: charge.card.brand,
      card_last_four: charge.card.lastFour,
      decided_at: now,
    })
    .where('id', '=', purchaseId)
    .execute()
  const storedCardId = purchase.save_card ? await keepCard(db, purchase.buyer_id, charge, now) : null
  const { creator_id: creatorId, amount_cents: grossCents } = purchase
  await postSale(db, { purchaseId, creatorId, grossCents, feePercent, now })
  const grant = { userId: purchase.buyer_id, purchaseId, itemId: purchase.item_id, now }
  switch (purchase.kind) {
    case 'single':
      await grantPurchase(db, { ...grant, kind: 'single', mediaIds: [purchase.item_id] })
      break
    case 'bundle': {
      const mediaIds = await bundleContents(db, purchase.item_id, purchase.created_at)
      await grantPurchase(db, { ...grant, kind: 'bundle', mediaIds })
      break
    }
    case 'subscription': {
      const subscription = await startSubscription(db, {
        planId: purchase.item_id,
        fanId: purchase.buyer_id,
        creatorId,
        priceCents: grossCents,
        storedCardId,
        networkTransactionId: charge.networkTransactionId,
        now,
      })
      const { id: subscriptionId, currentPeriodEnd } = subscription
      const validUntil = accessUntil(currentPeriodEnd)
      await grantPurchase(db, {
        ...grant,
        kind: 'subscription',
        mediaIds: [],
        subscription: { subscriptionId, planId: purchase.item_id, validUntil },
      })
    }
  }
  return null
}

/** Remembers the card that the gateway stored; null when it stored none. */
async function keepCard(db: Tx, userId: string, charge: Capture, now: Date): Promise<string | null> {
  if (!charge.storedCard) return null
  const { brand, lastFour } = charge.card
  const { customerProfileId, paymentProfileId } = charge.storedCard
  const { id } = await db
    .insertInto('stored_cards')
    .values({
      user_id: userId,
      customer_profile_id: customerProfileId,
      payment_profile_id: paymentProfileId,
      brand,
      last_four: lastFour,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_profile_id', 'payment_profile_id'])
        .doUpdateSet({ brand, last_four: lastFour }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Gives the money back that nothing can be granted for. The decision commits first, so that nobody grants meanwhile;
 * until the gateway has agreed the purchase stays undecided, and recovery comes back to it.
 */
async function voidUngranted(
  context: Context,
  purchaseId: string,
  transactionId: string,
  reason: string,
): Promise<void> {
  const { db, clock, log, payments } = context
  const decided = await db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('purchases')
        .set({ reason, gateway_transaction_id: transactionId })
        .where('id', '=', purchaseId)
        .where('status', 'in', CAPTURABLE)
        .executeTakeFirst(),
    )
  if (decided.numUpdatedRows === 0n) return
  const answer = await payments.voidCharge(transactionId)
  if (answer.kind === 'voided') {
    return db.transaction().execute((tx) => recordVoided(tx, purchaseId, transactionId, clock.now()))
  }
  log.error({ purchaseId, transactionId, answer }, 'a charge that grants nothing could not be taken back yet')
}
