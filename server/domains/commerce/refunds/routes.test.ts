import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, planFault } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { buildItem, OFFERED_KINDS, type OfferedKind } from '../../../testing/purchases.ts'
import { askedOf } from '../../../testing/refunds.ts'

const MINUTE_MS = 60_000

let harness: Harness
let creator: Person
let fan: Person
let operator: Person
/** Where the process of the next refund breaks down. */
let breakAt: Checkpoint | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  operator = await buildUser(harness, { role: 'finance' })
  operator = { ...operator, token: await recentSession(operator) }
})
afterEach(() => {
  breakAt = null
})

const recentSession = ({ id }: Person) =>
  buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
const recover = () => harness.server.jobs['refunds.recover']({}, { attempt: 1, lastAttempt: false })

/** Something of $9.99 that the fan bought. */
async function buy(kind: OfferedKind = 'single'): Promise<string> {
  const itemId = await buildItem(harness, creator, kind)
  const body = { kind, itemId, ...(await cardToken(harness)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (purchase as { _id: string })._id
}

type Answer = { status: number; body: { code?: string; status?: string; details?: unknown } }

async function refund(
  transactionId: string,
  amount: string,
  key: string = crypto.randomUUID(),
  by = operator,
  left?: string,
) {
  const asked = { transactionId, amount, reason: 'The buyer asked for it' }
  const { status, body } = await harness.api.as(by).send('POST', '/admin/refund', {
    body: left ? { ...asked, left } : await askedOf(harness.api.as(operator), asked),
    headers: { 'idempotency-key': key },
  })
  return { status, body } as Answer
}

/** The stored refunds of an order, and the gateway's own. */
async function traces(orderId: string) {
  const { db } = harness.context
  const order = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'paid_by')
    .select(['orders.refunded_at', 'payments.status', 'payments.gateway_transaction_id', 'subscription_id'])
    .where('orders.id', '=', orderId)
    .executeTakeFirstOrThrow()
  const refunds = await db
    .selectFrom('refunds')
    .select(['status', 'reference'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  const access = await db
    .selectFrom('entitlements')
    .select('id')
    .where('source_id', 'in', [orderId, order.subscription_id ?? orderId])
    .where('revoked_at', 'is', null)
    .execute()
  const posted = await db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .select((eb) => eb.fn.sum<number>('postings.amount_cents').as('cents'))
    .where('journals.order_id', '=', orderId)
    .where('ledger_accounts.kind', '=', 'gateway')
    .executeTakeFirstOrThrow()
  const references = refunds.map(({ reference }) => reference)
  const charges = await gatewayTransactions(harness)
  const charge = charges.find(({ transId }) => transId === order.gateway_transaction_id)
  return {
    payment: order.status,
    refunds: refunds.map(({ status }) => status),
    whole: order.refunded_at !== null,
    access: access.length,
    /** The part of the charge that is left, here and at the gateway. */
    kept: Number(posted.cents),
    atGateway:
      charge?.status === 'voided'
        ? 0
        : charges
            .filter(({ invoiceNumber }) => references.includes(invoiceNumber))
            .reduce((left, { amountCents }) => left - amountCents, charge?.amountCents ?? 0),
  }
}

const GONE = { whole: true, access: 0, kept: 0, atGateway: 0 }

test('a refund of nothing is refused at the amount', async () => {
  const orderId = await buy('single')
  expect(await refund(orderId, '$0.00')).toMatchObject({
    ...{ status: 400, body: { details: { amount: 'Enter an amount above $0.' } } },
  })
})

describe('before the settlement', () => {
  test.each(OFFERED_KINDS)('all of a %s is voided, and takes back what it granted', async (kind) => {
    const other = await buy('single')
    const orderId = await buy(kind)
    expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200, body: { status: 'voided' } })
    expect(await traces(orderId)).toEqual({ ...GONE, payment: 'voided', refunds: ['voided'] })
    expect(await traces(other)).toMatchObject({ payment: 'captured', access: 1, kept: 999, atGateway: 999 })
    expect(await refund(orderId, '$9.99')).toMatchObject({ status: 409, body: { code: 'not_refundable' } })
  })

  test('a part is refused, and nothing has changed', async () => {
    const orderId = await buy()
    expect(await refund(orderId, '$4')).toMatchObject({ status: 402, body: { code: 'refund_refused' } })
    expect(await traces(orderId)).toEqual({
      ...{ payment: 'captured', refunds: ['refused'], whole: false },
      ...{ access: 1, kept: 999, atGateway: 999 },
    })
  })

  test('an order that was refunded can be bought again', async () => {
    const itemId = await buildItem(harness, creator, 'single')
    const pay = async () =>
      harness.api.as(fan).send('POST', '/users/purchase', {
        body: { kind: 'single', itemId, ...(await cardToken(harness)) },
      })
    const { body } = await pay()
    await refund((body as { _id: string })._id, '$9.99')
    expect(await pay()).toMatchObject({ status: 200 })
  })
})

describe('after the settlement', () => {
  test('parts are refunded up to the whole, which alone takes back the grant', async () => {
    const orderId = await buy()
    await settle()
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(await refund(orderId, '$0.01')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toEqual({
      ...{ payment: 'captured', refunds: ['refunded', 'refunded'], whole: false },
      ...{ access: 1, kept: 598, atGateway: 598 },
    })
    expect(await refund(orderId, '$5.99')).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment' },
    })
    expect(await refund(orderId, '$5.98')).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(await traces(orderId)).toEqual({
      ...GONE,
      ...{ payment: 'refunded', refunds: ['refunded', 'refunded', 'refunded'] },
    })
  })

  test('all of it is refunded', async () => {
    const orderId = await buy('subscription')
    await settle()
    expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(await traces(orderId)).toEqual({ ...GONE, payment: 'refunded', refunds: ['refunded'] })
    const { items } = await harness.api.as(fan).call(routes.yourSubscriptions, { query: {} })
    expect(items).toMatchObject([{ subscription: { status: 'expired' } }])
  })
})

