import { routes } from '../../../contract/index.ts'
import { centsOf, formatMoney } from '../../../contract/money.ts'
import { DISPUTE_CAUSES, DONATION_ID } from '../../../contract/orders.ts'
import { LIVE_STATUSES } from '../../../contract/subscriptions.ts'
import type { Person } from '../builders.ts'
import { cardToken, gatewayTransactions, planFault, reviewHeld, TEST_CARDS } from '../gateway.ts'
import { refundPayment } from '../refunds.ts'
import { reauthenticatedApi } from '../security.ts'
import { type Business, chance, dollars, oneOf, pages, type Shop, tellOfPrices, tried } from './business.ts'
import { send, wish } from './personal.ts'

const DAY_MS = 24 * 3600 * 1000
/** How the gateway fails now and then. */
const FAULTS = ['resetBefore', 'resetAfter', 'serverErrorAfter', 'truncatedAfter', 'busy', 'processingError']

/** What somebody may ask for of what is there for everybody, each as often as it stands here. */
const WANTED: ((business: Business, shop: Shop) => object)[] = [
  (business, { plan }) => ({
    ...{ kind: 'subscription', itemId: plan },
    ...(chance(business, 0.3) ? { months: 3 } : {}),
  }),
  (_, { plan }) => ({ kind: 'subscription', itemId: plan }),
  (_, { plan }) => ({ kind: 'subscription', itemId: plan }),
  (_, { plan, offers }) => ({ kind: 'subscription', itemId: plan, offerId: offers.discountTrial }),
  (_, { bundle }) => ({ kind: 'bundle', itemId: bundle }),
  (_, { bundle }) => ({ kind: 'bundle', itemId: bundle }),
  (_, { bundle, offers }) => ({ kind: 'bundle', itemId: bundle, offerId: offers.discountBundle }),
  (_, { offers }) => ({ kind: 'singles', itemId: offers.discountSingles }),
  (business, { singles }) => ({ kind: 'single', itemId: oneOf(business, singles) }),
  (business, { singles }) => ({ kind: 'single', itemId: oneOf(business, singles) }),
  (business, { person }) => ({ kind: 'tip', itemId: person.id, amount: dollars(business, 100, 4000) }),
  (business) => donation(business),
]

/** A fan buys something of somebody, by a card that may fail at a gateway that may fail, or redeems what is free. */
export async function buy(business: Business, fan: Person): Promise<void> {
  const { harness, shops } = business
  // Many have some creators whom they come back to, so that they own parts of what they buy.
  const favorite = shops[business.fans.indexOf(fan) % shops.length]
  const shop = chance(business, 0.5) ? favorite : oneOf(business, shops)
  const want = oneOf(business, WANTED)
  if (!shop || !want) return
  const api = await reauthenticatedApi(business.harness, fan)
  if (chance(business, 0.12)) {
    const { freeTrial, freeBundle, freeSingles } = shop.offers
    const offerId = oneOf(business, [freeTrial, freeBundle, freeSingles, freeSingles]) ?? freeTrial
    return redeem(business, fan, offerId)
  }
  if (chance(business, 0.06))
    await planFault(harness, { call: 'createTransactionRequest', effect: oneOf(business, FAULTS) ?? '' })
  const personal = await alone(business, fan, favorite)
  if (personal === null) return
  const { items: stored } = await api.call(routes.cards, { query: {} })
  const [storedCard] = chance(business, 0.3) ? stored : []
  const body = {
    ...(storedCard ? { cardId: storedCard._id } : await typed(business)),
    ...(personal
      ? { kind: personal.kind, itemId: personal.itemId, price: personal.price }
      : want(business, shop)),
  }
  const purchase = { body: routes.purchase.body.parse(body) }
  const once = { idempotencyKey: crypto.randomUUID() }
  const bought = await tried(business, api.call(routes.purchase, purchase, once))
  if (bought) await personal?.paid()
  // Who presses twice gets the first answer again.
  if (bought && chance(business, 0.1)) await tried(business, api.call(routes.purchase, purchase, once))
}

/** Sometimes what the fan's favorite creator sells to them alone; null where the creator doesn't want to. */
async function alone(business: Business, fan: Person, favorite: Shop | undefined) {
  if (!favorite || !chance(business, 0.2)) return undefined
  if (chance(business, 0.5)) return send(business, fan, favorite)
  const fate = chance(business, 0.15) ? 'declined' : chance(business, 0.6) ? 'delivered' : 'lapsed'
  return wish(business, fan, favorite, fate)
}

