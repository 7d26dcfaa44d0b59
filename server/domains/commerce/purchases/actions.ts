import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import type { CardToken } from '../../../ports/payments/port.ts'
import type { Audience } from '../../../viewer.ts'
import { hasBlocked, isReachable } from '../../profiles/data.ts'
import { expireSubscriptions } from '../subscriptions/actions.ts'
import { findByKey, findExistingAccess, findItem } from './data.ts'
import { recordOutcome } from './outcome/actions.ts'
import { abandonedBefore, type Item, type Kind, REASONS, refusal } from './rules.ts'

export type Order = {
  buyer: Audience & { id: string; email: string }
  kind: Kind
  itemId: string
  token: CardToken
  saveCard: boolean
  /** The price that the buyer was shown in cents, or null when they did not say. */
  shownCents: number | null
  /** How many items the buyer was shown to be in it, or null when they did not say. */
  shownItems: number | null
  idempotencyKey: string | null
}

/**
 * Buys one item: commits the attempt, then that it is being sent, then charges with no transaction open, then commits
 * capture, journal and entitlement together (decisions §5). A repeated idempotency key charges nothing. Returns the
 * purchase, whatever became of it, and whether this call made it. Throws what `refusal` says, `idempotency_key_reused`
 * and `purchase_in_progress`.
 */
export async function buy(context: Context, order: Order): Promise<{ purchaseId: string; first: boolean }> {
  const { db, clock, log, payments } = context
  await context.checkpoint('purchase.before-intent')
  const intent = await recordIntent(db, order, { publishingOpen: context.publishingOpen, now: clock.now() })
  if (!intent.first) return intent
  const { purchaseId } = intent
  await context.checkpoint('purchase.intent-committed')
  const attempt = await db.transaction().execute((tx) => beginSubmitting(tx, purchaseId, clock.now()))
  // Recovery gave it up meanwhile; sending it now would charge for a purchase that was said not to be.
  if (!attempt) return intent
  await context.checkpoint('purchase.submitting-committed')
  const outcome = await payments.charge({
    reference: attempt.reference,
    amountCents: attempt.amount_cents,
    description: `${context.config.BRAND_NAME} ${order.kind}`,
    source: { token: order.token, saveCard: attempt.save_card },
    occasion: order.kind === 'subscription' ? 'firstRecurring' : 'single',
    customer: { id: order.buyer.id, email: order.buyer.email },
  })
  await context.checkpoint('purchase.gateway-answered')
  try {
    await recordOutcome(context, purchaseId, outcome)
  } catch (error) {
    log.error(
      { err: error, purchaseId },
      'the answer of the gateway could not be recorded; recovery will look it up',
    )
  }
  return intent
}

type Intent = { purchaseId: string; first: boolean }

/** Commits the attempt with the price and the contents of this moment, or finds the one that was made with the same key. */
async function recordIntent(
  db: Db,
  order: Order,
  moment: { publishingOpen: boolean; now: Date },
): Promise<Intent> {
  try {
    return await db.transaction().execute(async (transaction) => {
      const earlier = await replay(transaction, order)
      if (earlier) return earlier
      const item = await requireBuyable(transaction, order, moment, null)
      const purchaseId = await insertPurchase(transaction, order, item, moment.now)
      // What was captured between the check and the insert shows only now; what comes later meets the index.
      await requireBuyable(transaction, order, moment, purchaseId)
      return { purchaseId, first: true }
    })
  } catch (error) {
    const raced = violates(error, 'purchases_idempotency') || violates(error, 'purchases_one_open')
    if (!raced && !(error instanceof AppError)) throw error
    // The call with the same key may have committed since it was looked for; its answer comes before any refusal.
    const earlier = await replay(db, order)
    if (earlier) return earlier
    throw raced ? new AppError('purchase_in_progress') : error
  }
}

async function replay(db: Db, order: Order): Promise<Intent | null> {
  if (order.idempotencyKey === null) return null
  const earlier = await findByKey(db, order.buyer.id, order.idempotencyKey)
  if (!earlier) return null
  if (earlier.request_hash !== hashOf(order)) throw new AppError('idempotency_key_reused')
  return { purchaseId: earlier.id, first: false }
}

/** What a repeated call is compared by; the card token is only kept as part of this hash. */
function hashOf({ kind, itemId, token, saveCard, shownCents, shownItems }: Order): string {
  const parts = [kind, itemId, token.dataDescriptor, token.dataValue, saveCard, shownCents]
  if (shownItems !== null) parts.push(shownItems)
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** The item as it is sold now, when this buyer may buy it; throws what `refusal` says. `ownAttempt` is not counted as open. */
async function requireBuyable(
  db: Tx,
  order: Order,
  moment: { publishingOpen: boolean; now: Date },
  ownAttempt: string | null,
): Promise<Item> {
  const { buyer, kind, itemId, shownCents, shownItems } = order
  if (kind === 'subscription') await expireSubscriptions(db, moment.now, buyer.id)
  const item = await findItem(db, kind, itemId)
  if (item && !(await isReachable(db, item.creatorId, buyer))) throw new AppError('item_not_found')
  if (item && (await hasBlocked(db, item.creatorId, buyer.id))) throw new AppError('item_not_found')
  const existingAccess = await findExistingAccess(
    db,
    { buyerId: buyer.id, kind, itemId, ownAttempt },
    item?.contents.map(({ mediaId }) => mediaId) ?? [],
  )
  const refused = refusal(item, existingAccess, {
    buyerId: buyer.id,
    blockedSeller: item !== null && (await hasBlocked(db, buyer.id, item.creatorId)),
    shownCents,
    shownItems,
    publishingOpen: moment.publishingOpen,
  })
  if (refused || !item) throw new AppError(refused ?? 'item_not_found')
  return item
}

/** What is bought stays what it is from here on, whatever its creator does with it. */
async function insertPurchase(db: Tx, order: Order, item: Item, now: Date): Promise<string> {
  const { id } = await db
    .insertInto('purchases')
    .values({
      buyer_id: order.buyer.id,
      creator_id: item.creatorId,
      kind: order.kind,
      item_id: order.itemId,
      title: item.title,
      amount_cents: item.priceCents,
      status: 'created',
      reference: randomBytes(10).toString('hex'),
      // A subscription renews by the card, so it is always kept.
      save_card: order.saveCard || order.kind === 'subscription',
      idempotency_key: order.idempotencyKey,
      request_hash: order.idempotencyKey === null ? null : hashOf(order),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (item.contents.length > 0)
    await db
      .insertInto('purchase_items')
      .values(
        item.contents.map(({ mediaId, versionId }, position) => ({
          purchase_id: id,
          position,
          media_id: mediaId,
          version_id: versionId,
        })),
      )
      .execute()
  return id
}

/** Commits that the gateway is about to be called; undefined when recovery has given the attempt up. */
async function beginSubmitting(db: Tx, purchaseId: string, now: Date) {
  return db
    .updateTable('purchases')
    .set({ status: 'submitting', submitted_at: now })
    .where('id', '=', purchaseId)
    .where('status', '=', 'created')
    .returning(['reference', 'amount_cents', 'save_card'])
    .executeTakeFirst()
}

/** Gives up attempts that were never sent: `submitting` commits before the call, so these charged nothing. */
export async function abandonUnsent(db: Tx, now: Date): Promise<void> {
  await db
    .updateTable('purchases')
    .set({ status: 'refused', reason: REASONS.abandoned, decided_at: now })
    .where('status', '=', 'created')
    .where('created_at', '<=', abandonedBefore(now))
    .execute()
}
