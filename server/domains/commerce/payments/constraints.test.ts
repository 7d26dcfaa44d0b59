import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../contract/orders.ts'
import type { Tx } from '../../../db/client.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { grant } from '../../media/entitlements/actions.ts'
import { postSale } from '../ledger/actions.ts'

/** The statuses that may follow each status of a payment. */
const LEGAL: Record<PaymentStatus, PaymentStatus[]> = {
  created: ['submitting', 'refused'],
  submitting: ['captured', 'declined', 'held', 'refused', 'unknown', 'voided', 'refunded'],
  unknown: ['captured', 'declined', 'held', 'refused', 'voided', 'refunded'],
  held: ['captured', 'declined', 'refused', 'voided', 'refunded'],
  refused: ['captured', 'declined', 'held', 'voided', 'refunded'],
  captured: ['voided', 'refunded', 'disputed'],
  declined: [],
  voided: [],
  refunded: [],
  disputed: ['captured'],
}

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterAll(() => harness?.stop())

async function purchaseOf(status: PaymentStatus) {
  const { context, clock } = harness
  return insertPurchase(context.db, {
    buyer_id: fan.id,
    creator_id: creator.id,
    kind: 'single',
    item_id: await buildMedia(harness, creator, { showInStore: true }),
    amount_cents: 400,
    status,
    created_at: clock.now(),
  })
}

const inTx = (work: (tx: Tx) => Promise<unknown>) => harness.context.db.transaction().execute(work)
const setTo = (tx: Tx, paymentId: string, status: PaymentStatus) =>
  tx.updateTable('payments').set({ status }).where('id', '=', paymentId).execute()

/** Whether the database takes the change; nothing of it stays. */
async function permits(paymentId: string, status: PaymentStatus): Promise<boolean> {
  const undone = new Error('undone')
  const outcome = await inTx(async (tx) => {
    await setTo(tx, paymentId, status)
    throw undone
  }).catch((error: unknown) => error)
  if (outcome !== undone) expect(outcome).toMatchObject({ constraint: 'payments_transition' })
  return outcome === undone
}

test.each(PAYMENT_STATUSES)('a payment that is %s becomes nothing but what it may', async (from) => {
  const { paymentId } = await purchaseOf(from)
  const others = PAYMENT_STATUSES.filter((status) => status !== from)
  const permitted: PaymentStatus[] = []
  for (const to of others) if (await permits(paymentId, to)) permitted.push(to)
  expect(permitted.sort()).toEqual(LEGAL[from].toSorted())
})

test.each(PAYMENT_STATUSES)('the events of a payment lead to its status, here %s', async (status) => {
  const { paymentId } = await purchaseOf(status)
  const events = await harness.context.db
    .selectFrom('payment_events')
    .select(['from_status', 'to_status'])
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .execute()
  expect(events[0]).toEqual({ from_status: null, to_status: 'created' })
  expect(events.at(-1)?.to_status).toBe(status)
  for (const [index, { from_status }] of events.entries())
    if (index > 0) expect(from_status).toBe(events[index - 1]?.to_status)
})