/** Things that must each happen in a year, whatever chance brings: one a day, of a fan with their favorite creator. */
const CERTAIN: ((business: Business, fan: Person, shop: Shop) => Promise<void>)[] = [
  async (business, fan, { singles: [single], bundle }) => {
    await pay(business, fan, { kind: 'single', itemId: single })
    await pay(business, fan, { kind: 'bundle', itemId: bundle })
  },
  (business, fan, { offers }) => redeem(business, fan, offers.freeTrial),
  async (business, fan, shop) => {
    for (const fate of ['delivered', 'lapsed'] as const) {
      const wished = await wish(business, fan, shop, fate)
      if (!wished) continue
      const { kind, itemId, price, paid } = wished
      if (await pay(business, fan, { kind, itemId, price })) await paid()
    }
  },
  async (business, fan, shop) => {
    const { kind, itemId, price } = await send(business, fan, shop)
    await pay(business, fan, { kind, itemId, price })
    const { items } = await (await reauthenticatedApi(business.harness, fan)).call(routes.cards, {
      query: {},
    })
    if (items[0]) await pay(business, fan, { ...donation(business), cardId: items[0]._id })
  },
]

const donation = (business: Business) => ({
  ...{ kind: 'donation', itemId: DONATION_ID, amount: dollars(business, 100, 2000) },
})

/** Does what this day brings for certain. */
export async function buyCertainly(business: Business, day: number): Promise<void> {
  const { fans, shops } = business
  const [fan, shop] = [fans[day % fans.length], shops[(day % fans.length) % shops.length]]
  if (fan && shop) await CERTAIN[day % CERTAIN.length]?.(business, fan, shop)
}

/** Whether it was bought, by a good card that is stored, or by the stored one that it names. */
async function pay(business: Business, fan: Person, want: object): Promise<boolean> {
  const api = await reauthenticatedApi(business.harness, fan)
  const card = 'cardId' in want ? {} : { ...(await cardToken(business.harness)), saveCard: true }
  const purchase = { body: routes.purchase.body.parse({ ...card, ...want }) }
  return tried(business, api.call(routes.purchase, purchase, { idempotencyKey: crypto.randomUUID() }))
}

async function redeem(business: Business, fan: Person, offerId: string): Promise<void> {
  const api = await reauthenticatedApi(business.harness, fan)
  const redeemed = { body: { offerId } }
  await tried(business, api.call(routes.redeemOffer, redeemed, { idempotencyKey: crypto.randomUUID() }))
}

/** A card that is typed, which may fail. */
async function typed(business: Business) {
  const card = chance(business, 0.04) ? 'declined' : chance(business, 0.03) ? 'held' : 'approved'
  return { ...(await cardToken(business.harness, TEST_CARDS[card])), saveCard: chance(business, 0.5) }
}

/** Somebody cancels, and some of them resume. */
export async function cancel(business: Business): Promise<void> {
  const running = oneOf(
    business,
    await business.harness.context.db
      .selectFrom('subscriptions')
      .select(['id', 'fan_id'])
      .where('status', 'in', ['active', 'past_due'])
      .orderBy('id')
      .execute(),
  )
  const fan = business.fans.find(({ id }) => id === running?.fan_id)
  if (!running || !fan) return
  const api = await reauthenticatedApi(business.harness, fan)
  const body = { subscriptionId: running.id }
  if (!(await tried(business, api.call(routes.cancelSubscription, { body })))) return
  if (chance(business, 0.3)) await tried(business, api.call(routes.resumeSubscription, { body }))
}

/** On a day a creator gives somebody free months: first of all whoever couldn't be charged in time. */
export async function extend(business: Business, day: number): Promise<void> {
  const { harness, shops } = business
  const rows = await harness.context.db
    .selectFrom('subscriptions')
    .select(['fan_id', 'creator_id', 'plan_id', 'status', 'current_period_end'])
    .where('status', 'in', LIVE_STATUSES)
    .orderBy('id')
    .execute()
  const now = harness.clock.now()
  const owing = rows.find((row) => row.status === 'active' && row.current_period_end <= now)
  const given = owing ?? rows[day % rows.length]
  const shop = shops.find(({ person }) => person.id === given?.creator_id)
  if (!given || !shop) return
  const months = ([1, 2, 3] as const)[day % 3] ?? 1
  const body = { subscriberId: given.fan_id, subscriptionId: given.plan_id, months }
  const api = await reauthenticatedApi(harness, shop.person)
  await tried(business, api.call(routes.extendSubscription, { body }))
}

/** A paid order of the last weeks. */
async function recentOrder(business: Business): Promise<{ id: string; amount_cents: number } | undefined> {
  const { harness } = business
  const orders = await harness.context.db
    .selectFrom('orders')
    .select(['id', 'amount_cents'])
    .where('status', '=', 'paid')
    .where('paid_at', '>', new Date(harness.clock.now().getTime() - 40 * DAY_MS))
    .orderBy('id')
    .execute()
  return oneOf(business, orders)
}

/** An operator refunds all of an order or a part. */
export async function refund(business: Business): Promise<void> {
  const order = await recentOrder(business)
  if (!order) return
  const all = order.amount_cents
  const cents = chance(business, 0.5) ? all : Math.ceil(all * business.random())
  const api = await reauthenticatedApi(business.harness, business.finance)
  await tried(business, refundPayment(api, { transactionId: order.id, amount: formatMoney(cents) }))
}

