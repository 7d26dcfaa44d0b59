import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { gatewayTransactions } from '../../../testing/gateway.ts'
import { DAY_MS, EXCEEDS, GONE, KEPT, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { sendOutside } from '../../../testing/outside.ts'
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
  const putRight = gatewayDoes(() => ({ lookupRefund: async () => ({ kind: 'absent' }) }))
  await sendOutside(await operator(), orderId)
  putRight()
  const { gateway_transaction_id: charge } = await paymentOf(orderId)
  const late = (await gatewayTransactions(scene.harness)).find(({ refTransId }) => refTransId === charge)
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
