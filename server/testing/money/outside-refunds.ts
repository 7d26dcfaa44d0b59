import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { findBooks } from '../../domains/commerce/ledger/books/data.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../builders.ts'
import { cardToken, gatewayTransactions, planFault, TEST_CARDS } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { enterTransfer, recordOutside, sendOutside } from '../outside.ts'
import { refundPayment } from '../refunds.ts'
import { reauthenticatedApi } from '../security.ts'

export const run = { attempt: 1, lastAttempt: false }
export const DAY_MS = 24 * 3600 * 1000

type Entry = Omit<Parameters<typeof enterTransfer>[1], 'now'>

/** Refunds that the gateway refuses, and that an operator sends another way: of something of $10 that a fan bought, anew for each test. */
export function outsideRefunds() {
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    operatorId: '',
    /** What was bought, and its order. */
    ...{ mediaId: '', transactionId: '' },
  }
  beforeAll(async () => {
    scene.harness = await startHarness()
    scene.operatorId = (await buildUser(scene.harness, { role: 'finance' })).id
  })
  afterAll(() => scene.harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(scene.harness)
    scene.fan = await buildFan(scene.harness)
    scene.transactionId = await buy()
  })

  /** The fan buys something for $10; the order's number. */
  async function buy(): Promise<string> {
    scene.mediaId = await buildMedia(scene.harness, scene.creator, { showInStore: true, priceCents: 1000 })
    const body = { kind: 'single' as const, itemId: scene.mediaId, ...(await cardToken(scene.harness)) }
    const bought = (await scene.harness.api.as(scene.fan).call(routes.purchase, { body })) as { _id: string }
    return bought._id
  }

  const operator = () => reauthenticatedApi(scene.harness, { id: scene.operatorId })
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const refund = async (amount: string) =>
    refundPayment(await operator(), { transactionId: scene.transactionId, amount })
  const send = async (sending = true) => sendOutside(await operator(), scene.transactionId, sending)
  const record = async (document?: string) => recordOutside(await operator(), scene.transactionId, document)
  const outside = async (document?: string) => {
    await send()
    return record(document)
  }
  const payment = async () =>
    (await operator()).call(routes.payment, { params: { transactionId: scene.transactionId } })
  const isLocked = async () =>
    (await scene.harness.api.as(scene.fan).call(routes.media, { params: { mediaId: scene.mediaId } })).locked
  const share = async () =>
    (await scene.harness.api.as(scene.creator).call(routes.balance, { query: {} })).pending

  /** The gateway refuses whatever it is asked for meanwhile. */
  async function whileRefusing(work: () => Promise<unknown>): Promise<void> {
    const forgive = await planFault(scene.harness, {
      ...{ call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 },
    })
    try {
      await expect(work()).rejects.toMatchObject({ status: 402, code: 'refund_refused' })
    } finally {
      await forgive()
    }
  }

  const settle = () =>
    fetch(`${scene.harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

  /** The fan is charged for what can't be granted by then, and the gateway refuses to give that back. */
  async function chargeForNothing(): Promise<void> {
    const itemId = await buildMedia(scene.harness, scene.creator, { showInStore: true, priceCents: 1000 })
    const body = {
      kind: 'single' as const,
      itemId,
      ...(await cardToken(scene.harness, TEST_CARDS.resetAfter)),
    }
    const bought = (await scene.harness.api.as(scene.fan).call(routes.purchase, { body })) as { _id: string }
    scene.transactionId = bought._id
    const item = scene.harness.context.db.updateTable('media').where('id', '=', itemId)
    await item.set({ quarantined_at: scene.harness.clock.now() }).execute()
    await recoverRefused()
  }

  /** The gateway refuses what recovery asks it for. */
  async function recoverRefused(): Promise<void> {
    const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 }
    const forgive = await planFault(scene.harness, fault)
    await recover()
    await forgive()
  }

  async function recover(): Promise<void> {
    scene.harness.clock.advance(5 * 60_000)
    await scene.harness.server.jobs['purchases.recover']({}, run)
  }

  /** The attempt to pay, as the gateway knows it. */
  async function charge() {
    const { attempts } = await payment()
    const [attempt] = attempts
    if (!attempt?.gatewayTransactionId) throw new Error('nothing was charged')
    return { ...attempt, number: attempt.gatewayTransactionId }
  }

  /** Gives back by hand at the gateway; returns what has it tell of that. */
  async function refundUntold(amountCents: number): Promise<() => Promise<void>> {
    const { number } = await charge()
    const wanted = { transactionId: number, amountCents, lastFour: '1111', reference: 'by hand' }
    const made = await scene.harness.context.payments.refundCharge(wanted)
    if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
    const { transactionId: refunded } = made
    return async () => scene.harness.server.jobs['gateway.look-up']({ transactionId: refunded }, run)
  }
  const refundAtGateway = async (amountCents: number) => (await refundUntold(amountCents))()

  /** Of refunds made there the gateway lists none. */
  function listsNone(): void {
    const { context } = scene.harness
    const gateway = context.payments
    context.payments = { ...gateway, listRefunds: async () => ({ kind: 'listed', refundIds: [] }) }
    onTestFinished(() => {
      context.payments = gateway
    })
  }

  /** The gateway's refunds of the charge, in cents. */
  async function refundedAtGateway(): Promise<number[]> {
    const { number } = await charge()
    const transactions = await gatewayTransactions(scene.harness)
    return transactions
      .filter(({ refTransId }) => refTransId === number)
      .map(({ amountCents }) => amountCents)
  }

  /** Records that the bank took so much of it back; returns the dispute's id. */
  async function dispute(amount = '$10'): Promise<string> {
    const body = {
      ...{ transactionId: scene.transactionId, amount, fee: '$15', cause: 'fraud' as const },
      ...{ caseNumber: 'CB-1', reason: 'The bank’s letter' },
    }
    return (await (await operator()).call(routes.openDispute, { body }, key()))._id
  }
  const decide = async (disputeId: string, outcome: 'won' | 'lost') => {
    const body = { disputeId, outcome, reason: 'The bank’s decision' }
    await (await operator()).call(routes.decideDispute, { body })
  }
  /** Other tests leave their transfers out. */
  const othersThanTransfers = async () =>
    (await findBooks(scene.harness.context.db)).discrepancies.filter(
      ({ what }) => !what.startsWith('Refund made elsewhere'),
    )

  /** The books say that it was transferred. */
  async function transfer(
    document: string,
    amount: string,
    moved: Pick<Entry, 'from' | 'to'> = {},
  ): Promise<void> {
    const second = await reauthenticatedApi(
      scene.harness,
      await buildUser(scene.harness, { role: 'finance' }),
    )
    const entry = { document, amount, now: scene.harness.clock.now(), ...moved }
    await enterTransfer([await operator(), second], entry)
  }

  return Object.assign(scene, {
    buy,
    operator,
    key,
    refund,
    send,
    record,
    outside,
    payment,
    isLocked,
    share,
    whileRefusing,
    settle,
    chargeForNothing,
    recoverRefused,
    recover,
    charge,
    refundUntold,
    refundAtGateway,
    listsNone,
    refundedAtGateway,
    dispute,
    decide,
    othersThanTransfers,
    transfer,
  })
}
