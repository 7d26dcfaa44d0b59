import type { Selectable } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import type { CommerceTables, PurchaseStatus } from '../../../../db/tables/commerce.ts'
import { violates } from '../../../../errors.ts'
import type { Capture, ChargeOutcome } from '../../../../ports/payments/port.ts'
import { grant } from '../../../media/entitlements/actions.ts'
import { postSale } from '../../ledger/actions.ts'
import { startSubscription } from '../../subscriptions/actions.ts'
import { accessUntil } from '../../subscriptions/rules.ts'
import { findOrdered, isErased } from '../data.ts'
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
      return hold(context, purchaseId, outcome.transactionId || null)
    case 'declined':
      return record({ status: 'declined', reason: outcome.reason, decided_at: now })
    case 'refused':
      return record({ status: 'refused', reason: refusalReason(outcome), decided_at: now })
    case 'unknown':
      return record({ status: 'unknown', reason: outcome.detail.slice(0, 200) })
  }
}

/** Records that the gateway has taken the charge back, by our wish or its own, or refunded it. */
export async function recordGivenBack(
  db: Tx,
  purchaseId: string,
  status: 'voided' | 'refunded',
  transactionId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('purchases')
    .set({ status, gateway_transaction_id: transactionId, decided_at: now, stuck_at: null })
    .where('id', '=', purchaseId)
    .where('status', 'in', CAPTURABLE)
    .execute()
}

type Conclusion = Partial<Pick<CommerceTables['purchases'], 'status' | 'reason' | 'decided_at'>>

async function conclude(db: Tx, purchaseId: string, conclusion: Conclusion): Promise<void> {
  await db
    .updateTable('purchases')
    .set(conclusion)
    .where('id', '=', purchaseId)
    .where('status', 'in', conclusion.status === 'unknown' ? ['submitting'] : UNDECIDED)
    .execute()
}

/** Records a review, also of a charge that shows up after it was said not to be, unless another attempt is open by then. */
async function hold({ db }: Context, purchaseId: string, transactionId: string | null): Promise<void> {
  const held = {
    status: 'held' as const,
    reason: null,
    decided_at: null,
    gateway_transaction_id: transactionId,
  }
  try {
    await db.transaction().execute((tx) =>
      tx
        .updateTable('purchases')
        .set(held)
        .where('id', '=', purchaseId)
        .where((eb) =>
          eb.or([
            eb('status', 'in', UNDECIDED),
            eb.and([eb('status', '=', 'refused'), eb('reason', '=', REASONS.notCharged)]),
          ]),
        )
        .execute(),
    )
  } catch (error) {
    if (!violates(error, 'purchases_one_open')) throw error
  }
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
  if (toVoid) return giveBack(context, purchaseId, charge, toVoid)
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
  const contents = await findDeliverable(db, purchase)
  if (!contents) return REASONS.unavailable
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
  const sale = { creatorId, grossCents, feeBasisPoints: Math.round(feePercent * 100) }
  await postSale(db, { ...sale, paymentId: purchaseId, orderId: purchaseId, now })
  await deliver(db, purchase, { storedCardId, charge, contents, now })
  return null
}

type Agreed = { mediaId: string; versionId: string }[]

/** What was agreed, whole; null when some of it is gone for good, or nobody is left to have it. */
async function findDeliverable(
  db: Db,
  { id, kind, buyer_id, creator_id }: Selectable<CommerceTables['purchases']>,
): Promise<Agreed | null> {
  if (await isErased(db, [buyer_id, creator_id])) return null
  if (kind === 'subscription') return []
  const ordered = await findOrdered(db, id)
  const there = ordered.flatMap(({ mediaId, versionId }) =>
    mediaId && versionId ? [{ mediaId, versionId }] : [],
  )
  return there.length > 0 && there.length === ordered.length ? there : null
}

/** Grants what was agreed when the order was made, whatever became of it since. */
async function deliver(
  db: Tx,
  purchase: Selectable<CommerceTables['purchases']>,
  paid: { storedCardId: string | null; charge: Capture; contents: Agreed; now: Date },
): Promise<void> {
  const { id: purchaseId, kind, buyer_id: userId, item_id: planId } = purchase
  const { contents, now } = paid
  if (kind !== 'subscription')
    return grant(db, {
      userId,
      source: { kind: 'purchase', id: purchaseId },
      gives: { media: contents },
      now,
    })
  const subscription = await startSubscription(db, {
    planId,
    purchaseId,
    fanId: userId,
    creatorId: purchase.creator_id,
    priceCents: purchase.amount_cents,
    storedCardId: paid.storedCardId,
    networkTransactionId: paid.charge.networkTransactionId,
    now,
  })
  const validUntil = accessUntil(subscription.currentPeriodEnd)
  const source = { kind: 'subscription', id: subscription.id } as const
  await grant(db, { userId, source, gives: { planId, validUntil }, now })
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
 * Gives the money back that nothing can be granted for: voids the charge, or refunds it once it has settled. The decision
 * commits first, so that nobody grants meanwhile; until the gateway has agreed the purchase stays as it is, and recovery
 * comes back to it. What the gateway refuses to give back waits for the operator.
 */
async function giveBack(
  context: Context,
  purchaseId: string,
  charge: Capture,
  reason: string,
): Promise<void> {
  const { db, clock, log, payments } = context
  const { transactionId } = charge
  const decided = await db
    .transaction()
    .execute((tx) => decideToGiveBack(tx, purchaseId, transactionId, reason))
  if (!decided) return
  const answer = await takeBack(payments, charge, decided)
  await db.transaction().execute(async (tx) => {
    if (answer.kind === 'voided' || answer.kind === 'refunded')
      return recordGivenBack(tx, purchaseId, answer.kind, transactionId, clock.now())
    if (answer.kind === 'refused') await markStuck(tx, purchaseId, clock.now())
    log.error(
      { purchaseId, transactionId, answer },
      'a charge that grants nothing could not be given back yet',
    )
  })
}

type Decided = { amount_cents: number; reference: string }

function decideToGiveBack(db: Tx, purchaseId: string, transactionId: string, reason: string) {
  return db
    .updateTable('purchases')
    .set({ reason, gateway_transaction_id: transactionId })
    .where('id', '=', purchaseId)
    .where('status', 'in', CAPTURABLE)
    .returning(['amount_cents', 'reference'])
    .executeTakeFirst()
}

/** A void, where the gateway refuses it a refund: it voids only before the settlement, and refunds only after it. */
async function takeBack(payments: Context['payments'], charge: Capture, decided: Decided) {
  const { transactionId, card } = charge
  const voided = await payments.voidCharge(transactionId)
  if (voided.kind !== 'refused') return voided
  const { amount_cents: amountCents, reference } = decided
  return payments.refundCharge({ transactionId, amountCents, lastFour: card.lastFour, reference })
}

async function markStuck(db: Tx, purchaseId: string, now: Date): Promise<void> {
  await db
    .updateTable('purchases')
    .set((eb) => ({ stuck_at: eb.fn.coalesce('stuck_at', eb.val(now)) }))
    .where('id', '=', purchaseId)
    .where('status', 'in', CAPTURABLE)
    .execute()
}
