import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, planFault, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { recordOutside, sendOutside } from '../../../testing/outside.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { emailsTo, leave, reauthenticatedApi } from '../../../testing/security.ts'
import { findBooks } from '../../commerce/ledger/books/data.ts'

const DAY_MS = 24 * 3600 * 1000
const run = { attempt: 1, lastAttempt: false }

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const erase = () => harness.server.jobs['account.erase']({}, run)
const forget = () => harness.server.jobs['cards.forget']({}, run)
const recover = () => harness.server.jobs['purchases.recover']({}, run)
const remove = async (person: Person) => {
  await leave(harness, person)
  harness.clock.advance(31 * DAY_MS)
}
const isErased = async ({ id }: Person) => {
  const { username } = await harness.context.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return username === `deleted-${id}`
}

async function buy(
  fan: Person,
  kind: 'single' | 'subscription',
  itemId: string,
  card: Card = TEST_CARDS.approved,
) {
  const body = { kind, itemId, ...(await cardToken(harness, card)) }
  await harness.api.as(fan).send('POST', '/users/purchase', { body })
}
type Card = { cardNumber: string; cardCode: string }

const purchaseOf = (fan: Person) =>
  harness.context.db
    .selectFrom('payments')
    .select(['id', 'order_id', 'status', 'reason', 'gateway_transaction_id as transactionId', 'stuck_at'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()

test('the gateway forgets the cards of who was erased, however often it must be asked', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await buy(
    fan,
    'subscription',
    await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] }),
  )
  const card = await harness.context.db
    .selectFrom('stored_cards')
    .selectAll()
    .where('user_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const charge = () =>
    harness.context.payments.charge({
      reference: crypto.randomUUID().slice(0, 20),
      amountCents: 100,
      description: 'A stored card',
      source: {
        storedCard: {
          customerProfileId: card.customer_profile_id,
          paymentProfileId: card.payment_profile_id,
        },
      },
      occasion: 'single',
      customer: { id: fan.id, email: fan.email },
    })
  expect(await charge()).toMatchObject({ kind: 'approved' })
  await remove(fan)
  await erase()
  expect(await isErased(fan)).toBe(true)
  await planFault(harness, { call: 'deleteCustomerProfileRequest', effect: 'resetBefore' })
  await forget()
  expect(await charge()).toMatchObject({ kind: 'approved' })
  await forget()
  harness.clock.advance(61_000)
  await forget()
  expect(await charge()).toMatchObject({ kind: 'refused', reason: 'E00040' })
  const owed = await harness.context.db.selectFrom('gateway_deletions').selectAll().execute()
  expect(owed).toMatchObject([{ customer_id: fan.id, attempts: 2, done_at: expect.any(Date) }])
})

test.each(['buyer', 'creator'] as const)(
  'the erasure of a %s waits for payments that are undecided',
  async (who) => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await buy(fan, 'single', await buildMedia(harness, creator, { showInStore: true }), TEST_CARDS.held)
    const leaving = who === 'buyer' ? fan : creator
    await remove(leaving)
    await erase()
    expect(await isErased(leaving)).toBe(false)
    await reviewHeld(harness, (await purchaseOf(fan)).transactionId ?? '', 'approve')
    await recover()
    expect((await purchaseOf(fan)).status).toBe('captured')
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)

/** A custom request for $20 within 28 days, whose payment is under review when one of the two leaves a day later. */
async function leavesRequest(who: 'fan' | 'creator') {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const wish = {
    creatorId: creator.id,
    requestMessage: 'A birthday song',
    maxMinutes: 5,
    pricePerMinute: '$4',
  }
  const { _id: requestId } = await harness.api.as(fan).call(routes.createCustomRequest, { body: wish })
  await harness.api
    .as(creator)
    .call(routes.acceptCustomRequest, { body: { requestId, price: '$20', deliveryDays: 28 } })
  const held = await cardToken(harness, TEST_CARDS.held)
  const body = { kind: 'custom', itemId: requestId, price: '$20', deliveryDays: 28, ...held }
  expect((await harness.api.as(fan).send('POST', '/users/purchase', { body })).status).toBe(202)
  harness.clock.advance(DAY_MS)
  const leaving = who === 'fan' ? fan : creator
  await leave(harness, leaving)
  harness.clock.advance(2 * DAY_MS)
  await reviewHeld(harness, (await purchaseOf(fan)).transactionId ?? '', 'approve')
  await recover()
  expect((await purchaseOf(fan)).status).toBe('captured')
  return { fan, creator, leaving }
}

