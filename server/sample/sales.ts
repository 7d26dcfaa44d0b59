import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { keepCard } from '../domains/commerce/cards/actions.ts'
import { postSale } from '../domains/commerce/ledger/actions.ts'
import { agreeCommissions, payableCommissions } from '../domains/commerce/referrals/actions.ts'
import { cancelSubscription } from '../domains/commerce/renewals/actions.ts'
import { sellables } from '../domains/commerce/sellables/actions.ts'
import { tellOfSubscriptions } from '../domains/commerce/sellers/actions.ts'
import { endSubscriptions } from '../domains/commerce/subscriptions/actions.ts'
import { seeded } from './artwork.ts'
import type { Bill, Charged } from './charges.ts'
import { type SampleItem, sampleId, termsVersionAt } from './content.ts'
import { CREATORS, FANS, type SampleCreator } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
const DAYS = 365
/** A network of those that are for examples. */
const CONSENT_NETWORK = '203.0.113.0/24'
/** When somebody who doesn't stay cancels, and when what they paid for is over, in days. */
const CANCELED_AFTER = 9
const OVER_AFTER = 32

export type Sale = Bill & {
  creatorId: string
  itemId: string
  title: string
  /** Of a subscription that its fan canceled since. */
  isOver?: boolean
}

/** A year of purchases, the earliest first; the same ones whenever they are planned, as long ago. */
export function planSales(items: SampleItem[], now: Date): Sale[] {
  const random = seeded(20_261_121)
  const sales: Omit<Sale, 'reference'>[] = []
  for (const [fanIndex, fan] of FANS.entries()) {
    for (const creator of CREATORS) {
      // The first fan and the first creator have many sales to show, but the fan doesn't have everything.
      const eager = fanIndex === 0 || creator === CREATORS[0] ? 0.75 : 0.45
      if (random() > eager) continue
      sales.push(...salesOf(fan.username, creator, items, now, random))
    }
  }
  const bought = new Set<string>()
  return sales
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .flatMap((sale, index) => {
      const key = `${sale.buyerId} ${sale.itemId}`
      if (bought.has(key)) return []
      bought.add(key)
      return [{ ...sale, reference: `sample-${index}` }]
    })
}

/** Purchases, each with its journal and entitlement, told by the same functions that tell real ones. */
export async function insertSales(
  db: Tx,
  context: Pick<Context, 'config'>,
  sales: Sale[],
  captures: Charged['captures'],
): Promise<void> {
  for (const sale of sales) {
    await insertSale(db, context, sale, captures)
    if (sale.isOver) await endSubscription(db, sale)
  }
}

async function endSubscription(db: Tx, { buyerId: fanId, itemId, at }: Sale): Promise<void> {
  const { id: subscriptionId } = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fanId)
    .where('plan_id', '=', itemId)
    .executeTakeFirstOrThrow()
  const after = (days: number) => new Date(at.getTime() + days * DAY_MS)
  await cancelSubscription(db, { fanId, subscriptionId, now: after(CANCELED_AFTER) })
  // Not as the job ends it, which would mail its fan now of what was over long ago.
  await endSubscriptions(db, [subscriptionId], 'void', after(OVER_AFTER))
  await tellOfSubscriptions(db, [subscriptionId], 'ended', after(OVER_AFTER))
}

function salesOf(
  fan: string,
  creator: SampleCreator,
  items: SampleItem[],
  now: Date,
  random: () => number,
): Omit<Sale, 'reference'>[] {
  const buyerId = sampleId(fan)
  const creatorId = sampleId(creator.username)
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS - Math.floor(random() * DAY_MS))
  const base = { buyerId, creatorId }
  const sales: Omit<Sale, 'reference'>[] = []
  const kind = random()
  if (kind < 0.6) {
    // The subscriptions of the fan and to the creator whose logins are printed last; some of the others' have ended.
    const isRecent = random() < 0.6 || fan === FANS[0]?.username || creator === CREATORS[0]
    const days = isRecent ? random() * 24 : 40 + random() * (DAYS - 45)
    sales.push({
      ...base,
      kind: 'subscription',
      itemId: sampleId(`${creator.username} plan`),
      title: creator.plan.title,
      amountCents: creator.plan.priceCents,
      at: at(days),
      isOver: !isRecent,
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
export async function insertSale(
  db: Tx,
  context: Pick<Context, 'config'>,
  sale: Sale,
  captures: Charged['captures'],
): Promise<void> {
  const { reference, buyerId, creatorId, kind, itemId, amountCents, at } = sale
  const charge = captures.get(reference)
  if (!charge) throw new Error('a sample sale was not charged')
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
      terms_version: termsVersionAt(at),
      consented_at: at,
      consent_network: CONSENT_NETWORK,
      created_at: at,
      tried_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const item = await sellable.find(db, itemId, {
    ...{ buyerId, amountCents: null, months: 1, brand: context.config.BRAND_NAME },
  })
  const contents = item?.contents ?? []
  for (const [position, { mediaId, versionId }] of contents.entries())
    await db
      .insertInto('order_items')
      .values({ order_id: orderId, position, media_id: mediaId, version_id: versionId })
      .execute()
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
      save_card: charge.saved,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const payment = db.updateTable('payments').where('id', '=', paymentId)
  await payment.set({ status: 'submitting', submitted_at: at }).execute()
  const storedCardId =
    charge.storedCard &&
    (await keepCard(db, buyerId, { ...charge.card, ...charge.storedCard, expires: null }, at))
  await payment
    .set({
      status: 'captured',
      gateway_transaction_id: charge.transactionId,
      network_transaction_id: charge.networkTransactionId,
      card_brand: charge.card.brand,
      card_last_four: charge.card.lastFour,
      stored_card_id: storedCardId,
      ...charge.checks,
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
    commissions: await payableCommissions(db, [orderId], at),
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
    storedCardId,
    isRenewedByUs: false,
    charge,
    now: at,
  })
}
