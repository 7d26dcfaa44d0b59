import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_CARDS } from '../../../../contract/constants.ts'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import type { CardToken, Charge } from '../../../ports/payments/port.ts'
import { countAttempt } from '../cards/attempts/actions.ts'
import { type LockedCard, listCards, lockCard } from '../cards/data.ts'
import { cardRefusal } from '../cards/rules.ts'
import { redemptionRefusal } from '../offers/redeeming/actions.ts'
import { type Moment, type OpenOrder, placeOrder, requireBuyable, type Wanted } from '../orders/actions.ts'
import { termsNow } from '../orders/rules.ts'
import { sellables } from '../sellables/actions.ts'
import { findByKey } from './data.ts'
import { recordOutcome } from './outcome/actions.ts'
import { abandonedBefore, REASONS } from './rules.ts'

/** A wanted item, and the card that is to pay for it: null when that wasn't said. */
export type Attempt = Wanted & {
  card: { token: CardToken; saveCard: boolean } | { cardId: string } | null
  /** The network of the request, as `hashedNetwork` gives it. */
  network: string
  idempotencyKey: string | null
}

type Intent = { orderId: string; paymentId: string; first: boolean }

/**
 * Buys one item: commits order and payment, then that it is being sent, then charges with no transaction open, then
 * commits capture, journal and entitlement together (docs/product.md, Money). A repeated idempotency key charges nothing.
 * Returns order and payment, whatever became of them, and whether this call made the payment. Throws what `refusal` says,
 * `idempotency_key_reused`, `purchase_in_progress`, what `cardRefusal` says, `too_many_cards` for one more card to renew by,
 * and what `attemptRefusal` says.
 */
export async function buy(context: Context, wanted: Attempt): Promise<Intent> {
  const { db, clock, config, log, payments } = context
  await context.checkpoint('purchase.before-intent')
  const intent = await recordIntent(db, wanted, {
    publishingOpen: context.publishingOpen,
    feePercent: config.PLATFORM_FEE_PERCENT,
    brand: config.BRAND_NAME,
    leastCents: config.MIN_PRICE_CENTS,
    commission: config.REFERRAL_COMMISSION,
    now: clock.now(),
  })
  if (!intent.first) return intent
  const { paymentId } = intent
  await context.checkpoint('purchase.intent-committed')
  const attempt = await db.transaction().execute((tx) => beginSubmitting(tx, paymentId, wanted, clock.now()))
  // Recovery gave it up or its card was removed meanwhile; sending it now would charge what was said not to be.
  if (!attempt) return intent
  await context.checkpoint('purchase.submitting-committed')
  const outcome = await payments.charge({
    reference: attempt.reference,
    amountCents: attempt.amount_cents,
    description: `${config.BRAND_NAME} ${wanted.kind}`,
    source: attempt.source,
    occasion: sellables[wanted.kind].renews ? 'firstRecurring' : 'single',
    customer: { id: wanted.buyer.id, email: wanted.buyer.email, ip: wanted.ip },
  })
  await context.checkpoint('purchase.gateway-answered')
  try {
    await recordOutcome(context, paymentId, outcome, 'live')
  } catch (error) {
    log.error(
      { err: error, paymentId },
      'the answer of the gateway could not be recorded; recovery will look it up',
    )
  }
  return intent
}

/** Commits the attempt with the price and the contents of this moment, or finds the one that was made with the same key. */
async function recordIntent(db: Db, wanted: Attempt, moment: Moment): Promise<Intent> {
  try {
    return await db.transaction().execute(async (transaction) => {
      const earlier = await replay(transaction, wanted)
      if (earlier) return earlier
      await takeTurn(transaction, wanted.buyer.id)
      const order = await placeOrder(transaction, wanted, moment)
      const paymentId = await insertPayment(transaction, wanted, order, moment.now)
      // A capture between the check and the insert shows only now; a later one meets the index.
      const item = await requireBuyable(transaction, wanted, moment, paymentId)
      if (item.priceCents !== order.amount_cents)
        throw new AppError('price_changed', { details: termsNow(item) })
      return { orderId: order.id, paymentId, first: true }
    })
  } catch (error) {
    const raced = ['payments_idempotency', 'payments_one_live', 'orders_one_open'].some((index) =>
      violates(error, index),
    )
    const taken = redemptionRefusal(error)
    if (!raced && !taken && !(error instanceof AppError)) throw error
    // The call with the same key may have committed since it was looked for; its answer comes before any refusal.
    const earlier = await replay(db, wanted)
    if (earlier) return earlier
    if (taken) throw new AppError(taken)
    throw raced ? new AppError('purchase_in_progress') : error
  }
}

