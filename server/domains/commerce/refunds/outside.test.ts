import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { gatewayTransactions } from '../../../testing/gateway.ts'
import { DAY_MS, outsideRefunds, run } from '../../../testing/money/outside-refunds.ts'
import { refusedRefund } from '../../../testing/outside.ts'
import { askedOf } from '../../../testing/refunds.ts'
import { emailsTo } from '../../../testing/security.ts'

const scene = outsideRefunds()
const {
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
  charge,
  dispute,
  decide,
  othersThanTransfers,
} = scene

test('what the gateway refuses to give back ends like any refund once it was given back another way', async () => {
  expect(await payment()).toMatchObject({ outside: null })
  await whileRefusing(() => refund('$10'))
  expect([await isLocked(), await share()]).toEqual([false, '$8'])
  expect(await outside()).toMatchObject({
    transactionId: scene.transactionId,
    status: 'refunded',
    amount: '$10',
  })
  expect(await payment()).toMatchObject({
    ...{ status: 'refunded', refunded: '$10', refundable: '$0', refunds: [{ status: 'refunded' }] },
  })
  expect([await isLocked(), await share()]).toEqual([true, '$0'])
  const [mail] = (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) =>
    subject.includes('refund of $10'),
  )
  expect(mail?.text).toContain('Your card couldn’t be refunded, so we sent it another way.')
  const audit = await scene.harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'detail'])
    .where('target_id', '=', scene.transactionId)
    .where('action', '=', 'order.refunded-outside')
    .execute()
  expect(audit).toMatchObject([
    {
      actor_id: scene.operatorId,
      detail: { cents: 1000, document: 'WIRE-7' },
      reason: expect.stringContaining('wired'),
    },
  ])
  expect(await payment()).toMatchObject({ outside: null, refunds: [{ document: 'WIRE-7' }] })
})

test('a refund that was refused says so again under its key once it was given back another way', async () => {
  const asked = { transactionId: scene.transactionId, amount: '$4' }
  const body = await askedOf(await operator(), asked)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  // Parts are refused before the settlement.
  const first = await (await operator()).send('POST', '/admin/refund', { body, headers })
  expect(first).toMatchObject({ status: 402, body: { code: 'refund_refused' } })
  await outside()
  const again = await (await operator()).send('POST', '/admin/refund', { body, headers })
  expect([again.status, again.body]).toEqual([first.status, first.body])
  const other = { body: { ...body, amount: '$5' }, headers }
  expect(await (await operator()).send('POST', '/admin/refund', other)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(await payment()).toMatchObject({ status: 'captured', refunded: '$4', refundable: '$6' })
})

test('a part that was given back another way leaves the rest, of which no more can be given back', async () => {
  // Parts are refused before the settlement.
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside()
  expect(await payment()).toMatchObject({ status: 'captured', refunded: '$4', refundable: '$6' })
  expect([await isLocked(), await share()]).toEqual([false, '$4.80'])
  await settle()
  await expect(refund('$7')).rejects.toMatchObject({ code: 'refund_exceeds_payment' })
  expect(await refund('$6')).toMatchObject({ status: 'refunded' })
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10' })
})

test('what is on its way of a payment stays in sight when the gateway voids that meanwhile', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const { number } = await charge()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await scene.harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  expect((await payment()).outside).toMatchObject({
    amount: '$10',
    sending: { by: { _id: scene.operatorId } },
  })
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === scene.transactionId)).toMatchObject([
    { kind: 'payment_without_charge', gatewayTransactionId: number },
  ])
  // It wasn't sent: it is refunded here, as the finding says.
  await send(false)
  expect(await refund('$10')).toMatchObject({ status: 'voided' })
  await scene.harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  expect(await payment()).toMatchObject({ status: 'voided', refunded: '$10', outside: null })
  expect(await othersThanTransfers()).toEqual([])
})

test('that the gateway voided what was sent another way stays a finding once that is recorded', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const { number } = await charge()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await scene.harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  await record(`Wire ${crypto.randomUUID()}`)
  scene.harness.clock.advance(2 * 60 * 60_000)
  await scene.harness.server.jobs['payments.compare']({}, run)
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === scene.transactionId)).toMatchObject([
    { kind: 'payment_without_charge', gatewayTransactionId: number },
  ])
})

test('so it does when the refund shows up after all, which is as if somebody had made it there', async () => {
  await settle()
  const { context } = scene.harness
  const gateway = context.payments
  context.payments = {
    ...gateway,
    async refundCharge(wanted) {
      await gateway.refundCharge(wanted)
      return { kind: 'unavailable', detail: 'the answer was lost' }
    },
    lookupRefund: async () => ({ kind: 'absent' }),
  }
  expect(await refund('$10')).toMatchObject({ status: 'unknown' })
  for (let minute = 0; minute < 20; minute++) {
    scene.harness.clock.advance(60_000)
    await scene.harness.server.jobs['refunds.recover']({}, run)
  }
  scene.harness.clock.advance(3 * DAY_MS)
  await send()
  context.payments = gateway
  const { number } = await charge()
  const made = (await gatewayTransactions(scene.harness)).find(({ refTransId }) => refTransId === number)
  const late = () => scene.harness.server.jobs['gateway.look-up']({ transactionId: made?.transId ?? '' }, run)
  await late()
  expect((await payment()).outside).toMatchObject({
    amount: '$10',
    sending: { by: { _id: scene.operatorId } },
  })
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === scene.transactionId)).toMatchObject([
    { kind: 'unknown_refund', amount: '$10', gatewayTransactionId: made?.transId },
  ])
  const document = `Wire ${crypto.randomUUID()}`
  expect(await record(document)).toMatchObject({ status: 'refunded', amount: '$10' })
  await late()
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10', refunds: [{ document }] })
  expect(await othersThanTransfers()).toEqual([])
})