describe('the database refuses', () => {
  test.each([
    ['another amount of a payment', 'payments', { amount_cents: 1 }, 'payments_fixed'],
    ['another reference', 'payments', { reference: 'another' }, 'payments_fixed'],
    ['another price of an order', 'orders', { amount_cents: 1 }, 'orders_fixed'],
    ['another share of an order', 'orders', { fee_basis_points: 1 }, 'orders_fixed'],
    ['to open an order that was paid', 'orders', { status: 'open', paid_at: null }, 'orders_transition'],
  ] as const)('%s', async (_what, table, change, constraint) => {
    const { orderId, paymentId } = await purchaseOf('captured')
    const id = table === 'orders' ? orderId : paymentId
    const changed = inTx((tx) => tx.updateTable(table).set(change).where('id', '=', id).execute())
    await expect(changed).rejects.toMatchObject({ constraint })
  })

  test('another order for a payment, and a payment that begins as captured', async () => {
    const [one, other] = [await purchaseOf('declined'), await purchaseOf('declined')]
    const moved = inTx((tx) =>
      tx.updateTable('payments').set({ order_id: other.orderId }).where('id', '=', one.paymentId).execute(),
    )
    await expect(moved).rejects.toMatchObject({ constraint: 'payments_fixed' })
    const begun = inTx((tx) =>
      sql`insert into payments (order_id, buyer_id, amount_cents, status, source, status_at, reference, created_at)
        select order_id, buyer_id, amount_cents, 'captured', source, status_at, 'begun', created_at from payments
        where id = ${one.paymentId}`.execute(tx),
    )
    await expect(begun).rejects.toMatchObject({ constraint: 'payments_transition' })
  })

  test('events that no payment wrote, changes of events, and their removal', async () => {
    const { paymentId } = await purchaseOf('declined')
    for (const statement of [
      sql`insert into payment_events (payment_id, to_status, source, at) values (${paymentId}, 'captured', 'live', now())`,
      sql`update payment_events set to_status = 'captured'`,
      sql`delete from payment_events`,
      sql`truncate payment_events`,
    ])
      await expect(inTx((tx) => statement.execute(tx))).rejects.toMatchObject({ code: '23000' })
  })

  test('two attempts at one order that may both move money', async () => {
    const { orderId, paymentId } = await purchaseOf('held')
    const another = inTx((tx) =>
      sql`insert into payments (order_id, buyer_id, amount_cents, status, source, status_at, reference, created_at)
        select order_id, buyer_id, amount_cents, 'created', source, status_at, ${orderId.slice(-20)}, created_at from payments
        where id = ${paymentId}`.execute(tx),
    )
    await expect(another).rejects.toMatchObject({ constraint: 'payments_one_live' })
  })
})

describe('captured, sold and granted come together or not, so the database refuses', () => {
  /** Each part of a capture, of which one or two are left out. */
  const parts = {
    capture: (tx: Tx, { paymentId }: Sold) => setTo(tx, paymentId, 'captured'),
    pay: (tx: Tx, { orderId, paymentId }: Sold) =>
      tx
        .updateTable('orders')
        .set({ status: 'paid', paid_by: paymentId, paid_at: harness.clock.now() })
        .where('id', '=', orderId)
        .execute(),
    sell: (tx: Tx, { orderId, paymentId }: Sold, grossCents = 400) => {
      const shares = { creatorId: creator.id, grossCents, feeBasisPoints: 2000 }
      return postSale(tx, { orderId, paymentId, ...shares, now: harness.clock.now() })
    },
    grant: (tx: Tx, { orderId }: Sold) => {
      const source = { kind: 'purchase', id: orderId } as const
      return grant(tx, { userId: fan.id, source, gives: { media: [] }, now: harness.clock.now() })
    },
  }
  type Sold = { orderId: string; paymentId: string }
  type Part = keyof typeof parts
  const all = Object.keys(parts) as Part[]
  const wanting = all.flatMap((one) =>
    all.flatMap((other) => (one <= other ? [all.filter((part) => part !== one && part !== other)] : [])),
  )

  test.each(wanting)('%s %s %s alone', async (...done) => {
    const sold = await purchaseOf('submitting')
    const attempt = inTx(async (tx) => {
      for (const part of done) if (part) await parts[part](tx, sold)
    })
    await expect(attempt).rejects.toMatchObject({ code: '23000' })
  })

  test('a sale of another gross', async () => {
    const sold = await purchaseOf('submitting')
    const attempt = inTx(async (tx) => {
      await parts.capture(tx, sold)
      await parts.pay(tx, sold)
      await parts.grant(tx, sold)
      await parts.sell(tx, sold, 399)
    })
    await expect(attempt).rejects.toMatchObject({ constraint: 'payments_whole' })
  })

  test('nothing when all of them are there', async () => {
    const sold = await purchaseOf('submitting')
    await inTx(async (tx) => {
      for (const part of all) await parts[part](tx, sold)
    })
    expect(await permits(sold.paymentId, 'refunded')).toBe(true)
  })
})
