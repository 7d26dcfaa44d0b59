import type { Kind } from '../../contract/orders.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { postSale } from '../domains/commerce/ledger/actions.ts'
import { agreeCommissions } from '../domains/commerce/referrals/actions.ts'
import { findAgreed } from '../domains/commerce/referrals/data.ts'
import { sellables } from '../domains/commerce/sellables/actions.ts'
import { seeded } from './artwork.ts'
import { type SampleItem, sampleId } from './content.ts'
import { CREATORS, FANS, type SampleCreator } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
const DAYS = 365
/** What the card's bank says of ZIP code and security code. */
const CHECKS = { avs: 'Y', cvv: 'P' }

type Sale = {
  buyerId: string
  creatorId: string
  kind: Kind
  itemId: string
  title: string
  amountCents: number
  at: Date
}

/** A year of purchases, each with its journal and entitlement, told by the same functions that tell real ones. */
export async function insertSales(db: Tx, context: Context, items: SampleItem[], now: Date): Promise<void> {
  const random = seeded(20_261_121)
  const bought = new Set<string>()
  const sales: Sale[] = []
  for (const [fanIndex, fan] of FANS.entries()) {
    for (const creator of CREATORS) {
      // The first fan, whose log-in is printed, buys from many, but not everything.
      const eager = fanIndex === 0 ? 0.75 : 0.45
      if (random() > eager) continue
      sales.push(...salesOf(fan.username, creator, items, now, random))
    }
  }
  sales.sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const [index, sale] of sales.entries()) {
    const key = `${sale.buyerId} ${sale.itemId}`
    if (bought.has(key)) continue
    bought.add(key)
    await insertSale(db, context, sale, index)
  }
}

function salesOf(
  fan: string,
  creator: SampleCreator,
  items: SampleItem[],
  now: Date,
  random: () => number,
): Sale[] {
  const buyerId = sampleId(fan)
  const creatorId = sampleId(creator.username)
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS - Math.floor(random() * DAY_MS))
  const base = { buyerId, creatorId }
  const sales: Sale[] = []
  const kind = random()
  if (kind < 0.6) {
    // The fan whose log-in is printed has subscriptions that last; some of the others' have ended.
    const isRecent = random() < 0.6 || fan === FANS[0]?.username
    const days = isRecent ? random() * 24 : 40 + random() * (DAYS - 45)
    sales.push({
      ...base,
      kind: 'subscription',
      itemId: sampleId(`${creator.username} plan`),
      title: creator.plan.title,
      amountCents: creator.plan.priceCents,
      at: at(days),
    })
  }
  if (kind > 0.4) {
    sales.push({
      ...base,
      kind: 'bundle',
      itemId: sampleId(`${creator.username} bundle`),
      title: creator.bundle.title,
      amountCents: creator.bundle.priceCents,
      at: at(random() * (DAYS - 1)),
    })
  }
  for (const item of items) {
    if (item.creatorId !== creatorId || item.offer !== 'single' || random() > 0.5) continue
    const days = Math.min(random() * DAYS, (now.getTime() - item.createdAt.getTime()) / DAY_MS)
    sales.push({
      ...base,
      kind: 'single',
      itemId: item.id,
      title: item.title,
      amountCents: item.priceCents,
      at: at(Math.max(0, days - 1)),
    })
  }
  return sales
}

/** An order that was paid at once, by a payment that went the way of a real one. */
export async function insertSale(db: Tx, context: Context, sale: Sale, index: number): Promise<void> {
  const { buyerId, creatorId, kind, itemId, amountCents, at } = sale
  const feeBasisPoints = Math.round(context.config.PLATFORM_FEE_PERCENT * 100)
  const sellable = sellables[kind]
  const { id: orderId } = await db
    .insertInto('orders')
    .values({
      buyer_id: buyerId,
      creator_id: creatorId,
      kind,
      item_id: itemId,
      title: sale.title,
      amount_cents: amountCents,
      fee_basis_points: feeBasisPoints,
      bought_once: sellable.boughtOnce,
      created_at: at,
      tried_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const item = await sellable.find(db, itemId, { buyerId, amountCents: null, months: 1 })
  const contents = item?.contents ?? []
  for (const [position, { mediaId, versionId }] of contents.entries())
    await db
      .insertInto('order_items')
      .values({ order_id: orderId, position, media_id: mediaId, version_id: versionId })
      .execute()
  const reference = `sample-${index}`
  const { id: paymentId } = await db
    .insertInto('payments')
    .values({
      order_id: orderId,
      buyer_id: buyerId,
      amount_cents: amountCents,
      status: 'created',
      source: 'live',
      status_at: at,
      reference,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const payment = db.updateTable('payments').where('id', '=', paymentId)
  await payment.set({ status: 'submitting', submitted_at: at }).execute()
  const card = { brand: 'Visa', lastFour: '1111' }
  await payment
    .set({
      status: 'captured',
      gateway_transaction_id: reference,
      card_brand: card.brand,
      card_last_four: card.lastFour,
      ...CHECKS,
      decided_at: at,
    })
    .execute()
  await db
    .updateTable('orders')
    .set({ status: 'paid', paid_by: paymentId, paid_at: at })
    .where('id', '=', orderId)
    .execute()
  await agreeCommissions(
    db,
    [
      {
        id: orderId,
        buyer_id: buyerId,
        creator_id: creatorId,
        amount_cents: amountCents,
        fee_basis_points: feeBasisPoints,
      },
    ],
    context.config.REFERRAL_COMMISSION,
    at,
  )
  await postSale(db, {
    orderId,
    paymentId,
    creatorId,
    grossCents: amountCents,
    feeBasisPoints,
    commissions: await findAgreed(db, [orderId]),
    now: at,
  })
  await sellable.grant(db, {
    id: orderId,
    buyerId,
    creatorId,
    itemId,
    amountCents,
    months: 1,
    subscriptionId: null,
    trial: null,
    contents,
    storedCardId: null,
    isRenewedByUs: false,
    charge: {
      transactionId: reference,
      networkTransactionId: null,
      card,
      storedCard: null,
      checks: CHECKS,
    },
    now: at,
  })
}
