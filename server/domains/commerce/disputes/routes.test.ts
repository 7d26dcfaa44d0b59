import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { buildItem, OFFERED_KINDS, type OfferedKind } from '../../../testing/purchases.ts'
import { findBooks } from '../ledger/books/data.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
let operator: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  operator = await buildUser(harness, { role: 'finance' })
  operator = { ...operator, token: await recentSession(operator) }
})

const recentSession = ({ id }: Person) =>
  buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })

/** Buys something of $9.99, of which the creator's share is $8; answers the order and what it was of. */
async function buy(kind: OfferedKind = 'single', itemId?: string) {
  const item = itemId ?? (await buildItem(harness, creator, kind))
  const body = { kind, itemId: item, ...(await cardToken(harness)) }
  const answer = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  const { _id: orderId, code } = answer.body as { _id: string; code?: string }
  return { status: answer.status, orderId, itemId: item, code }
}

/** Tips the creator; answers the order. */
async function tip(amount: string): Promise<string> {
  const body = { kind: 'tip', itemId: creator.id, amount, ...(await cardToken(harness)) }
  const answer = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (answer.body as { _id: string })._id
}

type Answer = { status: number; body: { _id: string; code?: string } }
type Change = { by?: Person; key?: string; amount?: string; caseNumber?: string }

async function dispute(transactionId: string, change: Change = {}): Promise<Answer> {
  const { by = operator, key = crypto.randomUUID(), amount = '$9.99', caseNumber = key } = change
  const { status, body } = await harness.api.as(by).send('POST', '/admin/disputes', {
    body: { transactionId, amount, fee: '$15', cause: 'fraud', caseNumber, reason: 'By the bank’s letter' },
    headers: { 'idempotency-key': key },
  })
  return { status, body } as Answer
}

async function decide(disputeId: string, outcome: 'won' | 'lost', by = operator): Promise<Answer> {
  const body = { disputeId, outcome, reason: 'The bank’s decision' }
  return (await harness.api.as(by).send('POST', '/admin/disputes/decide', { body })) as Answer
}

