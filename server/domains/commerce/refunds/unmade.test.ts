import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { planFault } from '../../../testing/gateway.ts'
import { DAY_MS, EXCEEDS, GONE, HOUR_MS, refunds } from '../../../testing/money/refunds.ts'
import { sendOutside } from '../../../testing/outside.ts'

const scene = refunds()
const { buySettled, refund, refundAtGateway, tell, findingsOf, traces, settle, resolves } = scene
const { operator, refuse, sendElsewhere, gatewayDoes, callsVoided } = scene
const { chargeForNothing, recoverAll, paymentOf } = scene

/** The gateway's number of the refund that was made of an order. */
const numberOf = async (orderId: string) => String((await traces(orderId)).refunded[0]?.[1])
const voidThere = async (number: string) =>
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })

const compareNow = () => scene.harness.server.jobs['payments.compare']({}, { attempt: 1, lastAttempt: false })

/** The next batch is settled and compared, and what differs looked up. */
async function compare(): Promise<void> {
  await settle()
  scene.harness.clock.advance(2 * HOUR_MS)
  await compareNow()
  await scene.harness.runJobs()
}

test('our own refund that the gateway calls voided is a finding, until the gateway makes it after all', async () => {
  const orderId = await buySettled()
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  const number = await numberOf(orderId)
  await tell(number)
  expect(await findingsOf(number)).toEqual([])
  const putRight = callsVoided()
  for (let times = 0; times < 2; times++) await tell(number)
  expect(await findingsOf(number)).toMatchObject([
    { kind: 'refund_not_made', transactionId: orderId, amount: '$10' },
  ])
  // The buyer was told of it, so that an operator has to see that they get it.
  expect(await traces(orderId)).toMatchObject(GONE)
  putRight()
  await tell(number)
  expect(await findingsOf(number)).toEqual([])
})

test('one that nobody told of is found by its batch, and explains it once an operator has resolved it', async () => {
  const orderId = await buySettled()
  await compare()
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  const number = await numberOf(orderId)
  await voidThere(number)
  await buySettled()
  await compare()
  expect(await findingsOf(number)).toMatchObject([{ kind: 'refund_not_made', amount: '$4' }])
  scene.harness.clock.advance(6 * DAY_MS)
  await compareNow()
  expect(await findingsOf(number)).toHaveLength(1)
  await resolves(number, 'Sent by hand')
  await compareNow()
  const open = await scene.harness.context.db
    .selectFrom('findings')
    .select('kind')
    .where('resolved_at', 'is', null)
    .execute()
  expect(open).toEqual([])
  await tell(number)
  expect(await findingsOf(number)).toEqual([])
})

test('a refund that was made at the gateway, recorded, and voided there then is a finding', async () => {
  const orderId = await buySettled()
  const [first, second] = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 700)]
  for (const made of [first, second]) await tell(made)
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toEqual({ ...GONE, refunded: [[1000, first]] })
  await voidThere(second)
  await tell(second)
  expect(await findingsOf(second)).toMatchObject([
    { kind: 'refund_not_made', transactionId: orderId, amount: '$7' },
  ])
})

test.each(['resolves it', 'takes it over'])(
  'a refund that the gateway made after an operator %s as one that wasn’t made is a finding',
  async (what) => {
    const orderId = await buySettled()
    expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
    const number = await numberOf(orderId)
    const putRight = callsVoided()
    await tell(number)
    if (what === 'resolves it') await resolves(number, 'Sent by hand')
    else {
      const [finding] = await findingsOf(number)
      await (await operator()).call(routes.takeFinding, { body: { findingId: finding?._id ?? '' } })
    }
    putRight()
    for (let times = 0; times < 2; times++) await tell(number)
    const found = [{ kind: 'refund_made_after_all', transactionId: orderId, amount: '$10' }]
    expect(await findingsOf(number)).toMatchObject(found)
    // Voided once more, it isn't.
    const again = callsVoided()
    await tell(number)
    expect(await findingsOf(number)).toMatchObject([{ kind: 'refund_not_made' }])
    await resolves(number, 'Sent by hand')
    again()
    await tell(number)
    expect(await findingsOf(number)).toMatchObject(found)
    await resolves(number, 'They sent it back')
    await tell(number)
    expect(await findingsOf(number)).toEqual([])
  },
)

test('one that is settled after an operator took care of it is found by its batch', async () => {
  const orderId = await buySettled()
  await compare()
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  const number = await numberOf(orderId)
  const putRight = callsVoided()
  await tell(number)
  await resolves(number, 'Sent by hand')
  putRight()
  await compare()
  expect(await findingsOf(number)).toMatchObject([{ kind: 'refund_made_after_all', amount: '$4' }])
})

test('of several that are recorded as one, each that is voided there is a finding', async () => {
  const orderId = await buySettled()
  const made = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 700)]
  for (const one of made) await tell(one)
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  for (const [at, one] of made.entries()) {
    await voidThere(one)
    await tell(one)
    const amount = at === 0 ? '$3' : '$7'
    expect(await findingsOf(one)).toMatchObject([{ kind: 'refund_not_made', amount }])
  }
})