describe('fifty at once', () => {
  test('refunds of the whole make one', async () => {
    const orderId = await buy()
    await settle()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(orderId, '$9.99')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const codes = answers.flatMap(({ body }) => body.code ?? [])
    expect(codes.filter((code) => !['refund_in_progress', 'not_refundable'].includes(code))).toEqual([])
    expect(await traces(orderId)).toEqual({ ...GONE, payment: 'refunded', refunds: ['refunded'] })
  })

  test('calls under one key make one', async () => {
    const orderId = await buy()
    await settle()
    const give = (amount: string) => refund(orderId, amount, 'the-same-key', operator, '$9.99')
    const answers = await Promise.all(Array.from({ length: 50 }, () => give('$4')))
    expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    expect(await traces(orderId)).toMatchObject({ refunds: ['refunded'], kept: 599, atGateway: 599 })
    expect(await give('$5')).toMatchObject({ status: 422 })
  })
})

describe('a refund that broke down', () => {
  test.each(['refund.intent-committed', 'refund.submitting-committed', 'refund.gateway-answered'] as const)(
    'at %s is made once by recovery, voided or refunded',
    async (checkpoint) => {
      for (const settled of [false, true]) {
        const orderId = await buy()
        if (settled) await settle()
        breakAt = checkpoint
        expect((await refund(orderId, '$9.99')).status).toBe(500)
        breakAt = null
        expect(await traces(orderId)).toMatchObject({ payment: 'captured', access: 1, kept: 999 })
        expect(await refund(orderId, '$9.99')).toMatchObject({ body: { code: 'refund_in_progress' } })
        for (let minute = 0; minute < 3; minute++) {
          harness.clock.advance(2 * MINUTE_MS)
          await recover()
        }
        expect(await traces(orderId)).toMatchObject({ ...GONE, refunds: [settled ? 'refunded' : 'voided'] })
      }
    },
  )

  test.each([
    { effect: 'resetAfter', after: 4, refunds: ['refunded'], left: 599 },
    { effect: 'resetBefore', after: 20, refunds: ['refused'], left: 999 },
  ])('of a part, when the connection broke by $effect, is looked up and not sent again', async (row) => {
    const { effect, after, refunds, left } = row
    const orderId = await buy()
    await settle()
    await planFault(harness, { call: 'createTransactionRequest', effect })
    expect(await refund(orderId, '$4')).toMatchObject({ status: 202, body: { status: 'unknown' } })
    for (let minute = 0; minute < after; minute++) {
      harness.clock.advance(MINUTE_MS)
      await recover()
    }
    expect(await traces(orderId)).toMatchObject({ refunds, kept: left, atGateway: left, access: 1 })
  })
})

