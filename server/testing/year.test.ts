import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { centsOf, formatMoney } from '../../contract/money.ts'
import type { Kind } from '../../contract/orders.ts'
import type { JobName } from '../jobs/catalogue.ts'
import { runAdmin } from '../start/admin.ts'
import { type Api, Refused } from './api.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildOffer,
  buildSession,
  buildUser,
  type Person,
} from './builders.ts'
import {
  cardToken,
  gatewayThatIsDown,
  gatewayTransactions,
  planFault,
  reviewHeld,
  TEST_CARDS,
} from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildItem } from './purchases.ts'

/**
 * A business in fast motion: people buy, renew, cancel, are refunded and dispute; creators change prices and are paid out;
 * the gateway misbehaves and is down twice. `YEAR_DAYS=365 YEAR_CREATORS=200 YEAR_FANS=5000` is a whole year of a real one.
 */
const DAYS = Number(process.env.YEAR_DAYS ?? 40)
const CREATORS = Number(process.env.YEAR_CREATORS ?? 5)
const FANS = Number(process.env.YEAR_FANS ?? 40)
const SEED = Number(process.env.YEAR_SEED ?? 7)

const HOUR_MS = 3600 * 1000
/** Of a time: each of what runs by itself, in the order in which a busy hour may bring it. */
const HOURLY: JobName[] = [
  'renewals.charge',
  'purchases.recover',
  'refunds.recover',
  'cards.recover',
  'cards.forget',
  'subscriptions.expire',
  'custom-requests.refund',
  'ledger.release',
]
const DAILY: JobName[] = ['renewals.remind', 'payments.compare']
/** How the gateway fails now and then, of every hundred purchases. */
const FAULTS = ['resetBefore', 'resetAfter', 'serverErrorAfter', 'truncatedAfter', 'busy', 'processingError']
/** Shares of the year at which the gateway goes down for two days, and at which prices change. */
const OUTAGES = [0.3, 0.7]
const PRICE_CHANGE = 0.5

type Shop = { person: Person; plan: string; bundle: string; singles: string; single: string }

let harness: Harness
let finance: Person
let second: Person
let shops: Shop[]
let fans: Person[]
/** What was refused, by code, and how often. */
const refusals = new Map<string, number>()

const random = seeded(SEED)
const chance = (share: number) => random() < share
const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
const dollars = formatMoney

beforeAll(async () => {
  harness = await startHarness({ restricted: true })
  finance = await buildUser(harness, { role: 'finance' })
  second = await buildUser(harness, { role: 'finance' })
  shops = await Promise.all(Array.from({ length: CREATORS }, openShop))
  fans = []
  for (let made = 0; made < FANS; made++) fans.push(await buildFan(harness))
  await refer()
})
afterAll(() => harness?.stop())

async function openShop(): Promise<Shop> {
  const person = await buildCreator(harness)
  await buildBankDetails(harness, person.id)
  const price = () => 300 + Math.floor(random() * 2500)
  const plan = await buildItem(harness, person, 'subscription', price())
  await harness.context.db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: plan, months: 3, discount_percent: 10 })
    .execute()
  return {
    person,
    plan,
    bundle: await buildItem(harness, person, 'bundle', price()),
    single: await buildItem(harness, person, 'single', price()),
    singles: await buildOffer(harness, person, { type: 'discountSingles', priceCents: price() }),
  }
}

/** Half of the people came by somebody: creators by creators, fans by creators or fans. */
async function refer(): Promise<void> {
  const { db } = harness.context
  const referrers = [...shops.map(({ person }) => person), ...fans.slice(0, Math.ceil(FANS / 10))]
  for (const { id } of [...shops.map(({ person }) => person), ...fans]) {
    const by = oneOf(referrers)
    if (by.id === id || chance(0.5)) continue
    await db.updateTable('users').set({ referred_by: by.id }).where('id', '=', id).execute()
  }
}

/** Somebody’s calls in a session that was just confirmed. */
async function sure(person: Person): Promise<Api> {
  const reauthenticatedAt = harness.clock.now()
  return harness.api.as({ token: await buildSession(harness, person.id, { reauthenticatedAt }) })
}

type Page<Item> = { items: Item[]; nextCursor?: string | null | undefined }