test('of several that are recorded as one, the others count as recorded once the first is voided there', async () => {
  const orderId = await buySettled()
  const [first, second] = [await refundAtGateway(orderId, 200), await refundAtGateway(orderId, 300)]
  for (const one of [first, second]) await tell(one)
  const putRight = gatewayDoes(() => ({ refundCharge: async () => ({ kind: 'exceeded' }) }))
  expect(await refund(orderId, '$5')).toMatchObject({ status: 200 })
  putRight()
  // Told of it twice, and voided then, it is still one.
  const again = callsVoided()
  await tell(first)
  again()
  await tell(first)
  await voidThere(first)
  await tell(first)
  await refuse(orderId, '$5')
  expect(await sendOutside(await operator(), orderId)).toMatchObject({ amount: '$5' })
})

test('a part of a charge that granted nothing, of which the rest was refunded, is a finding once it is voided there', async () => {
  const { payments } = scene.harness.context
  const orderId = await chargeForNothing()
  const forgive = await planFault(scene.harness, {
    ...{ call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 },
  })
  scene.harness.clock.advance(HOUR_MS)
  await recoverAll()
  await forgive()
  const transactionId = String((await paymentOf(orderId)).gateway_transaction_id)
  const made = async (amountCents: number) => {
    const wanted = {
      transactionId,
      amountCents,
      lastFour: '1111',
      reference: crypto.randomUUID().slice(0, 20),
    }
    const answer = await payments.refundCharge(wanted)
    return answer.kind === 'refunded' ? answer.transactionId : answer.kind
  }
  const [part, other] = [await made(400), await made(100)]
  await tell(part)
  await voidThere(other)
  scene.harness.clock.advance(HOUR_MS)
  await recoverAll()
  expect(await paymentOf(orderId)).toMatchObject({ status: 'refunded' })
  for (const number of [part, other]) {
    if (number === part) await voidThere(part)
    await tell(number)
  }
  expect(await findingsOf(part)).toMatchObject([
    { kind: 'refund_not_made', transactionId: orderId, amount: '$4' },
  ])
  expect(await findingsOf(other)).toEqual([])
  // Made after all, and voided once more, it is one again.
  const shows = gatewayDoes((gateway) => ({
    async findTransaction(wanted) {
      const found = await gateway.findTransaction(wanted)
      return found.kind === 'found' ? { ...found, is: 'refund' } : found
    },
  }))
  await tell(part)
  expect(await findingsOf(part)).toMatchObject([{ kind: 'unknown_refund' }])
  shows()
  await tell(part)
  expect(await findingsOf(part)).toMatchObject([{ kind: 'refund_not_made', amount: '$4' }])
})

test('one that is voided there while it is asked for here isn’t recorded as made', async () => {
  const orderId = await buySettled()
  const [first, second] = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 700)]
  for (const made of [first, second]) await tell(made)
  gatewayDoes((gateway) => ({
    async refundCharge(wanted) {
      const answer = await gateway.refundCharge(wanted)
      await voidThere(second)
      await tell(second)
      return answer
    },
  }))
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
})

test('what was made at the gateway and voided there was never made, whether it told of that or not', async () => {
  for (const isTold of [true, false]) {
    const orderId = await buySettled()
    const made = await refundAtGateway(orderId, 400)
    await tell(made)
    await voidThere(made)
    if (isTold) await tell(made)
    await sendElsewhere(orderId, '$6')
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
    const { refunded, ...rest } = await traces(orderId)
    expect(rest).toEqual(GONE)
    expect(refunded).toEqual([
      [600, expect.stringMatching(/^outside/)],
      [400, expect.not.stringMatching(made)],
    ])
    expect(await findingsOf(made)).toEqual([])
  }
})

test('what was voided there, and isn’t known otherwise, is no finding', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  await voidThere(made)
  await tell(made)
  expect(await findingsOf(made)).toEqual([])
  await refuse(orderId, '$10')
  expect(await sendOutside(await operator(), orderId)).toMatchObject({ amount: '$10' })
})

test('a refund that the gateway called voided is a finding again once it is settled after all', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  await tell(made)
  await resolves(made, 'By mistake')
  const putRight = callsVoided()
  await tell(made)
  putRight()
  await compare()
  expect(await findingsOf(made)).toMatchObject([
    { kind: 'unknown_refund', transactionId: orderId, amount: '$4' },
  ])
})

test('one that was made there and ours that was voided, of the same amount, don’t hide each other in a batch', async () => {
  const [ours, other] = [await buySettled(), await buySettled()]
  await compare()
  expect(await refund(ours, '$4')).toMatchObject({ status: 200 })
  const number = await numberOf(ours)
  await voidThere(number)
  const made = await refundAtGateway(other, 400)
  await compare()
  expect(await findingsOf(number)).toMatchObject([{ kind: 'refund_not_made', transactionId: ours }])
  expect(await findingsOf(made)).toMatchObject([{ kind: 'unknown_refund', transactionId: other }])
})
