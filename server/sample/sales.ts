import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { postSale } from '../domains/commerce/ledger/actions.ts'
import { findItem } from '../domains/commerce/purchases/data.ts'
import { startSubscription } from '../domains/commerce/subscriptions/actions.ts'
import { accessUntil } from '../domains/commerce/subscriptions/rules.ts'
import { grant } from '../domains/media/entitlements/actions.ts'
import { seeded } from './artwork.ts'
import { type SampleItem, sampleId } from './content.ts'
import { CREATORS, FANS, type SampleCreator } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
const DAYS = 365

type Sale = {
  buyerId: string
  creatorId: string
  kind: 'subscription' | 'bundle' | 'single'
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
    const days = random() < 0.6 ? random() * 24 : 40 + random() * (DAYS - 45)
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

async function insertSale(db: Tx, context: Context, sale: Sale, index: number): Promise<void> {
  const { buyerId, creatorId, kind, itemId, amountCents, at } = sale
  const { id: purchaseId } = await db
    .insertInto('purchases')
    .values({
      buyer_id: buyerId,
      creator_id: creatorId,
      kind,
      item_id: itemId,
      title: sale.title,
      amount_cents: amountCents,
      status: 'captured',
      reference: `sample-${index}`,
      gateway_transaction_id: `sample-${index}`,
      card_brand: 'Visa',
      card_last_four: '1111',
      created_at: at,
      submitted_at: at,
      decided_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const item = await findItem(db, kind, itemId)
  const contents = item?.contents ?? []
  for (const [position, { mediaId, versionId }] of contents.entries())
    await db
      .insertInto('purchase_items')
      .values({ purchase_id: purchaseId, position, media_id: mediaId, version_id: versionId })
      .execute()
  await postSale(db, {
    paymentId: purchaseId,
    orderId: purchaseId,
    creatorId,
    grossCents: amountCents,
    feeBasisPoints: Math.round(context.config.PLATFORM_FEE_PERCENT * 100),
    now: at,
  })
  if (kind !== 'subscription') {
    const source = { kind: 'purchase', id: purchaseId } as const
    return grant(db, { userId: buyerId, source, gives: { media: contents }, now: at })
  }
  const subscription = await startSubscription(db, {
    planId: itemId,
    purchaseId,
    fanId: buyerId,
    creatorId,
    priceCents: amountCents,
    storedCardId: null,
    networkTransactionId: null,
    now: at,
  })
  const validUntil = accessUntil(subscription.currentPeriodEnd)
  const source = { kind: 'subscription', id: subscription.id } as const
  await grant(db, { userId: buyerId, source, gives: { planId: itemId, validUntil }, now: at })
}
