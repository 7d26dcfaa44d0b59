import { sql } from 'kysely'
import { KINDS, type Kind, type PaymentStatus } from '../../contract/orders.ts'
import type { Db, Tx } from '../db/client.ts'
import { postSale } from '../domains/commerce/ledger/actions.ts'
import { findOrdered } from '../domains/commerce/orders/data.ts'
import { sellables } from '../domains/commerce/sellables/actions.ts'
import { revoke } from '../domains/media/entitlements/actions.ts'
import { sendMessage } from '../domains/messaging/messages/sending/actions.ts'
import { audienceOf } from '../viewer.ts'
import { buildBundle, buildMedia, buildOffer, buildPlan, type Person } from './builders.ts'
import { gatewayCaptures } from './gateway.ts'
import type { Harness } from './harness.ts'

/** What is offered to everybody: a message and a custom request are sold to one person, and a tip is no thing. */
export type OfferedKind = Exclude<Kind, 'message' | 'tip' | 'donation' | 'custom'>
const ONE_TO_ONE: readonly Kind[] = ['message', 'tip', 'donation', 'custom'] satisfies Exclude<
  Kind,
  OfferedKind
>[]
export const OFFERED_KINDS = KINDS.filter((kind): kind is OfferedKind => !ONE_TO_ONE.includes(kind))

/** Something to buy of this kind; a bundle or subscription holds two items. */
export async function buildItem(
  harness: Harness,
  creator: Person,
  kind: OfferedKind,
  priceCents = 999,
): Promise<string> {
  if (kind === 'singles') return buildOffer(harness, creator, { type: 'discountSingles', priceCents })
  if (kind === 'single') return buildMedia(harness, creator, { showInStore: true, priceCents })
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  return kind === 'bundle'
    ? buildBundle(harness, creator, { priceCents, mediaIds })
    : buildPlan(harness, creator, { priceCents, mediaIds })
}

/** A message that a creator sends with these items for a price; returns its id. */
export async function buildMessage(
  harness: Harness,
  creator: Person,
  fan: Person,
  { mediaIds, price }: { mediaIds: string[]; price: string },
): Promise<string> {
  const { db, clock, config } = harness.context
  const sender = { id: creator.id, role: null, isCreator: true }
  const { id } = await sendMessage(db, {
    sender,
    audience: { ...audienceOf(sender, { country: null, region: null }), id: creator.id },
    recipientId: fan.id,
    draft: { content: 'For you', mediaIds, price },
    publishingOpen: true,
    config,
    now: clock.now(),
  })
  return id
}

/** What there is of a person's payments: how often they were charged at the gateway, and what is recorded here. */
export async function purchaseTraces(
  harness: Harness,
  buyer: Person,
): Promise<{ statuses: string[]; charged: number; granted: number; sales: number }> {
  const { db } = harness.context
  const payments = await db
    .selectFrom('payments')
    .select(['status', 'reference'])
    .where('buyer_id', '=', buyer.id)
    .execute()
  const references = new Set(payments.map(({ reference }) => reference))
  const captures = await gatewayCaptures(harness)
  const granted = await db.selectFrom('entitlements').select('id').where('user_id', '=', buyer.id).execute()
  const sales = await db
    .selectFrom('journals')
    .innerJoin('orders', 'orders.id', 'journals.order_id')
    .select('journals.id')
    .where('orders.buyer_id', '=', buyer.id)
    .execute()
  return {
    statuses: payments.map(({ status }) => status).sort(),
    charged: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
    granted: granted.length,
    sales: sales.length,
  }
}

/** The traces of one purchase that was paid and granted, and of none. */
export const ONE_SALE = { statuses: ['captured'], charged: 1, granted: 1, sales: 1 }
export const NO_TRACES = { statuses: [], charged: 0, granted: 0, sales: 0 }

/** What a purchase that came about another way is. */
export type Bought = {
  buyer_id: string
  creator_id: string
  kind: Kind
  item_id: string
  title?: string
  amount_cents: number
  status: PaymentStatus
  created_at: Date
  fee_basis_points?: number
  commissions?: { referrerId: string; cents: number }[]
  /** What it holds, else what the item holds now. */
  media_ids?: string[]
}

/**
 * A purchase that came about another way, with what its item holds now, or a place for what is not there. One that was
 * captured is sold and granted too. Returns order and payment.
 */
export function insertPurchase(db: Db | Tx, bought: Bought): Promise<{ orderId: string; paymentId: string }> {
  if (db.isTransaction) return insertWithItems(db as Tx, bought)
  return db.transaction().execute((tx) => insertWithItems(tx, bought))
}

/** A purchase of something that is gone, which the creator has on their books. */
export function insertSale(
  harness: Harness,
  { buyer, creator, status = 'captured' }: { buyer: Person; creator: Person; status?: PaymentStatus },
): Promise<{ orderId: string; paymentId: string }> {
  return insertPurchase(harness.context.db, {
    buyer_id: buyer.id,
    creator_id: creator.id,
    kind: 'single',
    item_id: creator.id,
    amount_cents: 400,
    status,
    created_at: harness.clock.now(),
  })
}