const giveBack = () => harness.server.jobs['custom-requests.refund']({}, run)
const forgiveGateway = () =>
  fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/faults`, { method: 'DELETE' })

test.each(['fan', 'creator'] as const)(
  'a custom request that would be delivered after its %s is erased is given back two days before',
  async (who) => {
    const { fan, creator, leaving } = await leavesRequest(who)
    const { due_at: dueAt } = await harness.context.db
      .selectFrom('account_deletions')
      .select('due_at')
      .where('user_id', '=', leaving.id)
      .executeTakeFirstOrThrow()
    harness.clock.advance(dueAt.getTime() - harness.clock.now().getTime() - 2 * DAY_MS - 60_000)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('captured')
    harness.clock.advance(60_000)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('refunded')
    const subjects = (await emailsTo(harness, creator.email)).map(({ subject }) => subject).join()
    expect(subjects).not.toContain('overdue')
    expect(subjects).toContain('We refunded $20 paid for')
    const told = await harness.context.db
      .selectFrom('notifications')
      .select('data')
      .where('user_id', '=', creator.id)
      .where('kind', '=', 'sale.refunded')
      .execute()
    expect(told).toMatchObject([{ data: { amount: '$20', share: '$16' } }])
    const { reason } = await harness.context.db
      .selectFrom('refunds')
      .where('payment_id', '=', (await purchaseOf(fan)).id)
      .select('reason')
      .executeTakeFirstOrThrow()
    expect(reason).toBe('An account is deleted before the delivery')
    harness.clock.advance(2 * DAY_MS)
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)

test.each(['fan', 'creator'] as const)(
  'a custom request that the gateway doesn’t give back keeps its %s until it does',
  async (who) => {
    const { fan, leaving } = await leavesRequest(who)
    await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
    harness.clock.advance(31 * DAY_MS)
    const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
    const { order_id: transactionId, transactionId: gatewayTransactionId } = await purchaseOf(fan)
    const listed = async () =>
      (await operator.call(routes.undecidedPayments, {})).items.filter(
        (payment) => payment.transactionId === transactionId,
      )
    const before = {
      refunds: await figure('payments_undecided', 'status', 'refund_refused'),
      erasures: await figure('erasures_overdue', 'waits_for', 'request'),
    }
    await giveBack()
    harness.clock.advance(DAY_MS / 2)
    await giveBack()
    await erase()
    expect(await isErased(leaving)).toBe(false)
    expect(await listed()).toMatchObject([
      { status: 'refund_refused', amount: '$20', gatewayTransactionId, reference: expect.any(String) },
    ])
    expect(await figure('payments_undecided', 'status', 'refund_refused')).toBe(before.refunds + 1)
    expect(await figure('erasures_overdue', 'waits_for', 'request')).toBe(before.erasures)
    await forgiveGateway()
    harness.clock.advance(DAY_MS / 2)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('refunded')
    expect(await listed()).toEqual([])
    expect(await figure('payments_undecided', 'status', 'refund_refused')).toBe(before.refunds)
    expect(await figure('erasures_overdue', 'waits_for', 'request')).toBe(before.erasures - 1)
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)

test('a custom request that the gateway never gives back holds nobody once it was given back another way', async () => {
  const { fan, leaving } = await leavesRequest('fan')
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  harness.clock.advance(31 * DAY_MS)
  await giveBack()
  await forgiveGateway()
  await erase()
  expect(await isErased(leaving)).toBe(false)
  const { id } = await buildUser(harness, { role: 'finance' })
  const operator = await reauthenticatedApi(harness, { id })
  const { order_id: transactionId } = await purchaseOf(fan)
  const standing = async () =>
    (await operator.call(routes.undecidedPayments, {})).items
      .filter((payment) => payment.transactionId === transactionId)
      .map(({ status }) => status)
  await sendOutside(operator, transactionId)
  // The gateway would give it back by now, but isn't asked while somebody else does.
  harness.clock.advance(DAY_MS)
  await giveBack()
  await erase()
  expect(await isErased(leaving)).toBe(false)
  expect([(await purchaseOf(fan)).status, await standing()]).toEqual(['captured', ['refund_outside']])
  const confirmed = await reauthenticatedApi(harness, { id })
  await recordOutside(confirmed, transactionId)
  expect([(await purchaseOf(fan)).status, await standing()]).toEqual(['refunded', ['transfer_missing']])
  await erase()
  expect(await isErased(leaving)).toBe(true)
})

test.each(['fan', 'creator'] as const)(
  'a dispute over a custom request that isn’t delivered keeps its %s, and is counted as one',
  async (who) => {
    const { fan, leaving } = await leavesRequest(who)
    const { order_id: transactionId } = await purchaseOf(fan)
    const { id } = await buildUser(harness, { role: 'finance' })
    const operator = async () => reauthenticatedApi(harness, { id })
    const reason = 'The bank’s letter'
    const { _id: disputeId } = await (await operator()).call(routes.openDispute, {
      body: {
        ...{ transactionId, amount: '$20', fee: '$15', cause: 'fraud' },
        ...{ caseNumber: crypto.randomUUID(), reason },
      },
    })
    const held = async () => ({
      dispute: await figure('erasures_overdue', 'waits_for', 'dispute'),
      request: await figure('erasures_overdue', 'waits_for', 'request'),
    })
    const before = await held()
    harness.clock.advance(31 * DAY_MS)
    await erase()
    expect(await isErased(leaving)).toBe(false)
    expect(await held()).toEqual({ ...before, dispute: before.dispute + 1 })
    await (await operator()).call(routes.decideDispute, { body: { disputeId, outcome: 'lost', reason } })
    await erase()
    expect(await isErased(leaving)).toBe(true)
    expect(await held()).toEqual(before)
  },
)

/** The count in `/metrics` under one label; 0 when it is missing. */
async function figure(name: string, label: string, value: string): Promise<number> {
  const figures = await (await fetch(`${harness.origin}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{${label}="${value}"\\} (\\d+)$`, 'm').exec(figures)?.[1] ?? 0)
}

test('the erasure of a creator waits for their payout, and what is left stays owed to the account', async () => {
  const { db } = harness.context
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await buildBankDetails(harness, creator.id)
  await insertPurchase(db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 50_000, status: 'captured' },
    created_at: new Date(harness.clock.now().getTime() - 8 * DAY_MS),
  })
  const api = await reauthenticatedApi(harness, creator)
  const { _id: payoutId } = await api.call(
    routes.requestPayout,
    { body: { amount: '$390' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  const before = await owedToDeleted()
  await remove(creator)
  await erase()
  expect(await isErased(creator)).toBe(false)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const decide = (decision: 'approve' | 'paid') =>
    operator.call(routes.decidePayout, { body: { payoutId, decision, reason: 'As the bank says' } })
  await decide('approve')
  const body = { reason: 'For the bank' }
  const { csv } = await operator.call(routes.exportPayouts, { body }, { idempotencyKey: crypto.randomUUID() })
  expect(csv).toContain(payoutId)
  await erase()
  expect(await isErased(creator)).toBe(false)
  await decide('paid')
  await erase()
  expect(await isErased(creator)).toBe(true)
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 1000 })

  // A payment by hand afterwards is an adjustment that names the account.
  const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const paid = async (amount: string, named: { reference: string; reason: string }, isBack = false) => {
    const [from, to] = isBack ? (['suspense', 'bank'] as const) : (['bank', 'suspense'] as const)
    const date = harness.clock.now().toISOString().slice(0, 10)
    const { _id: adjustmentId } = await operator.call(
      routes.proposeAdjustment,
      { body: { from, to, amount, date, ...named } },
      { idempotencyKey: crypto.randomUUID() },
    )
    await second.call(routes.decideAdjustment, {
      body: { adjustmentId, decision: 'approve', reason: 'As the statement says' },
    })
  }
  const inReason = () => ({ reference: crypto.randomUUID(), reason: `Claim of ${creator.id.toUpperCase()}` })
  await paid('$4', inReason())
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 600 })
  await paid('$3', { reference: `claim ${creator.id}`, reason: 'The rest' })
  await paid('$1', inReason(), true)
  await paid('$50', { reference: crypto.randomUUID(), reason: 'Of another account' })
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 400 })
  await paid('$4', inReason())
  expect(await owedToDeleted()).toEqual(before)
})

test('who is leaving has 7 days from a payout that failed to ask for it again, and is told so', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await buildBankDetails(harness, creator.id)
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 50_000, status: 'captured' },
    created_at: new Date(harness.clock.now().getTime() - 8 * DAY_MS),
  })
  const api = await reauthenticatedApi(harness, creator)
  const { _id: payoutId } = await api.call(
    routes.requestPayout,
    { body: { amount: '$390' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  // Mailed at once whatever the account chose, as hidden people get no digest.
  await api.call(routes.setNotificationTopic, { body: { topic: 'payouts', email: 'daily', push: false } })
  await remove(creator)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const body = { payoutId, decision: 'cancel' as const, reason: 'The bank is closed' }
  const aWeekOn = () =>
    new Date(harness.clock.now().getTime() + 7 * DAY_MS).toLocaleDateString('en-US', {
      ...{ dateStyle: 'medium', timeZone: 'UTC' },
    })
  const earliest = aWeekOn()
  await operator.call(routes.decidePayout, { body })
  const latest = aWeekOn()
  const mails = await emailsTo(harness, creator.email)
  expect(mails.find(({ subject }) => subject.startsWith('Your payout of $390 was canceled'))).toMatchObject({
    text: expect.stringMatching(`Log in before (${earliest}|${latest})`),
  })
  harness.clock.advance(6 * DAY_MS)
  await erase()
  expect(await isErased(creator)).toBe(false)
  harness.clock.advance(DAY_MS)
  await erase()
  expect(await isErased(creator)).toBe(true)
})

const owedToDeleted = async () => (await findBooks(harness.context.db)).owedToDeleted

/** A charge that shows up only after it was recorded as not made, when its item is gone. */
async function lateCharge(fan: Person): Promise<void> {
  const creator = await buildCreator(harness)
  await buy(fan, 'single', await buildMedia(harness, creator, { showInStore: true }), TEST_CARDS.resetAfter)
  await settle()
  const { id } = await purchaseOf(fan)
  const payments = harness.context.db.updateTable('payments').where('id', '=', id)
  await payments.set({ status: 'refused', reason: 'not_charged' }).execute()
  await remove(creator)
  await erase()
  expect(await isErased(creator)).toBe(true)
  // It had shown up at the gateway in time, while another attempt was under way.
  await payments.set({ gateway_transaction_id: 'shown late' }).execute()
}

const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

test('a late charge for an item that was erased is refunded, as it has settled by then', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  await recover()
  expect(await purchaseOf(fan)).toMatchObject({
    status: 'refunded',
    reason: 'no_longer_available',
    stuck_at: null,
  })
})

test('what the gateway neither voids nor refunds, nor ever will, ends once it was given back another way', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const { id } = await buildUser(harness, { role: 'superadmin' })
  const operator = await reauthenticatedApi(harness, { id })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  await recover()
  const { order_id: orderId, transactionId } = await purchaseOf(fan)
  await sendOutside(operator, orderId)
  await forgiveGateway()
  for (let hour = 0; hour < 25; hour += 1) {
    harness.clock.advance(DAY_MS / 24)
    await recover()
  }
  expect((await purchaseOf(fan)).stuck_at).toBeInstanceOf(Date)
  const { journals, sales } = await findBooks(harness.context.db)
  const confirmed = await reauthenticatedApi(harness, { id })
  const document = `Wire ${crypto.randomUUID()}`
  await recordOutside(confirmed, orderId, document)
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null, transactionId })
  const { items } = await confirmed.call(routes.stuckCharges, {})
  expect(items.map(({ purchaseId }) => purchaseId)).not.toContain(orderId)
  expect(await findBooks(harness.context.db)).toMatchObject({ journals, sales })
  const kept = await harness.context.db
    .selectFrom('refunds')
    .select(['status', 'gateway_transaction_id as number'])
    .where('order_id', '=', orderId)
    .execute()
  expect(kept).toEqual([{ status: 'refunded', number: `outside ${document}` }])
  harness.clock.advance(DAY_MS)
  await recover()
  const token = await buildSession(harness, fan.id, { reauthenticatedAt: harness.clock.now() })
  await remove({ ...fan, token })
  await erase()
  expect(await isErased(fan)).toBe(true)
})

test('a charge that granted nothing is refunded once, however late its refund shows up', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const { context } = harness
  const gateway = context.payments
  onTestFinished(() => {
    context.payments = gateway
  })
  let sent = 0
  context.payments = {
    ...gateway,
    async refundCharge(wanted) {
      sent += 1
      const answer = await gateway.refundCharge(wanted)
      return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
    },
    lookupRefund: async () => ({ kind: 'absent' }),
  }
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      harness.clock.advance(60_000)
      await recover()
      await harness.server.jobs['refunds.recover']({}, run)
    }
  }
  await minutes(20)
  expect((await purchaseOf(fan)).stuck_at).toBeInstanceOf(Date)
  await minutes(10)
  context.payments = gateway
  await minutes(60)
  expect(sent).toBe(1)
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null })
})

test('what the gateway neither voids nor refunds is shown to the operator, and asked about once a day', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const operator = await buildUser(harness, { role: 'superadmin' })
  const listed = async () => (await harness.api.as(operator).call(routes.stuckCharges, {})).items
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  for (let hour = 0; hour < 3; hour += 1) {
    await recover()
    harness.clock.advance(DAY_MS / 24)
  }
  const { id, order_id: orderId, stuck_at, transactionId } = await purchaseOf(fan)
  expect(stuck_at).toBeInstanceOf(Date)
  expect(await listed()).toMatchObject([
    { purchaseId: orderId, buyerUsername: fan.username, reason: 'no_longer_available' },
  ])
  harness.clock.advance(4 * DAY_MS)
  const lookups = async () =>
    (
      await harness.context.db
        .selectFrom('payments')
        .select('lookups')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).lookups
  const before = await lookups()
  await recover()
  for (let hour = 0; hour < 23; hour += 1) {
    harness.clock.advance(DAY_MS / 24)
    await recover()
  }
  expect(await lookups()).toBe(before + 1)

  // The operator gives it back at the gateway, by hand; from then on nothing keeps the buyer from leaving.
  await forgiveGateway()
  const refund = {
    transactionId: transactionId ?? '',
    amountCents: 400,
    lastFour: '1111',
    reference: 'by hand',
  }
  const made = await harness.context.payments.refundCharge(refund)
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  const told = { transactionId: made.transactionId }
  await harness.server.jobs['gateway.look-up'](told, { attempt: 1, lastAttempt: false })
  harness.clock.advance(DAY_MS)
  await recover()
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null })
  expect(await listed()).toEqual([])
  const token = await buildSession(harness, fan.id, { reauthenticatedAt: harness.clock.now() })
  await remove({ ...fan, token })
  await erase()
  expect(await isErased(fan)).toBe(true)
})