function refund(transactionId: string, amount: string) {
  return harness.api.as(operator).send('POST', '/admin/refund', {
    body: { transactionId, amount, reason: 'The buyer asked for it' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
}

/** The gateway settles, so that what was charged can be refunded in parts. */
async function settle(): Promise<void> {
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
}

/** How an order stands, for its buyer, its creator and in the books. */
async function traces(orderId: string) {
  const { db } = harness.context
  const order = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'paid_by')
    .select(['payments.status', 'refunded_at', 'subscription_id'])
    .where('orders.id', '=', orderId)
    .executeTakeFirstOrThrow()
  const access = await db
    .selectFrom('entitlements')
    .select('id')
    .where('source_id', 'in', [orderId, order.subscription_id ?? orderId])
    .where('revoked_at', 'is', null)
    .execute()
  const { pending, available, reserved } = await harness.api.as(creator).call(routes.balance, { query: {} })
  const { discrepancies } = await findBooks(db)
  return {
    ...{ payment: order.status, access: access.length, lost: order.refunded_at !== null },
    ...{ pending, available, reserved, discrepancies: discrepancies.length },
  }
}

const SOLD = {
  ...{ payment: 'captured', access: 1, lost: false, discrepancies: 0 },
  ...{ pending: '$8', available: '$0', reserved: '$0' },
}
const DISPUTED = { ...SOLD, payment: 'disputed', access: 0, pending: '$0', reserved: '$8' }

describe.each(OFFERED_KINDS)('a disputed %s', (kind) => {
  test('takes access and the creator’s part at once, and gives both back when it is won', async () => {
    const other = await buy('single')
    const { orderId } = await buy(kind)
    const both = { pending: '$16' }
    expect(await traces(orderId)).toEqual({ ...SOLD, ...both })
    const { status, body } = await dispute(orderId)
    expect(status).toBe(200)
    expect(await traces(orderId)).toEqual({ ...DISPUTED, pending: '$8' })
    expect(await decide(body._id, 'won')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toEqual({ ...SOLD, ...both })
    expect(await traces(other.orderId)).toMatchObject({ payment: 'captured', access: 1 })
  })

  test('takes both for good when it is lost, and can be bought again', async () => {
    const { orderId, itemId } = await buy(kind)
    const { body } = await dispute(orderId)
    expect(await decide(body._id, 'lost')).toMatchObject({ status: 200 })
    const lost = { ...DISPUTED, lost: true, reserved: '$0' }
    expect(await traces(orderId)).toEqual(lost)
    expect(await decide(body._id, 'won')).toMatchObject({ status: 409, body: { code: 'dispute_decided' } })
    expect(await traces(orderId)).toEqual(lost)
    // An offer stays redeemed.
    expect(await buy(kind, itemId)).toMatchObject({ status: kind === 'singles' ? 409 : 200 })
  })
})

test.each(['single', 'bundle'] as const)(
  'a %s that the bank hasn’t decided on isn’t sold again, nor called owned',
  async (kind) => {
    const { orderId, itemId } = await buy(kind)
    const { body } = await dispute(orderId)
    expect(await buy(kind, itemId)).toMatchObject({ status: 409, code: 'purchase_disputed' })
    expect(await decide(body._id, 'won')).toMatchObject({ status: 200 })
    expect(await buy(kind, itemId)).toMatchObject({ status: 409, code: 'already_owned' })
  },
)

describe.each(OFFERED_KINDS)('a part of a %s that is lost', (kind) => {
  test('takes that part alone: the buyer has what the rest paid for, until that is given back as well', async () => {
    const { orderId, itemId } = await buy(kind)
    await settle()
    const { body } = await dispute(orderId, { amount: '$2' })
    expect(await traces(orderId)).toEqual({ ...DISPUTED, pending: '$6.40', reserved: '$1.60' })
    expect(await decide(body._id, 'lost')).toMatchObject({ status: 200 })
    const rest = { ...SOLD, pending: '$6.40' }
    expect(await traces(orderId)).toEqual(rest)
    const kept = await harness.api.as(operator).call(routes.payment, { params: { transactionId: orderId } })
    expect(kept).toMatchObject({ status: 'captured', refundable: '$7.99' })
    expect(await refund(orderId, '$8')).toMatchObject({
      ...{ status: 409, body: { code: 'refund_exceeds_payment' } },
    })
    expect(await traces(orderId)).toEqual(rest)
    expect(await refund(orderId, '$7.99')).toMatchObject({ status: 200 })
    const over = { ...SOLD, payment: 'refunded', access: 0, lost: true, pending: '$0' }
    expect(await traces(orderId)).toEqual(over)
    // An offer stays redeemed.
    expect(await buy(kind, itemId)).toMatchObject({ status: kind === 'singles' ? 409 : 200 })
  })

  test('leaves the rest to be disputed and lost as well', async () => {
    const { orderId } = await buy(kind)
    await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
    expect(await dispute(orderId, { amount: '$8' })).toMatchObject({
      ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
    })
    const { body } = await dispute(orderId, { amount: '$7.99' })
    expect(await traces(orderId)).toEqual({ ...DISPUTED, reserved: '$6.40' })
    await decide(body._id, 'lost')
    expect(await traces(orderId)).toEqual({ ...DISPUTED, lost: true, reserved: '$0' })
  })
})

test('the database itself refuses a refund of what a bank has kept', async () => {
  const { orderId } = await buy()
  await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
  const { db } = harness.context
  const { id: payment_id } = await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const asked = { reason: 'Too much', requested_by: null, reference: crypto.randomUUID().slice(0, 20) }
  const refunded = { payment_id, order_id: orderId, amount_cents: 800, created_at: harness.clock.now() }
  const insert = db.insertInto('refunds').values({ ...refunded, ...asked })
  await expect(insert.execute()).rejects.toThrow('exceed it')
})

test('a disputed subscription is not renewed, whoever wins', async () => {
  const { orderId } = await buy('subscription')
  const { body } = await dispute(orderId)
  await decide(body._id, 'won')
  harness.clock.advance(40 * DAY_MS)
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const { db } = harness.context
  const orders = await db.selectFrom('orders').select('id').where('buyer_id', '=', fan.id).execute()
  expect(orders).toEqual([{ id: orderId }])
})

describe('two months of a subscription', () => {
  const renew = () => harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const paidOrders = async () =>
    (
      await harness.context.db
        .selectFrom('orders')
        .select('id')
        .where('buyer_id', '=', fan.id)
        .where('status', '=', 'paid')
        .orderBy('period')
        .execute()
    ).map(({ id }) => id)

  /** Lets the clock go on; the people are logged in from then on. */
  async function pass(ms: number): Promise<void> {
    harness.clock.advance(ms)
    operator = { ...operator, token: await recentSession(operator) }
    creator = { ...creator, token: await buildSession(harness, creator.id) }
  }

  async function buyTwoMonths(): Promise<{ first: string; second: string }> {
    await buy('subscription')
    await pass(32 * DAY_MS)
    await renew()
    const [first, second] = await paidOrders()
    return { first: first ?? '', second: second ?? '' }
  }

  test('a dispute of the first takes nothing of the second, and no third one is charged', async () => {
    const { first, second } = await buyTwoMonths()
    const { body } = await dispute(first)
    expect(await traces(second)).toMatchObject({ payment: 'captured', access: 1, discrepancies: 0 })
    await decide(body._id, 'won')
    await pass(40 * DAY_MS)
    await renew()
    expect(await paidOrders()).toEqual([first, second])
  })

  test('a dispute of the last one ends the subscription that day, whatever was paid for', async () => {
    const { second } = await buyTwoMonths()
    await dispute(second)
    const asFan = harness.api.as({ token: await buildSession(harness, fan.id) })
    const { items } = await asFan.call(routes.ownSubscriptions, { query: { showing: 'ended' } })
    const [ended] = items
    expect(ended).toMatchObject({ status: 'expired', endedAt: expect.any(String) })
    const now = harness.clock.now().getTime()
    expect(now - Date.parse(ended?.endedAt ?? '')).toBeLessThan(DAY_MS / 24)
    expect(Date.parse(ended?.expiration ?? '')).toBeGreaterThan(now + 20 * DAY_MS)
  })

  test('after a dispute of the first the fan can’t resume the renewals', async () => {
    const { first, second } = await buyTwoMonths()
    await dispute(first)
    const asFan = harness.api.as({ token: await buildSession(harness, fan.id) })
    const { items } = await asFan.call(routes.ownSubscriptions, { query: { showing: 'current' } })
    expect(items).toMatchObject([{ status: 'canceled', canResume: false, renews: false }])
    const body = { subscriptionId: items[0]?._id ?? '' }
    expect(await asFan.send('POST', '/users/subscription/resume', { body })).toMatchObject({
      ...{ status: 409, body: { code: 'not_renewable' } },
    })
    await pass(40 * DAY_MS)
    await renew()
    expect(await paidOrders()).toEqual([first, second])
  })

  test.each([
    ['won', 'lost', 0],
    ['lost', 'won', 1],
  ] as const)(
    'the first is %s, the second %s: access follows the second',
    async (ofFirst, ofSecond, access) => {
      const { first, second } = await buyTwoMonths()
      const later = await dispute(second)
      await pass(DAY_MS)
      const earlier = await dispute(first)
      expect(await traces(second)).toMatchObject({ access: 0 })
      await decide(earlier.body._id, ofFirst)
      expect(await traces(second)).toMatchObject({ payment: 'disputed', access: 0 })
      await decide(later.body._id, ofSecond)
      expect(await traces(second)).toMatchObject({ access, lost: ofSecond === 'lost', discrepancies: 0 })
    },
  )
})

test('what was bought is kept for as long as its dispute lasts, though its creator deleted it', async () => {
  const { orderId, itemId } = await buy('single')
  const { body } = await dispute(orderId)
  await harness.api
    .as(creator)
    .send('POST', '/media/deletemedia', { body: { mediaId: itemId, creatorId: creator.id } })
  harness.clock.advance(60 * DAY_MS)
  await harness.runJobs()
  await decide(body._id, 'won')
  const version = await harness.context.db
    .selectFrom('media_versions')
    .select('purged_at')
    .where('media_id', '=', itemId)
    .executeTakeFirstOrThrow()
  expect(version.purged_at).toBeNull()
  const { media } = await harness.api.as(fan).call(routes.viewMedia, { params: { mediaId: itemId } })
  expect(media).toMatchObject({ _id: itemId })
})

test('no refund is made of what is disputed, no dispute of what was voided, and none of more than was charged', async () => {
  const { orderId } = await buy()
  expect(await dispute(orderId, { amount: '$10' })).toMatchObject({
    ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
  })
  expect(await dispute(orderId, { amount: '$4' })).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$9.99')).toMatchObject({ status: 409, body: { code: 'not_refundable' } })
  expect(await traces(orderId)).toMatchObject({ payment: 'disputed', reserved: '$3.20' })
  const other = await buy()
  expect(await refund(other.orderId, '$9.99')).toMatchObject({ status: 200 })
  expect(await dispute(other.orderId)).toMatchObject({ status: 409, body: { code: 'not_disputable' } })
  expect(await traces(other.orderId)).toMatchObject({ payment: 'voided', discrepancies: 0 })
})

/** Balances of the platform's accounts, in cents. */
async function accounts(): Promise<Record<string, number>> {
  const { totals } = await findBooks(harness.context.db)
  return Object.fromEntries(totals.map(({ kind, cents }) => [kind, cents]))
}

test.each([
  ['won', 0],
  ['lost', 999],
] as const)(
  'what was refunded before, a bank may take back as well: %s, it is the platform’s alone to bear',
  async (outcome, borne) => {
    const { orderId } = await buy()
    await settle()
    expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200 })
    const over = { ...DISPUTED, payment: 'refunded', lost: true, reserved: '$0' }
    expect(await traces(orderId)).toEqual(over)
    const { gateway = 0, dispute_losses: losses = 0 } = await accounts()
    expect(await dispute(orderId, { amount: '$10' })).toMatchObject({
      ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
    })
    const { status, body } = await dispute(orderId)
    expect(status).toBe(200)
    expect(await traces(orderId)).toEqual(over)
    expect(await accounts()).toMatchObject({ gateway: gateway - 2499, dispute_losses: losses + 999 })
    expect(await dispute(orderId)).toMatchObject({ status: 409, body: { code: 'not_disputable' } })
    expect(await decide(body._id, outcome)).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toEqual(over)
    expect(await accounts()).toMatchObject({
      ...{ gateway: gateway - 1500 - borne, dispute_losses: losses + borne },
    })
    const seen = await harness.api.as(operator).call(routes.payment, { params: { transactionId: orderId } })
    expect(seen).toMatchObject({ refundable: '$0', disputable: borne ? '$0' : '$9.99' })
    const { db } = harness.context
    const told = await db
      .selectFrom('notifications')
      .select('kind')
      .where('user_id', '=', creator.id)
      .execute()
    expect(told.map(({ kind }) => kind).sort()).toEqual(['sale.made', 'sale.refunded'])
  },
)

test('the creator is told of a dispute of the rest also where a part was lost and the whole order is marked as given back', async () => {
  const { db, clock } = harness.context
  const { orderId } = await buy()
  await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
  // As such a part was recorded: the payment stays disputed, and its order is said to be given back.
  const now = clock.now()
  const disputed = { status: 'disputed', source: 'operator', status_at: now } as const
  await db.updateTable('payments').set(disputed).where('order_id', '=', orderId).execute()
  await db.updateTable('orders').set({ refunded_at: now }).where('id', '=', orderId).execute()
  await db.updateTable('entitlements').set({ revoked_at: now }).where('source_id', '=', orderId).execute()

  const recorded = { ...DISPUTED, lost: true }
  const { body } = await dispute(orderId, { amount: '$7.99' })
  expect(await traces(orderId)).toEqual({ ...recorded, reserved: '$6.40' })
  await decide(body._id, 'lost')
  expect(await traces(orderId)).toEqual({ ...recorded, reserved: '$0' })
  const { items } = await harness.api.as(creator).call(routes.notifications, { query: {} })
  const told = items.flatMap(({ event }) => (event.kind === 'sale.disputed' ? [event.data] : []))
  expect(told.map(({ amount, state }) => `${amount} ${state}`).sort()).toEqual([
    ...['$2 lost', '$2 opened', '$7.99 lost', '$7.99 opened'],
  ])
})

test('a bank that takes back all of what was refunded in part leaves that part to the platform', async () => {
  const { orderId } = await buy()
  await settle()
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  const { dispute_losses: losses = 0 } = await accounts()
  const { body } = await dispute(orderId)
  expect(await traces(orderId)).toEqual({ ...DISPUTED, reserved: '$4.80' })
  expect(await accounts()).toMatchObject({ dispute_losses: losses + 400 })
  await decide(body._id, 'lost')
  expect(await traces(orderId)).toEqual({ ...DISPUTED, lost: true, reserved: '$0' })
  expect(await accounts()).toMatchObject({ dispute_losses: losses + 400 })
})

test('a sale counts in the ratio for good, though it was refunded since', async () => {
  const { orderId } = await buy()
  await settle()
  const ratio = () => harness.api.as(operator).call(routes.disputeRatio, {})
  const before = await ratio()
  expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject({ payment: 'refunded' })
  expect(await ratio()).toEqual(before)
})

test('of 20 records of one dispute at once there is one, and the bank takes its fee once', async () => {
  const { orderId } = await buy()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => dispute(orderId, { caseNumber: `case ${at % 2}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  expect(await traces(orderId)).toEqual(DISPUTED)
  const opened = answers.find(({ status }) => status === 200)?.body._id ?? ''
  const decisions = await Promise.all(
    Array.from({ length: 10 }, (_, at) => decide(opened, at % 2 ? 'won' : 'lost')),
  )
  expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await traces(orderId)).toMatchObject({ reserved: '$0', discrepancies: 0 })
})

test('a dispute and a refund of the same payment at once: one of them', async () => {
  const { orderId } = await buy()
  const statuses = (await Promise.all([refund(orderId, '$9.99'), dispute(orderId)])).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([200, 409])
  expect(await traces(orderId)).toMatchObject({ access: 0, discrepancies: 0 })
})

test('a dispute of a subscription waits for its renewal before it holds what that needs', async () => {
  const { orderId } = await buy('subscription')
  const { db } = harness.context
  let disputed: Promise<Answer> | undefined
  // A renewal or a refund holds the subscription, and then wants its orders.
  await db.transaction().execute(async (tx) => {
    await sql`select from subscriptions where fan_id = ${fan.id} for update`.execute(tx)
    disputed = dispute(orderId)
    await expect.poll(() => waitingForLocks(db, 'subscriptions')).toBe(1)
    await sql`select from orders where id = ${orderId} for update nowait`.execute(tx)
  })
  expect(await disputed).toMatchObject({ status: 200 })
})

test('a live installation records no dispute of what the sandbox made', async () => {
  const { orderId } = await buy()
  const { db } = harness.context
  await db.updateTable('installation').set({ livemode: true }).execute()
  try {
    expect(await dispute(orderId)).toMatchObject({ status: 404 })
  } finally {
    await db.updateTable('installation').set({ livemode: false }).execute()
  }
  expect(await traces(orderId)).toEqual(SOLD)
})

test('the same case is recorded once, and its number is asked for', async () => {
  const { orderId } = await buy()
  const first = await dispute(orderId, { caseNumber: 'CB-1' })
  await decide(first.body._id, 'won')
  expect(await dispute(orderId, { caseNumber: 'CB-1' })).toMatchObject({
    ...{ status: 409, body: { code: 'dispute_recorded' } },
  })
  expect(await dispute(orderId, { caseNumber: ' ' })).toMatchObject({ status: 400 })
  expect(await traces(orderId)).toEqual(SOLD)
})

test('who may not, or did not prove who they are again, records and reads nothing', async () => {
  const { orderId } = await buy()
  const support = await buildUser(harness, { role: 'support' })
  const stale = await buildUser(harness, { role: 'finance' })
  for (const by of [fan, creator, support, stale])
    expect(await dispute(orderId, { by })).toMatchObject({ status: 403 })
  expect(await dispute(crypto.randomUUID())).toMatchObject({ status: 404 })
  const { body } = await dispute(orderId)
  for (const by of [fan, creator, support]) {
    expect(await decide(body._id, 'won', by)).toMatchObject({ status: 403 })
    const evidence = await harness.api.as(by).send('GET', `/admin/disputes/${body._id}/evidence`, {})
    expect(evidence.status).toBe(403)
  }
  expect(await traces(orderId)).toEqual(DISPUTED)
})

test('operators see it in the list, the ratio and the evidence; the creator is told', async () => {
  const { orderId } = await buy()
  const before = await harness.api.as(operator).call(routes.disputeRatio, {})
  const { body } = await dispute(orderId, { caseNumber: 'CB-77' })
  const { items } = await harness.api.as(operator).call(routes.disputes, { query: {} })
  expect(items[0]).toMatchObject({
    ...{ _id: body._id, transactionId: orderId, status: 'open', caseNumber: 'CB-77' },
    ...{ amount: '$9.99', fee: '$15', buyer: { username: fan.username }, respondBy: null },
  })
  const after = await harness.api.as(operator).call(routes.disputeRatio, {})
  expect(after).toMatchObject({ payments: before.payments, disputes: before.disputes + 1 })
  const { sections } = await harness.api
    .as(operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const facts = sections.flatMap((section) => section.facts.map(({ label }) => `${section.title}: ${label}`))
  expect(facts).toEqual(
    expect.arrayContaining([
      'Dispute: Case number',
      'What was bought: Item 1',
      'Consent: Terms accepted',
      'Consent: From network',
      'Charge: Gateway’s transaction',
      'Access: Unlocked',
      'Buyer’s account: Email',
    ]),
  )
  expect(JSON.stringify(sections)).not.toMatch(/null|undefined|NaN/)
  const { db } = harness.context
  const told = await db.selectFrom('notifications').select('kind').where('user_id', '=', creator.id).execute()
  expect(told.map(({ kind }) => kind).sort()).toEqual(['sale.disputed', 'sale.made'])
  const log = await db.selectFrom('audit_log').selectAll().where('target_id', '=', orderId).execute()
  expect(log).toMatchObject([{ actor_id: operator.id, action: 'dispute.opened' }])
})

test('the evidence says of no tip that it unlocked something, and counts what was kept of earlier purchases', async () => {
  const [kept, partly, askedBack] = [await tip('$5'), await tip('$10'), await tip('$20')]
  await settle()
  expect(await refund(partly, '$4')).toMatchObject({ status: 200 })
  expect(await dispute(askedBack, { amount: '$20' })).toMatchObject({ status: 200 })
  const { body } = await dispute(await tip('$30'), { amount: '$30' })
  const { sections } = await harness.api
    .as(operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const facts = sections.flatMap((section) => section.facts)
  expect(facts.filter(({ label }) => label === 'Unlocked')).toEqual([])
  const { created_at: first } = await harness.context.db
    .selectFrom('orders')
    .select('created_at')
    .where('id', '=', kept)
    .executeTakeFirstOrThrow()
  const since = first.toISOString().slice(0, 16).replace('T', ' ')
  expect(facts.find(({ label }) => label.startsWith('Earlier purchases'))).toEqual({
    label: 'Earlier purchases, not refunded or disputed',
    value: `2 for $11, the first ${since} UTC`,
  })
})