describe('after a refund that was said not to be made', () => {
  /** $4 of $9.99 whose sending broke, looked up until it counts as not made. */
  async function notMade() {
    const orderId = await buy()
    await settle()
    await planFault(harness, { call: 'createTransactionRequest', effect: 'resetBefore' })
    await refund(orderId, '$4')
    for (let minute = 0; minute < 20; minute++) {
      harness.clock.advance(MINUTE_MS)
      await recover()
    }
    expect(await traces(orderId)).toMatchObject({ refunds: ['refused'], atGateway: 999 })
    operator = { ...operator, token: await recentSession(operator) }
    return orderId
  }

  test('another one is made once the gateway says again that it has none', async () => {
    const orderId = await notMade()
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toMatchObject({ refunds: ['refused', 'refunded'], atGateway: 599 })
  })

  test('another one is refused when it turns out to be made, and the first counts', async () => {
    const orderId = await notMade()
    const { db, payments } = harness.context
    const { gateway_transaction_id, card_last_four, reference } = await db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'payment_id')
      .select(['payments.gateway_transaction_id', 'card_last_four', 'refunds.reference'])
      .where('refunds.order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    await payments.refundCharge({
      transactionId: gateway_transaction_id ?? '',
      amountCents: 400,
      lastFour: card_last_four ?? '',
      reference,
    })
    expect(await refund(orderId, '$4')).toMatchObject({ status: 409, body: { code: 'refund_in_progress' } })
    expect(await traces(orderId)).toMatchObject({ refunds: ['refunded'], kept: 599, atGateway: 599 })
    expect(await refund(orderId, '$5.99')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toMatchObject({ ...GONE, refunds: ['refunded', 'refunded'] })
  })

  test('another one is refused while the gateway does not say, and nothing is sent', async () => {
    const orderId = await notMade()
    await planFault(harness, { effect: 'resetBefore' })
    expect(await refund(orderId, '$4', 'the-next-key')).toMatchObject({ status: 409 })
    expect(await traces(orderId)).toMatchObject({ refunds: ['refused'], kept: 999, atGateway: 999 })
    expect(await refund(orderId, '$4', 'the-next-key')).toMatchObject({ status: 200 })
  })
})

test('a refund of a subscription waits for its renewal before it holds what that needs', async () => {
  const orderId = await buy('subscription')
  const { db } = harness.context
  let refunded: Promise<Answer> | undefined
  // A renewal holds the subscription, and then posts to its fan's and creator's rows.
  await db.transaction().execute(async (tx) => {
    await sql`select from subscriptions where fan_id = ${fan.id} for update`.execute(tx)
    refunded = refund(orderId, '$9.99')
    await expect.poll(() => waitingForLocks(db, 'subscriptions')).toBe(1)
    await sql`select from fans where fan_id = ${fan.id} for update nowait`.execute(tx)
  })
  expect(await refunded).toMatchObject({ status: 200, body: { status: 'voided' } })
})

test('who may not refund, or did not prove who they are again, refunds nothing', async () => {
  const orderId = await buy()
  const support = await buildUser(harness, { role: 'support' })
  const stale = await buildUser(harness, { role: 'finance' })
  expect(await refund(orderId, '$9.99', 'by-support', support)).toMatchObject({ status: 403 })
  expect(await refund(orderId, '$9.99', 'by-the-buyer', fan)).toMatchObject({ status: 403 })
  expect(await refund(orderId, '$9.99', 'a-stale-session', stale)).toMatchObject({ status: 403 })
  const unknown = crypto.randomUUID()
  expect(await refund(unknown, '$9.99', 'of-nothing', operator, '$9.99')).toMatchObject({ status: 404 })
  expect(await traces(orderId)).toMatchObject({ payment: 'captured', refunds: [], kept: 999, atGateway: 999 })
})

test('the log keeps who refunded and why, and the buyer gets one email', async () => {
  const orderId = await buy()
  await settle()
  for (let time = 0; time < 2; time++) await refund(orderId, '$4', 'told-once', operator, '$9.99')
  await harness.runJobs()
  const { db } = harness.context
  const log = await db.selectFrom('audit_log').selectAll().where('target_id', '=', orderId).execute()
  expect(log).toMatchObject([
    { actor_id: operator.id, action: 'order.refund-requested', reason: 'The buyer asked for it' },
  ])
  const mails = await fetch(
    `${harness.sandboxOrigin}/sandbox/mail/messages?to=${encodeURIComponent(fan.email)}`,
  )
  const { items } = (await mails.json()) as { items: { subject: string; text: string }[] }
  const subjects = items.map(({ subject }) => subject)
  expect(subjects).toEqual(['Your refund of $4 · Fanfare', expect.stringMatching(/^Your receipt for /)])
  expect(items[0]?.text).toContain('You keep access')
})

test('the database refuses more than was charged, another amount, and a way back', async () => {
  const { db } = harness.context
  const orderId = await buy()
  await settle()
  await refund(orderId, '$4')
  const made = await db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const more = {
    ...{
      payment_id: made.payment_id,
      order_id: orderId,
      amount_cents: 600,
      reason: 'More',
      requested_by: null,
    },
    ...{ reference: 'more than is left', created_at: harness.clock.now() },
  }
  const refunds = db.updateTable('refunds').where('id', '=', made.id)
  await expect(db.insertInto('refunds').values(more).execute()).rejects.toMatchObject({
    constraint: 'refunds_within_charge',
  })
  await expect(refunds.set({ amount_cents: 1 }).execute()).rejects.toMatchObject({
    constraint: 'refunds_fixed',
  })
  await expect(refunds.set({ status: 'submitting' }).execute()).rejects.toMatchObject({
    constraint: 'refunds_transition',
  })
})