/** What all pages of a list hold. */
async function pages<Item>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read({ limit: 60, ...(cursor ? { cursor } : {}) })
    items.push(...page.items)
    cursor = page.nextCursor ?? null
  }
  return items
}

/** Whether it was done; what is refused is counted, and never an error of ours. */
async function tried(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    expect(error.status, error.message).toBeLessThan(500)
    refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
    return false
  }
}

async function work(jobs: JobName[]): Promise<void> {
  const run = { attempt: 1, lastAttempt: false }
  for (const job of jobs)
    await (harness.server.jobs[job] as (payload: object, run: object) => unknown)({}, run)
}

async function buy(fan: Person): Promise<void> {
  const shop = oneOf(shops)
  const kind = oneOf(['subscription', 'subscription', 'bundle', 'single', 'singles', 'tip'] satisfies Kind[])
  const itemId = { ...shop, subscription: shop.plan, tip: shop.person.id }[kind]
  if (chance(0.06)) await planFault(harness, { call: 'createTransactionRequest', effect: oneOf(FAULTS) })
  const card = chance(0.04) ? TEST_CARDS.declined : chance(0.03) ? TEST_CARDS.held : TEST_CARDS.approved
  const body = {
    kind,
    itemId,
    ...(kind === 'subscription' && chance(0.3) ? { months: 3 as const } : {}),
    ...(await cardToken(harness, card)),
    saveCard: chance(0.5),
    ...(kind === 'tip' ? { amount: dollars(100 + Math.floor(random() * 4000)) } : {}),
  }
  const key = crypto.randomUUID()
  const api = await sure(fan)
  const bought = await tried(api.call(routes.purchase, { body }, { idempotencyKey: key }))
  // Who presses twice gets the first answer again.
  if (bought && chance(0.1)) await tried(api.call(routes.purchase, { body }, { idempotencyKey: key }))
}

async function cancel(): Promise<void> {
  const { db } = harness.context
  const all = await db
    .selectFrom('subscriptions')
    .select(['id', 'fan_id'])
    .where('status', 'in', ['active', 'past_due'])
    .orderBy('id')
    .execute()
  const running = oneOf(all)
  const fan = fans.find(({ id }) => id === running?.fan_id)
  if (!running || !fan) return
  const api = await sure(fan)
  const body = { subscriptionId: running.id }
  if (await tried(api.call(routes.cancelSubscription, { body })))
    if (chance(0.3)) await tried(api.call(routes.resumeSubscription, { body }))
}

/** A paid order of the last weeks. */
async function recentOrder(): Promise<{ id: string; amount_cents: number } | undefined> {
  const orders = await harness.context.db
    .selectFrom('orders')
    .select(['id', 'amount_cents'])
    .where('status', '=', 'paid')
    .where('paid_at', '>', new Date(harness.clock.now().getTime() - 40 * 24 * HOUR_MS))
    .orderBy('id')
    .execute()
  return oneOf(orders)
}

async function refund(): Promise<void> {
  const order = await recentOrder()
  if (!order) return
  const cents = chance(0.5) ? order.amount_cents : Math.ceil(order.amount_cents * random())
  const api = await sure(finance)
  const body = { transactionId: order.id, amount: dollars(cents), reason: 'They asked for it' }
  await tried(api.call(routes.refund, { body }, { idempotencyKey: crypto.randomUUID() }))
}

async function dispute(): Promise<void> {
  const order = await recentOrder()
  if (!order) return
  const api = await sure(finance)
  const body = {
    transactionId: order.id,
    amount: dollars(order.amount_cents),
    fee: '$15',
    cause: 'fraud' as const,
    caseNumber: crypto.randomUUID(),
    reason: 'By the bank’s letter',
  }
  await tried(api.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() }))
}

async function decideDisputes(): Promise<void> {
  const api = await sure(finance)
  const items = await pages((page) => api.call(routes.disputes, { query: { showing: 'open', ...page } }))
  for (const { _id: disputeId } of items) {
    const outcome = chance(0.5) ? 'won' : 'lost'
    await tried(
      api.call(routes.decideDispute, { body: { disputeId, outcome, reason: 'The bank’s decision' } }),
    )
  }
}