/** One purchase of a person is agreed on after another, so that each knows what the other pays for. */
async function takeTurn(db: Tx, buyerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('purchases ' || ${buyerId}, 0))`.execute(db)
}

async function replay(db: Db, wanted: Attempt): Promise<Intent | null> {
  if (wanted.idempotencyKey === null) return null
  const earlier = await findByKey(db, wanted.buyer.id, wanted.idempotencyKey)
  if (!earlier) return null
  if (earlier.request_hash !== hashOf(wanted)) throw new AppError('idempotency_key_reused')
  return { orderId: earlier.order_id, paymentId: earlier.id, first: false }
}

/** The fingerprint of a call, to recognize repetitions; the card token is only kept as part of this hash. */
function hashOf(attempt: Attempt): string {
  const { kind, itemId, card, shownCents, shownItems, shownVersion, shownDays, offerId, shownRenewalCents } =
    attempt
  const { amountCents, months } = attempt
  const paidBy =
    card && 'token' in card
      ? [card.token.dataDescriptor, card.token.dataValue, card.saveCard]
      : [card?.cardId ?? null]
  const parts = [kind, itemId, ...paidBy, shownCents]
  if (shownItems !== null) parts.push(shownItems)
  if (shownVersion !== null) parts.push('contents', shownVersion)
  if (shownDays !== null) parts.push('days', shownDays)
  if (offerId !== null) parts.push('offer', offerId, shownRenewalCents)
  if (amountCents !== null) parts.push('amount', amountCents)
  if (months !== 1) parts.push('months', months)
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

async function insertPayment(db: Tx, wanted: Attempt, order: OpenOrder, now: Date): Promise<string> {
  const { card, network, buyer } = wanted
  const storedCardId = card && 'cardId' in card ? card.cardId : null
  const stored = storedCardId === null ? null : await lockCard(db, buyer.id, storedCardId)
  const refused = cardRefusal(card, stored ?? null, now)
  if (refused) throw new AppError(refused)
  const { renews } = sellables[wanted.kind]
  const isTyped = card !== null && 'token' in card
  // The gateway would charge it and not keep it, and nothing would renew.
  if (isTyped && renews && (await listCards(db, buyer.id)).length >= MAX_CARDS)
    throw new AppError('too_many_cards')
  const { id } = await db
    .insertInto('payments')
    .values({
      order_id: order.id,
      buyer_id: buyer.id,
      amount_cents: order.amount_cents,
      status: 'created',
      source: 'live',
      status_at: now,
      reference: randomBytes(10).toString('hex'),
      save_card: isTyped && (card.saveCard || renews),
      stored_card_id: storedCardId,
      idempotency_key: wanted.idempotencyKey,
      request_hash: wanted.idempotencyKey === null ? null : hashOf(wanted),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const attempt = { id, userId: buyer.id, network, creatorId: order.creator_id, storedCardId }
  await countAttempt(db, attempt, now)
  return id
}

/** Commits that the gateway is about to be called, and by what; null when recovery or the card's removal was faster. */
async function beginSubmitting(db: Tx, paymentId: string, { card, buyer }: Attempt, now: Date) {
  const stored = card && 'cardId' in card ? await lockCard(db, buyer.id, card.cardId) : null
  if (stored === undefined) {
    await refuse(db, paymentId, REASONS.cardRemoved, now)
    return null
  }
  const attempt = await db
    .updateTable('payments')
    .set({ status: 'submitting', source: 'live', status_at: now, submitted_at: now })
    .where('id', '=', paymentId)
    .where('status', '=', 'created')
    .returning(['reference', 'amount_cents', 'save_card'])
    .executeTakeFirst()
  if (!attempt) return null
  const source = sourceOf(card, stored, attempt.save_card)
  return source && { ...attempt, source }
}

function sourceOf(
  card: Attempt['card'],
  stored: LockedCard | null,
  saveCard: boolean,
): Charge['source'] | null {
  if (stored) {
    const { customer_profile_id: customerProfileId, payment_profile_id: paymentProfileId } = stored
    return { storedCard: { customerProfileId, paymentProfileId } }
  }
  return card && 'token' in card ? { token: card.token, saveCard } : null
}

/** Ends an attempt that was not sent. */
async function refuse(db: Tx, paymentId: string, reason: string, now: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'refused', source: 'live', status_at: now, reason, decided_at: now })
    .where('id', '=', paymentId)
    .where('status', '=', 'created')
    .execute()
}

/** Gives up attempts that were never sent: `submitting` commits before the call, so these charged nothing. */
export async function abandonUnsent(db: Tx, now: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({
      status: 'refused',
      source: 'lookup',
      status_at: now,
      reason: REASONS.abandoned,
      decided_at: now,
    })
    .where('status', '=', 'created')
    .where('created_at', '<=', abandonedBefore(now))
    .execute()
}