/** How a payment of each status came there from `submitting`. */
const STEPS: Partial<Record<PaymentStatus, PaymentStatus[]>> = {
  created: [],
  submitting: ['submitting'],
  voided: ['submitting', 'captured', 'voided'],
  refunded: ['submitting', 'captured', 'refunded'],
  disputed: ['submitting', 'captured', 'disputed'],
}

async function insertWithItems(db: Tx, bought: Bought): Promise<{ orderId: string; paymentId: string }> {
  const { status, created_at: now, fee_basis_points: feeBasisPoints = 2000, ...agreed } = bought
  const { title = 'A purchase', commissions = [], media_ids: mediaIds = [], ...order } = agreed
  const { id: orderId } = await db
    .insertInto('orders')
    .values({
      ...order,
      title,
      fee_basis_points: feeBasisPoints,
      bought_once: sellables[order.kind].boughtOnce,
      created_at: now,
      tried_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (order.kind !== 'subscription') await insertItems(db, orderId, order.item_id, mediaIds)
  const { id: paymentId } = await db
    .insertInto('payments')
    .values({
      order_id: orderId,
      buyer_id: order.buyer_id,
      amount_cents: order.amount_cents,
      status: 'created',
      source: 'live',
      status_at: now,
      reference: crypto.randomUUID().slice(0, 20),
      gateway_transaction_id: crypto.randomUUID(),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const step of STEPS[status] ?? ['submitting', status]) {
    if (step === 'captured')
      await capture(db, { orderId, paymentId, order, feeBasisPoints, commissions, now })
    else {
      const times = step === 'submitting' ? { submitted_at: now } : { decided_at: now }
      await db
        .updateTable('payments')
        .set({ status: step, ...times })
        .where('id', '=', paymentId)
        .execute()
    }
  }
  if (status === 'voided' || status === 'refunded') {
    await db.updateTable('orders').set({ refunded_at: now }).where('id', '=', orderId).execute()
    await revoke(db, 'purchase', [orderId], now)
  }
  return { orderId, paymentId }
}

async function insertItems(db: Tx, orderId: string, itemId: string, mediaIds: string[]): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into order_items (order_id, position, media_id, version_id)
    select ${orderId}, row_number() over (order by id) - 1, id, version_id from media
    where case when cardinality(${mediaIds}::uuid[]) > 0 then id = any(${mediaIds}::uuid[])
      else id = ${itemId} or id in (select media_id from bundle_media where bundle_id = ${itemId}) end`.execute(
    db,
  )
  if (!numAffectedRows)
    await db.insertInto('order_items').values({ order_id: orderId, position: 0 }).execute()
}

async function capture(
  db: Tx,
  sale: {
    orderId: string
    paymentId: string
    order: Omit<Bought, 'status' | 'created_at' | 'fee_basis_points' | 'commissions' | 'media_ids'>
    feeBasisPoints: number
    commissions: { referrerId: string; cents: number }[]
    now: Date
  },
): Promise<void> {
  const { orderId, paymentId, order, feeBasisPoints, commissions, now } = sale
  await db
    .updateTable('payments')
    .set({ status: 'captured', decided_at: now, card_brand: 'Visa', card_last_four: '1111' })
    .where('id', '=', paymentId)
    .execute()
  await db
    .updateTable('orders')
    .set({ status: 'paid', paid_by: paymentId, paid_at: now })
    .where('id', '=', orderId)
    .execute()
  const { creator_id: creatorId, amount_cents: amountCents } = order
  const shares = { creatorId, grossCents: amountCents, feeBasisPoints, commissions }
  const agreed = commissions.map(({ referrerId, cents }) => ({
    ...{ order_id: orderId, referrer_id: referrerId, side: 'buyer' as const, cents },
  }))
  if (agreed.length > 0) await db.insertInto('order_commissions').values(agreed).execute()
  await postSale(db, { orderId, paymentId, ...shares, now })
  const contents = await findOrdered(db, orderId)
  await sellables[order.kind].grant(db, {
    id: orderId,
    buyerId: order.buyer_id,
    creatorId,
    itemId: order.item_id,
    amountCents,
    months: 1,
    subscriptionId: null,
    trial: null,
    contents: contents.flatMap(({ mediaId, versionId }) =>
      mediaId && versionId ? [{ mediaId, versionId }] : [],
    ),
    storedCardId: null,
    isRenewedByUs: false,
    charge: {
      transactionId: paymentId,
      networkTransactionId: null,
      card: { brand: 'Visa', lastFour: '1111' },
      storedCard: null,
      checks: { avs: null, cvv: null },
    },
    now,
  })
}