/** Held charges are decided at the gateway, as its merchant does. */
async function review(): Promise<void> {
  const held = await gatewayTransactions(harness)
  for (const { transId } of held.filter(({ status }) => status === 'FDSAuthorizedPendingReview'))
    await reviewHeld(harness, transId, chance(0.7) ? 'approve' : 'decline')
}

async function payOut(): Promise<void> {
  for (const { person } of shops) {
    const api = await sure(person)
    const { available } = await api.call(routes.balance, { query: {} })
    if (centsOf(available) <= 0) continue
    const asked = { body: { amount: available } }
    await tried(api.call(routes.requestPayout, asked, { idempotencyKey: crypto.randomUUID() }))
  }
  const [operator, other] = [await sure(finance), await sure(second)]
  const items = await pages((page) =>
    operator.call(routes.allPayouts, { query: { showing: 'open', ...page } }),
  )
  const decide = (payoutId: string, decision: 'approve' | 'cancel' | 'paid' | 'failed') =>
    tried(other.call(routes.decidePayout, { body: { payoutId, decision, reason: 'Checked' } }))
  for (const { _id } of items) await decide(_id, chance(0.9) ? 'approve' : 'cancel')
  const file = { body: { reason: 'For the bank' } }
  await tried(operator.call(routes.exportPayouts, file, { idempotencyKey: crypto.randomUUID() }))
  for (const { _id } of items) await decide(_id, chance(0.9) ? 'paid' : 'failed')
}

/** Some agree to what they are asked for, some decline, some say nothing. */
async function answerPriceChanges(fan: Person): Promise<void> {
  const api = await sure(fan)
  for (const { _id: subscriptionId, priceChange } of await pages((page) =>
    api.call(routes.ownSubscriptions, { query: page }),
  )) {
    if (!priceChange || chance(0.3)) continue
    const body = { subscriptionId, agree: chance(0.7), price: priceChange.price }
    await tried(api.call(routes.answerPriceChange, { body }))
  }
}

async function changePrices(): Promise<void> {
  for (const { person, plan } of shops) {
    const price = dollars(300 + Math.floor(random() * 2500))
    const api = await sure(person)
    const { mediaIds, title, chatEnabled } = await api.call(routes.subscription, { params: { id: plan } })
    const body = { subscriptionId: plan, title, price, chatEnabled, mediaIds, askSubscribers: true }
    expect(await tried(api.call(routes.editSubscription, { body }))).toBe(true)
  }
  for (const fan of fans) await answerPriceChanges(fan)
}

test(`${DAYS} days of ${CREATORS} creators and ${FANS} fans: every cent is accounted for, here and at the gateway`, async () => {
  const { context, clock } = harness
  const gateway = context.payments
  const down = await gatewayThatIsDown(harness)
  for (let day = 0; day < DAYS; day++) {
    const isDown = OUTAGES.some(
      (share) => day === Math.floor(share * DAYS) || day === Math.floor(share * DAYS) + 1,
    )
    context.payments = isDown ? down : gateway
    const buyers = 1 + Math.floor((random() * FANS) / 12)
    for (let buyer = 0; buyer < buyers; buyer++) await buy(oneOf(fans))
    if (chance(0.4)) await cancel()
    if (chance(0.25)) await refund()
    if (chance(0.1)) await dispute()
    if (day % 9 === 8) await decideDisputes()
    if (!isDown && day % 3 === 2) await review()
    if (day % 30 === 29) await payOut()
    if (day === Math.floor(PRICE_CHANGE * DAYS)) await changePrices()
    clock.advance(HOUR_MS)
    await work(HOURLY)
    clock.advance(23 * HOUR_MS)
    await work([...DAILY, ...HOURLY])
  }
  context.payments = gateway
  await review()
  // Nothing new begins; until the last settlement that could hold a charge is over, what is in doubt is looked up.
  const closing = [...DAILY, ...HOURLY].filter((job) => job !== 'renewals.charge')
  for (let hours = 0; hours < 6 * 24; hours += 6) {
    clock.advance(6 * HOUR_MS)
    await work(closing)
  }

  const { ok, output } = await runAdmin(['books'], context.db, context.vault, clock.now())
  expect(ok, output).toBe(true)
  expect(await undecided()).toEqual([])
  expect(await difference()).toEqual({ onlyAtGateway: [], onlyHere: [], otherAmount: [] })
  expect(await chargedTwice()).toEqual([])
  expect(await wrongAccess()).toEqual([])
  expect(await wrongShares()).toEqual([])
  process.stdout.write(`${output}\nrefused: ${JSON.stringify(Object.fromEntries(refusals))}\n`)
}, 7_200_000)

