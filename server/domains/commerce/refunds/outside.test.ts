import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, planFault } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'

let harness: Harness
let creator: Person
let fan: Person
let operatorId: string
let mediaId: string
let transactionId: string
beforeAll(async () => {
  harness = await startHarness()
  operatorId = (await buildUser(harness, { role: 'finance' })).id
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  const body = { kind: 'single' as const, itemId: mediaId, ...(await cardToken(harness)) }
  const bought = (await harness.api.as(fan).call(routes.purchase, { body })) as { _id: string }
  transactionId = bought._id
})

const operator = () => reauthenticatedApi(harness, { id: operatorId })
const key = () => ({ idempotencyKey: crypto.randomUUID() })
const refund = async (amount: string) => {
  const body = { transactionId, amount, reason: 'The buyer asked for it' }
  return (await operator()).call(routes.refund, { body }, key())
}
const outside = async (document = 'WIRE-7') => {
  const body = { transactionId, document, reason: 'The card is closed, so we wired it' }
  return (await operator()).call(routes.refundOutside, { body }, key())
}
const payment = async () => (await operator()).call(routes.payment, { params: { transactionId } })
const isLocked = async () => (await harness.api.as(fan).call(routes.media, { params: { mediaId } })).locked
const share = async () => (await harness.api.as(creator).call(routes.balance, { query: {} })).pending

/** The gateway refuses whatever it is asked for meanwhile. */
async function whileRefusing(work: () => Promise<unknown>): Promise<void> {
  const forgive = await planFault(harness, {
    ...{ call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 },
  })
  try {
    await expect(work()).rejects.toMatchObject({ status: 402, code: 'refund_refused' })
  } finally {
    await forgive()
  }
}

test('what the gateway refuses to give back ends like any refund once it was given back another way', async () => {
  await expect(outside()).rejects.toMatchObject({ code: 'nothing_refused' })
  await whileRefusing(() => refund('$10'))
  expect([await isLocked(), await share()]).toEqual([false, '$8'])
  expect(await outside()).toMatchObject({ transactionId, status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({
    ...{ status: 'refunded', refunded: '$10', refundable: '$0', refunds: [{ status: 'refunded' }] },
  })
  expect([await isLocked(), await share()]).toEqual([true, '$0'])
  const [mail] = (await emailsTo(harness, fan.email)).filter(({ subject }) =>
    subject.includes('refund of $10'),
  )
  expect(mail?.text).toContain('Your card couldn’t be refunded, so we sent it another way.')
  const audit = await harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'detail'])
    .where('target_id', '=', transactionId)
    .where('action', '=', 'order.refunded-outside')
    .execute()
  expect(audit).toMatchObject([
    {
      actor_id: operatorId,
      detail: { cents: 1000, document: 'WIRE-7' },
      reason: expect.stringContaining('wired'),
    },
  ])
  await expect(outside()).rejects.toMatchObject({ code: 'nothing_refused' })
})

test('a part that was given back another way leaves the rest, of which no more can be given back', async () => {
  // Parts are refused before the settlement.
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside()
  expect(await payment()).toMatchObject({ status: 'captured', refunded: '$4', refundable: '$6' })
  expect([await isLocked(), await share()]).toEqual([false, '$4.80'])
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await expect(refund('$7')).rejects.toMatchObject({ code: 'refund_exceeds_payment' })
  expect(await refund('$6')).toMatchObject({ status: 'refunded' })
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10' })
})

test('two operators who record it at once record it once', async () => {
  await whileRefusing(() => refund('$10'))
  const attempts = await Promise.allSettled([outside('WIRE-8'), outside('WIRE-9')])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await payment()).toMatchObject({ refunded: '$10' })
})

test('what a bank has taken back is not recorded as given back', async () => {
  await whileRefusing(() => refund('$10'))
  const body = {
    ...{ transactionId, amount: '$10', fee: '$15', cause: 'fraud' as const },
    ...{ caseNumber: 'CB-1', reason: 'The bank’s letter' },
  }
  await (await operator()).call(routes.openDispute, { body }, key())
  await expect(outside()).rejects.toMatchObject({ code: 'not_refundable' })
  expect(await payment()).toMatchObject({ status: 'disputed', refunded: null })
})