/** A bank takes back all of an order or a part. */
export async function dispute(business: Business): Promise<void> {
  const order = await recentOrder(business)
  if (!order) return
  const all = order.amount_cents
  const cents = chance(business, 0.7) ? all : Math.ceil(all * business.random())
  const api = await reauthenticatedApi(business.harness, business.finance)
  const body = {
    transactionId: order.id,
    amount: formatMoney(cents),
    fee: '$15',
    cause: DISPUTE_CAUSES[all % DISPUTE_CAUSES.length] ?? 'other',
    caseNumber: crypto.randomUUID(),
    reason: 'By the bank’s letter',
  }
  await tried(business, api.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() }))
}

/** The banks decide what is open. */
export async function decideDisputes(business: Business): Promise<void> {
  const api = await reauthenticatedApi(business.harness, business.finance)
  const items = await pages((page) => api.call(routes.disputes, { query: { showing: 'open', ...page } }))
  for (const { _id: disputeId } of items) {
    const outcome = chance(business, 0.5) ? 'won' : 'lost'
    const body = { disputeId, outcome, reason: 'The bank’s decision' } as const
    await tried(business, api.call(routes.decideDispute, { body }))
  }
}

/** Held charges are decided at the gateway, as its merchant does. */
export async function review(business: Business): Promise<void> {
  const { harness } = business
  for (const { transId, status } of await gatewayTransactions(harness))
    if (status === 'FDSAuthorizedPendingReview')
      await reviewHeld(harness, transId, chance(business, 0.7) ? 'approve' : 'decline')
}

/** Creators ask for what they have; it is approved or not, goes to the bank, and arrives or comes back. */
export async function payOut(business: Business): Promise<void> {
  for (const { person } of business.shops) {
    const api = await reauthenticatedApi(business.harness, person)
    const { available } = await api.call(routes.balance, { query: {} })
    if (centsOf(available) <= 0) continue
    const asked = { body: { amount: available } }
    const once = { idempotencyKey: crypto.randomUUID() }
    await tried(business, api.call(routes.requestPayout, asked, once))
  }
  const [operator, other] = [
    await reauthenticatedApi(business.harness, business.finance),
    await reauthenticatedApi(business.harness, business.second),
  ]
  const items = await pages((page) =>
    operator.call(routes.allPayouts, { query: { showing: 'open', ...page } }),
  )
  const decide = (payoutId: string, decision: 'approve' | 'cancel' | 'paid' | 'failed' | 'returned') =>
    tried(
      business,
      // Who records that one failed or came back isn't who approves the next.
      (decision === 'approve' ? operator : other).call(routes.decidePayout, {
        body: { payoutId, decision, reason: 'Checked' },
      }),
    )
  for (const { _id } of items) await decide(_id, chance(business, 0.9) ? 'approve' : 'cancel')
  const file = { body: { reason: 'For the bank' } }
  await tried(business, operator.call(routes.exportPayouts, file, { idempotencyKey: crypto.randomUUID() }))
  for (const { _id } of items) await decide(_id, chance(business, 0.9) ? 'paid' : 'failed')
  for (const { _id } of items) if (chance(business, 0.05)) await decide(_id, 'returned')
}

/** All creators ask for another price; everybody is told, and some agree, some decline, some say nothing. */
export async function changePrices(business: Business): Promise<void> {
  const { harness, shops } = business
  for (const { person, plan } of shops) {
    const api = await reauthenticatedApi(business.harness, person)
    const sold = await api.call(routes.subscription, { params: { id: plan } })
    const { mediaIds, title, chatEnabled } = sold
    // Most want more, and some want less.
    const price = chance(business, 0.8)
      ? dollars(business, centsOf(sold.price) + 1, 1000)
      : dollars(business, 300, 1000)
    const body = { subscriptionId: plan, title, price, chatEnabled, mediaIds, askSubscribers: true }
    if (!(await tried(business, api.call(routes.editSubscription, { body }))))
      throw new Error('a price could not be changed')
  }
  await tellOfPrices(business)
  const asked = await harness.context.db
    .selectFrom('subscriptions')
    .select('fan_id')
    .distinct()
    .where('status', 'in', ['active', 'past_due'])
    .execute()
  const ids = new Set(asked.map(({ fan_id }) => fan_id))
  for (const fan of business.fans) if (ids.has(fan.id)) await answerPriceChanges(business, fan)
}

async function answerPriceChanges(business: Business, fan: Person): Promise<void> {
  const api = await reauthenticatedApi(business.harness, fan)
  for (const { _id: subscriptionId, priceChange } of await pages((page) =>
    api.call(routes.ownSubscriptions, { query: page }),
  )) {
    if (!priceChange || chance(business, 0.3)) continue
    const body = { subscriptionId, agree: chance(business, 0.7), price: priceChange.price }
    await tried(business, api.call(routes.answerPriceChange, { body }))
  }
}