/** Payments and refunds that nobody decided. */
async function undecided() {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from payments where status in ('created', 'submitting', 'held', 'unknown')
    union all select id, status from refunds where status not in ('refunded', 'voided', 'refused')`.execute(
    harness.context.db,
  )
  return rows
}

const MOVES_MONEY = [
  'capturedPendingSettlement',
  'settledSuccessfully',
  'refundPendingSettlement',
  'refundSettledSuccessfully',
]

/** What the gateway charged and gave back by its own books, beside ours: by reference, in cents. */
async function difference() {
  const { rows } = await sql<{ reference: string; cents: number }>`
    select reference, amount_cents - coalesce((
      select sum(refunds.amount_cents) from refunds
      where refunds.payment_id = payments.id and refunds.status in ('refunded', 'voided')
    ), 0)::int as cents
    from payments where status in ('captured', 'refunded', 'disputed')`.execute(harness.context.db)
  const here = new Map(
    rows.filter(({ cents }) => cents > 0).map(({ reference, cents }) => [reference, cents]),
  )
  const there = new Map<string, number>()
  const transactions = await gatewayTransactions(harness)
  const chargeOf = new Map(transactions.map(({ transId, invoiceNumber }) => [transId, invoiceNumber]))
  for (const { type, status, invoiceNumber, refTransId, amountCents } of transactions) {
    if (!MOVES_MONEY.includes(status)) continue
    const isRefund = type === 'refundTransaction'
    const reference = (isRefund && chargeOf.get(refTransId ?? '')) || invoiceNumber
    there.set(reference, (there.get(reference) ?? 0) + (isRefund ? -amountCents : amountCents))
  }
  for (const [reference, cents] of there) if (cents === 0) there.delete(reference)
  return {
    onlyAtGateway: [...there].filter(([reference]) => !here.has(reference)),
    onlyHere: [...here].filter(([reference]) => !there.has(reference)),
    otherAmount: [...here].filter(
      ([reference, cents]) => there.has(reference) && there.get(reference) !== cents,
    ),
  }
}

/** Periods of a subscription with more than one payment that took money and kept it. */
async function chargedTwice() {
  const { rows } = await sql`
    select subscription_id, period from orders join payments on payments.order_id = orders.id
    where subscription_id is not null and payments.status in ('captured', 'disputed')
    group by subscription_id, period having count(*) > 1`.execute(harness.context.db)
  return rows
}

/** Subscriptions that run without access, and ended ones with it. */
async function wrongAccess() {
  const { rows } = await sql`
    select subscriptions.id, status from subscriptions
    cross join lateral (select exists (
      select from entitlements where source_id = subscriptions.id and revoked_at is null
        and (valid_until is null or valid_until > ${harness.clock.now()})
    ) as held) as access
    where (status = 'active' and current_period_end > ${harness.clock.now()} and not held)
      or (status = 'expired' and held)`.execute(harness.context.db)
  return rows
}

/** Creators whose earnings are not what their undisturbed orders say: 80% of each, rounded down in the fan’s favor. */
async function wrongShares() {
  const { rows } = await sql<{ creator_id: string; expected: number; found: number }>`
    with share as (
      select creator_id, sum(amount_cents - floor(amount_cents * fee_basis_points / 10000.0))::int as cents,
        bool_or(refunded_at is not null or exists (select from refunds where order_id = orders.id)
          or exists (select from disputes where order_id = orders.id)) as disturbed
      from orders where status = 'paid' group by creator_id
    )
    select creator_id, cents as expected, -coalesce(sum(postings.amount_cents), 0)::int as found
    from share join ledger_accounts as account on account.user_id = creator_id and account.kind like 'creator%'
      join postings on account_id = account.id
      join journals on journals.id = journal_id and journals.kind = 'sale'
    where not disturbed group by creator_id, cents
    having -coalesce(sum(postings.amount_cents), 0) <> cents`.execute(harness.context.db)
  return rows
}

/** A small generator (mulberry32), so that a failed run can be run again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
