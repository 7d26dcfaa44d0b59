import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { findBooks } from '../../domains/commerce/ledger/books/data.ts'
import type { Payments } from '../../ports/payments/port.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../builders.ts'
import { cardToken, gatewayThatIsDown, gatewayTransactions, planFault, TEST_CARDS } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { enterTransfer, refundAtGateway as madeAtGateway, recordOutside, sendOutside } from '../outside.ts'
import { buildItem } from '../purchases.ts'
import { askedOf } from '../refunds.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The trace of an order of which nothing was given back, of one that was given back, and the refusal of too much. */
export const KEPT = { payment: 'captured', access: 1, refunded: [], discrepancies: [] }
export const GONE = { payment: 'refunded', access: 0, discrepancies: [] }
export const EXCEEDS = { status: 409, code: 'refund_exceeds_payment' }

const run = { attempt: 1, lastAttempt: false }

/** Refunds of what a fan bought of a creator, here, at the gateway, and another way: both anew for each test. */
export function refunds() {
  let harness: Harness
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    /** What happens before what came of a refund is committed. */
    beforeCommit: null as (() => Promise<void>) | null,
  }
  beforeAll(async () => {
    harness = await startHarness({
      checkpoint: async (name) => {
        if (name === 'refund.before-record-commit') await scene.beforeCommit?.()
      },
    })
    scene.harness = harness
  })
  afterAll(() => harness?.stop())
  beforeEach(async () => {
    scene.beforeCommit = null
    scene.creator = await buildCreator(harness)
    scene.fan = await buildFan(harness)
  })

  async function operator() {
    const { id } = await buildUser(harness, { role: 'finance' })
    const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
    return harness.api.as({ token })
  }

  const admin = (path: string) =>
    fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin${path}`, { method: 'POST' })
  const settle = () => admin('/settle')

  /** Something of $10 that the fan bought, settled at the gateway. */
  const buySettled = async (): Promise<string> => (await buy(TEST_CARDS.approved)).orderId

  async function buy(card: { cardNumber: string; cardCode: string }) {
    const itemId = await buildItem(harness, scene.creator, 'single', 1000)
    const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
    const { body: purchase } = await harness.api.as(scene.fan).send('POST', '/users/purchase', { body })
    await settle()
    return { itemId, orderId: (purchase as { _id: string })._id }
  }

  /** A settled charge of $10 that can't grant anything, as its item was taken down; its order. */
  async function chargeForNothing(): Promise<string> {
    const { itemId, orderId } = await buy(TEST_CARDS.resetAfter)
    const item = harness.context.db.updateTable('media').where('id', '=', itemId)
    await item.set({ quarantined_at: harness.clock.now() }).execute()
    return orderId
  }

  /** What recovers charges and refunds runs. */
  async function recoverAll(): Promise<void> {
    await harness.server.jobs['purchases.recover']({}, run)
    await recover()
  }

  const refundAtGateway = (orderId: string, cents: number) => madeAtGateway(harness, orderId, cents)
  const tell = (transactionId: string) => harness.server.jobs['gateway.look-up']({ transactionId }, run)
  const recover = () => harness.server.jobs['refunds.recover']({}, run)

  async function refund(orderId: string, amount: string) {
    const by = await operator()
    const body = await askedOf(by, { transactionId: orderId, amount })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await by.send('POST', '/admin/refund', { body, headers })
    return { ...(answer.body as { code?: string }), status: answer.status }
  }

  const paymentOf = (orderId: string) =>
    harness.context.db
      .selectFrom('payments')
      .select(['status', 'gateway_transaction_id'])
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()

  /** How an order stands, with the gateway's numbers of what was given back of it. */
  async function traces(orderId: string) {
    const { db } = harness.context
    const made = await db
      .selectFrom('refunds')
      .select(['amount_cents', 'gateway_transaction_id'])
      .where('order_id', '=', orderId)
      .where('status', '=', 'refunded')
      .orderBy('id')
      .execute()
    const access = await db
      .selectFrom('entitlements')
      .select('id')
      .where('source_id', '=', orderId)
      .where('revoked_at', 'is', null)
      .execute()
    return {
      payment: (await paymentOf(orderId)).status,
      access: access.length,
      refunded: made.map(({ amount_cents, gateway_transaction_id }) => [
        amount_cents,
        gateway_transaction_id,
      ]),
      discrepancies: (await findBooks(db)).discrepancies,
    }
  }

  /** The open differences under this number of the gateway's. */
  async function findingsOf(number: string) {
    const { items } = await (await operator()).call(routes.findings, {})
    return items.filter(({ gatewayTransactionId }) => gatewayTransactionId === number)
  }

  /** An operator explains the difference under this number of the gateway's. */
  async function resolves(number: string, reason: string): Promise<void> {
    const [finding] = await findingsOf(number)
    const body = { findingId: finding?._id ?? '', reason }
    await (await operator()).call(routes.resolveFinding, { body })
  }

  /** Asks for a refund that the gateway refuses. */
  async function refuse(orderId: string, amount: string): Promise<void> {
    const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 }
    const forgive = await planFault(harness, fault)
    expect(await refund(orderId, amount)).toMatchObject({ code: 'refund_refused' })
    await forgive()
  }

  /** Sends another way what the gateway refuses, and enters its transfer. */
  async function sendElsewhere(
    orderId: string,
    amount: string,
    document: string = crypto.randomUUID(),
  ): Promise<void> {
    await refuse(orderId, amount)
    await sendOutside(await operator(), orderId)
    await recordOutside(await operator(), orderId, document)
    await enterTransfer([await operator(), await operator()], { document, amount, now: harness.clock.now() })
  }

  /** What the gateway has as refunds of an order's charge. */
  async function refundsThere(orderId: string) {
    const { gateway_transaction_id: charge } = await paymentOf(orderId)
    return (await gatewayTransactions(harness)).filter(({ refTransId }) => refTransId === charge)
  }

  /** What the gateway gave back of an order's charge, in cents, the least first. */
  async function givenBackThere(orderId: string): Promise<number[]> {
    const there = await refundsThere(orderId)
    return there.map(({ amountCents }) => amountCents).toSorted((one, other) => one - other)
  }

  /** The gateway does this otherwise, until it is put right or the test ends. */
  function gatewayDoes(otherwise: (gateway: Payments) => Partial<Payments>): () => void {
    const { context } = harness
    const gateway = context.payments
    context.payments = { ...gateway, ...otherwise(gateway) }
    const putRight = () => {
      context.payments = gateway
    }
    onTestFinished(putRight)
    return putRight
  }

  /** The gateway calls every refund voided. */
  const callsVoided = () =>
    gatewayDoes((gateway) => ({
      async findTransaction(wanted) {
        const found = await gateway.findTransaction(wanted)
        return found.kind === 'found' ? { ...found, is: 'unmade refund' } : found
      },
    }))

  /** The gateway doesn't show what it made of what it was asked for. */
  const showsNone = () => gatewayDoes(() => ({ lookupRefund: async () => ({ kind: 'absent' }) }))

  /** The gateway makes refunds without an answer. */
  const answersNone = () =>
    gatewayDoes((gateway) => ({
      async refundCharge(wanted) {
        const answer = await gateway.refundCharge(wanted)
        return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
      },
    }))

  /** The gateway doesn't list refunds. */
  const listsNoRefunds = () => gatewayDoes(() => ({ listRefunds: gatewayThatIsDown(harness).listRefunds }))

  /** Asks for a refund that the gateway makes, but neither answers nor shows for minutes, up to what happens meanwhile. */
  async function refundUnseen(
    orderId: string,
    {
      amount = '$10',
      minutes = 20,
      meanwhile = async () => {},
    }: { amount?: string; minutes?: number; meanwhile?: () => Promise<void> } = {},
  ): Promise<void> {
    const putRight = answersNone()
    showsNone()
    expect(await refund(orderId, amount)).toMatchObject({ status: 202 })
    for (let minute = 0; minute < minutes; minute++) {
      harness.clock.advance(MINUTE_MS)
      await recover()
    }
    await meanwhile()
    putRight()
  }

  /** Goes on to when the gateway shows what it made. */
  async function showRefunds(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      harness.clock.advance(MINUTE_MS)
      await recover()
    }
  }

  return Object.assign(scene, {
    ...{ operator, admin, settle, buySettled, refundAtGateway, tell, recover, refund, paymentOf, traces },
    ...{ findingsOf, resolves, refuse, sendElsewhere, givenBackThere, gatewayDoes, listsNoRefunds },
    ...{
      refundUnseen,
      showRefunds,
      chargeForNothing,
      recoverAll,
      refundsThere,
      callsVoided,
      showsNone,
      answersNone,
    },
  })
}