test('two operators who record it at once record it once', async () => {
  await whileRefusing(() => refund('$10'))
  const begun = await Promise.allSettled([send(), send()])
  expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const attempts = await Promise.allSettled([record('WIRE-8'), record('WIRE-9')])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await payment()).toMatchObject({ refunded: '$10' })
})

test('what a bank has taken back isn’t sent another way from then on', async () => {
  await whileRefusing(() => refund('$10'))
  const refundId = await refusedRefund(await operator(), scene.transactionId)
  await dispute()
  const body = { transactionId: scene.transactionId, refundId, sending: true, reason: 'The card is closed' }
  const sending = (await operator()).call(routes.sendOutside, { body })
  await expect(sending).rejects.toMatchObject({ code: 'not_refundable' })
  expect(await payment()).toMatchObject({ status: 'disputed', outside: null })
})

test('what was on its way when a bank took the same money is recorded, and is the platform’s loss', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const disputeId = await dispute()
  expect((await payment()).outside).toMatchObject({
    amount: '$10',
    sending: { by: { _id: scene.operatorId } },
  })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === scene.transactionId)).toMatchObject([
    { status: 'refund_outside', amount: '$10' },
  ])
  expect(await record()).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({ status: 'disputed', refunded: '$10', outside: null })
  const { sections } = await (await operator()).call(routes.disputeEvidence, { params: { disputeId } })
  const facts = sections.flatMap((section) => section.facts.map(({ value }) => value))
  expect(facts).toContainEqual(expect.stringMatching(/^\$10, refunded, .*document number WIRE-7$/))
  expect(await othersThanTransfers()).toEqual([])
  await decide(disputeId, 'won')
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10' })
  expect(await othersThanTransfers()).toEqual([])
  expect(await share()).toBe('$0')
})

test('a bank reads of what was sent, and not of what was made at the gateway itself before', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const disputeId = await dispute()
  const sent = scene.harness.context.db.updateTable('refunds').where('order_id', '=', scene.transactionId)
  await sent.set({ made_cents: 300 }).execute()
  await record()
  const { sections } = await (await operator()).call(routes.disputeEvidence, { params: { disputeId } })
  const facts = sections.flatMap((section) => section.facts.map(({ value }) => value))
  expect(facts).toContainEqual(expect.stringMatching(/^\$7, refunded, .*document number WIRE-7$/))
  await decide(disputeId, 'won')
})

test.each(['$4', '$10'])('so it is once the bank has kept %s', async (amount) => {
  await whileRefusing(() => refund('$10'))
  await send()
  await decide(await dispute(amount), 'lost')
  expect(await record()).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({ refunded: '$10', refundable: '$0', outside: null })
  expect(await othersThanTransfers()).toEqual([])
})

test('what is sent another way isn’t refunded at the gateway, until that is taken back', async () => {
  await whileRefusing(() => refund('$10'))
  const refundId = await refusedRefund(await operator(), scene.transactionId)
  const body = { transactionId: scene.transactionId, refundId, document: 'WIRE-7', reason: 'We wired it' }
  const early = (await operator()).call(routes.refundOutside, { body }, key())
  await expect(early).rejects.toMatchObject({ status: 409, code: 'outside_not_started' })
  await send()
  await expect(send()).rejects.toMatchObject({ code: 'refund_outside' })
  await expect(refund('$10')).rejects.toMatchObject({ status: 409, code: 'refund_outside' })
  expect((await payment()).outside).toMatchObject({
    refundId,
    amount: '$10',
    sending: { by: { _id: scene.operatorId } },
  })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === scene.transactionId)).toMatchObject([
    { status: 'refund_outside', amount: '$10' },
  ])
  await send(false)
  await expect(send(false)).rejects.toMatchObject({ code: 'refund_changed' })
  expect((await payment()).outside).toMatchObject({ sending: null })
  expect(await refund('$10')).toMatchObject({ status: 'voided' })
  expect(await payment()).toMatchObject({ refunded: '$10', outside: null })
})

test('a page that shows an older refund records nothing', async () => {
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  const shown = await refusedRefund(await operator(), scene.transactionId)
  await expect(refund('$6')).rejects.toMatchObject({ code: 'refund_refused' })
  await send()
  const body = { transactionId: scene.transactionId, refundId: shown, reason: 'We wired it' }
  const changed = { status: 409, code: 'refund_changed' }
  const begin = (await operator()).call(routes.sendOutside, { body: { ...body, sending: true } })
  await expect(begin).rejects.toMatchObject(changed)
  const stale = (await operator()).call(
    routes.refundOutside,
    { body: { ...body, document: 'WIRE-7' } },
    key(),
  )
  await expect(stale).rejects.toMatchObject(changed)
  expect(await payment()).toMatchObject({ refunded: null })
  expect(await record()).toMatchObject({ amount: '$6' })
})
