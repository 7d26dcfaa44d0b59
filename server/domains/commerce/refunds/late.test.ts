import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DAY_MS, EXCEEDS, GONE, KEPT, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { enterTransfer, recordOutside, sendOutside } from '../../../testing/outside.ts'
import { violations } from '../../../testing/year/accounts.ts'
import { findBooks } from '../ledger/books/data.ts'

const scene = refunds()
const {
  operator,
  buySettled,
  refundAtGateway,
  tell,
  recover,
  refund,
  paymentOf,
  traces,
  gatewayDoes,
  refundUnseen,
  showRefunds,
  refuse,
  sendElsewhere,
  refundsThere,
  findingsOf,
  chargeForNothing,
  recoverAll,
  showsNone,
  callsVoided,
  answersNone,
  givenBackThere,
} = scene

/** The platform's loss by disputes, in cents. */
async function losses(): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(postings.amount_cents), 0)::int as cents from postings
      join ledger_accounts as account on account.id = account_id where account.kind = 'dispute_losses'`.execute(
    scene.harness.context.db,
  )
  return rows[0]?.cents ?? 0
}

/** Records that a bank took all of it back; returns the dispute's id. */
async function dispute(orderId: string): Promise<string> {
  const facts = { amount: '$10', fee: '$15', cause: 'fraud', caseNumber: orderId } as const
  const body = { transactionId: orderId, ...facts, reason: 'The bank’s letter' }
  const key = { idempotencyKey: crypto.randomUUID() }
  return (await (await operator()).call(routes.openDispute, { body }, key))._id
}

/** Sends another way what the gateway refused or didn't make, and enters its transfer. */
async function sendsNow(orderId: string, amount: string): Promise<void> {
  const document = crypto.randomUUID()
  await sendOutside(await operator(), orderId)
  await recordOutside(await operator(), orderId, document)
  await enterTransfer([await operator(), await operator()], {
    document,
    amount,
    now: scene.harness.clock.now(),
  })
}

test('a refund that shows up late is the one that was made, however often it was asked for meanwhile', async () => {
  const { db } = scene.harness.context
  const orderId = await buySettled()
  await refundUnseen(orderId, {
    meanwhile: async () => {
      expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
      expect(await traces(orderId)).toEqual(KEPT)
    },
  })
  scene.harness.clock.advance(MINUTE_MS)
  await recover()
  const { gateway_transaction_id: charge } = await paymentOf(orderId)
  expect(await traces(orderId)).toEqual({
    ...GONE,
    refunded: [[1000, expect.not.stringMatching(charge ?? '')]],
  })
  const statuses = await db
    .selectFrom('refunds')
    .select('status')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  expect(statuses).toEqual([{ status: 'refunded' }, { status: 'refused' }])
})

test('what was made there is told of while one that shows up late, and is sent another way, is being recorded', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  scene.harness.clock.advance(3 * DAY_MS)
  // It says once more that it made none.
  const putRight = showsNone()
  await sendOutside(await operator(), orderId)
  putRight()
  const [late] = await refundsThere(orderId)
  const made = await refundAtGateway(orderId, 300)
  scene.beforeCommit = async () => {
    scene.beforeCommit = null
    await tell(made)
  }
  await tell(late?.transId ?? '')
  const { items } = await (await operator()).call(routes.findings, {})
  const found = items.filter(({ transactionId }) => transactionId === orderId)
  expect(found.map(({ amount }) => amount).toSorted()).toEqual(['$3', '$4'])
})

test.each([
  { made: '$4', sent: '$10' },
  { made: '$10', sent: '$7' },
])('$made that shows up once $sent was sent another way is a finding', async ({ made, sent }) => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: made })
  scene.harness.clock.advance(3 * DAY_MS)
  const putRight = showsNone()
  await sendElsewhere(orderId, sent)
  putRight()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  for (let times = 0; times < 2; times++) await tell(number)
  expect(await findingsOf(number)).toMatchObject([
    { kind: 'unknown_refund', transactionId: orderId, amount: made },
  ])
  expect((await traces(orderId)).discrepancies).toEqual([])
})

test('one that shows up once too little is left, and is voided there then, leaves the rest to be refunded', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  scene.harness.clock.advance(3 * DAY_MS)
  const putRight = showsNone()
  await sendElsewhere(orderId, '$7')
  putRight()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  await tell(number)
  expect(await findingsOf(number)).toMatchObject([{ kind: 'unknown_refund', amount: '$4' }])
  callsVoided()
  showsNone()
  await tell(number)
  expect(await findingsOf(number)).toEqual([])
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  expect((await traces(orderId)).discrepancies).toEqual([])
})

test('one that shows up while another one is on its way, beside which nothing is left for it, is a finding', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  scene.harness.clock.advance(3 * DAY_MS)
  const shows = showsNone()
  await refuse(orderId, '$7')
  await sendOutside(await operator(), orderId)
  shows()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  await tell(number)
  expect(await findingsOf(number)).toMatchObject([{ kind: 'unknown_refund', amount: '$4' }])
  const document = crypto.randomUUID()
  expect(await recordOutside(await operator(), orderId, document)).toMatchObject({ amount: '$7' })
  const moved = { document, amount: '$7', now: scene.harness.clock.now() }
  await enterTransfer([await operator(), await operator()], moved)
  expect((await traces(orderId)).discrepancies).toEqual([])
})

test('one that shows up while another one is made, beside which nothing is left for it, is a finding', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  scene.harness.clock.advance(3 * DAY_MS)
  const shows = showsNone()
  await sendElsewhere(orderId, '$5')
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  gatewayDoes((gateway) => ({
    async refundCharge(wanted) {
      shows()
      await tell(number)
      expect(await refund(orderId, '$1')).toMatchObject({ code: 'refund_in_progress' })
      return gateway.refundCharge(wanted)
    },
  }))
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  expect(await findingsOf(number)).toMatchObject([{ kind: 'unknown_refund', amount: '$4' }])
  expect((await traces(orderId)).discrepancies).toEqual([])
})

test('the refund of a charge that granted nothing ends under the number that it shows up by, once it isn’t sent another way', async () => {
  const orderId = await chargeForNothing()
  answersNone()
  const shows = showsNone()
  for (let minute = 0; minute < 20; minute++) {
    scene.harness.clock.advance(MINUTE_MS)
    await recoverAll()
  }
  scene.harness.clock.advance(3 * DAY_MS)
  await sendOutside(await operator(), orderId)
  shows()
  const [late] = await refundsThere(orderId)
  await tell(late?.transId ?? '')
  await sendOutside(await operator(), orderId, false)
  expect((await traces(orderId)).refunded).toEqual([[1000, late?.transId]])
})

test('a refund that shows up once a bank took the same money is booked as the platform’s loss', async () => {
  const { db } = scene.harness.context
  const orderId = await buySettled()
  await refundUnseen(orderId)
  const disputeId = await dispute(orderId)
  const before = await losses()
  await showRefunds()
  expect(await losses()).toBe(before + 1000)
  const refunds = await db.selectFrom('refunds').select('status').where('order_id', '=', orderId).execute()
  expect(refunds).toEqual([{ status: 'refunded' }])
  const decision = { disputeId, outcome: 'lost' as const, reason: 'The bank’s decision' }
  await (await operator()).call(routes.decideDispute, { body: decision })
  expect(await losses()).toBe(before + 1000)
  expect((await findBooks(db)).discrepancies).toEqual([])
})

test.each([
  { part: 'all', amount: '$10', left: { payment: 'refunded', access: 0 }, pending: '$0', share: '$8' },
  {
    part: 'a part',
    amount: '$4',
    left: { payment: 'captured', access: 1 },
    pending: '$4.80',
    share: '$3.20',
  },
])(
  'once the dispute is won, such a refund of $part was given back once, as any other',
  async ({ amount, left, pending, share }) => {
    const orderId = await buySettled()
    const before = await losses()
    await refundUnseen(orderId, { amount })
    const disputeId = await dispute(orderId)
    await showRefunds()
    const balance = async () => {
      const { pending, reserved } = await scene.harness.api
        .as(scene.creator)
        .call(routes.balance, { query: {} })
      return { pending, reserved }
    }
    expect(await traces(orderId)).toMatchObject({ payment: 'disputed', access: 0 })
    expect(await balance()).toEqual({ pending: '$0', reserved: '$8' })
    const body = { disputeId, outcome: 'won' as const, reason: 'The bank’s decision' }
    await (await operator()).call(routes.decideDispute, { body })
    expect(await traces(orderId)).toMatchObject({ ...left, discrepancies: [] })
    expect(await balance()).toEqual({ pending, reserved: '$0' })
    expect(await losses()).toBe(before)
    expect(await violations(scene.harness)).toEqual({})
    const { items } = await scene.harness.api.as(scene.creator).call(routes.notifications, { query: {} })
    expect(items.flatMap(({ event }) => (event.kind === 'sale.refunded' ? [event.data] : []))).toEqual([
      { title: expect.any(String), amount, share, access: left.access === 1 ? 'kept' : 'none' },
    ])
    const again = await refund(orderId, amount)
    expect(again).toMatchObject(left.access === 1 ? { status: 200 } : { code: 'not_refundable' })
    expect((await findBooks(scene.harness.context.db)).discrepancies).toEqual([])
  },
)

test('one that shows up once it was itself sent another way is a finding, and no more is paid than is left with it', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  scene.harness.clock.advance(3 * DAY_MS)
  const shows = showsNone()
  await sendsNow(orderId, '$4')
  shows()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  for (let times = 0; times < 2; times++) await tell(number)
  expect(await findingsOf(number)).toMatchObject([
    { kind: 'unknown_refund', transactionId: orderId, amount: '$4' },
  ])
  expect(await refund(orderId, '$6')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  expect(await givenBackThere(orderId)).toEqual([200, 400])
})

test('so is one of a charge that granted nothing', async () => {
  const orderId = await chargeForNothing()
  answersNone()
  const shows = showsNone()
  for (let minute = 0; minute < 20; minute++) {
    scene.harness.clock.advance(MINUTE_MS)
    await recoverAll()
  }
  scene.harness.clock.advance(3 * DAY_MS)
  await sendsNow(orderId, '$10')
  shows()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  await tell(number)
  expect(await findingsOf(number)).toMatchObject([
    { kind: 'unknown_refund', transactionId: orderId, amount: '$10' },
  ])
})

test('one that is more than the charge with what was sent another way is a finding, also once a bank took all of it', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$8' })
  scene.harness.clock.advance(3 * DAY_MS)
  const shows = showsNone()
  await sendElsewhere(orderId, '$4')
  await dispute(orderId)
  shows()
  const [late] = await refundsThere(orderId)
  const number = late?.transId ?? ''
  await tell(number)
  expect(await findingsOf(number)).toMatchObject([
    { kind: 'unknown_refund', transactionId: orderId, amount: '$8' },
  ])
  expect((await traces(orderId)).discrepancies).toEqual([])
})
