import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../../db/client.ts'
import { runAdmin } from '../../../../start/admin.ts'
import { buildBankDetails, buildCreator, buildFan, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { insertPurchase } from '../../../../testing/purchases.ts'
import { requestPayout } from '../../payouts/actions.ts'
import { postRefund } from '../actions.ts'

const DAY_MS = 24 * 3600 * 1000
let harness: Harness
let creator: Person
let buyer: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
  buyer = await buildFan(harness)
})
afterAll(() => harness?.stop())

const inTx = <T>(work: (tx: Tx) => Promise<T>) => harness.context.db.transaction().execute(work)
const books = () => runAdmin(['books'], harness.context.db, harness.context.vault, harness.clock.now())

/** A captured payment like this one, without its sale: the checks of the database are off. */
function unsoldLike(orderId: string, cents: number): Promise<string> {
  return inTx(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      with payment as (
        insert into payments (order_id, buyer_id, amount_cents, status, source, status_at, reference, gateway_transaction_id, created_at)
        select uuidv7(), buyer_id, ${cents}, status, source, status_at, 'unsold', 'unsold', created_at from payments
        where order_id = ${orderId} returning *
      )
      insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once, status,
        created_at, tried_at, paid_by, paid_at)
      select payment.order_id, orders.buyer_id, creator_id, kind, uuidv7(), title, ${cents}, fee_basis_points, bought_once, 'paid',
        orders.created_at, tried_at, payment.id, paid_at from orders, payment where orders.id = ${orderId} returning id`.execute(
      tx,
    )
    return rows[0]?.id ?? ''
  })
}

test('the books account for every cent, and say what doesn’t match', async () => {
  const now = harness.clock.now()
  const then = new Date(now.getTime() - 8 * DAY_MS)
  const { orderId } = await insertPurchase(harness.context.db, {
    buyer_id: buyer.id,
    creator_id: creator.id,
    kind: 'single',
    item_id: crypto.randomUUID(),
    amount_cents: 10_000,
    status: 'captured',
    created_at: then,
  })
  await inTx((tx) => postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 1000, now }))
  await inTx((tx) => requestPayout(tx, { userId: creator.id, cents: 5000, now }))
  const { ok, output } = await books()
  expect(output.split('\n\n').slice(1)).toEqual([
    [
      'USD, sandbox',
      '  creator available              -$22.00',
      '  creator pending                  $0.00',
      '  gateway                         $90.00',
      '  payout in transit              -$50.00',
      '  platform fees                  -$18.00',
      '  sum                              $0.00',
    ].join('\n'),
    '4 journals, 1 of them sales and 0 of settled batches.',
    'Deleted accounts that are still owed money: 0, $0 in total, after the payments that adjustments record for them.',
    'Commissions withheld from suspended or deleted referrers: 0, $0 in total, part of the platform’s fee.',
    expect.stringMatching(
      /^Chains, with their last hashes\n {2}journals +4 {2}[\da-f]{64}\n {2}payment events +3 {2}[\da-f]{64}\n {2}payout events +1 {2}[\da-f]{64}\n {2}order commissions +0 {2}\n {2}commissions withheld +0 {2}\n {2}audit log +0 {2}$/,
    ),
    'Every cent is accounted for.',
  ])
  expect(ok).toBe(true)

  // Changes that the database would never allow by itself.
  const unsold = await unsoldLike(orderId, 700)
  await inTx((tx) => sql`update ledger_balances set balance_cents = balance_cents + 1`.execute(tx))
  await inTx((tx) =>
    sql`insert into payouts (user_id, amount_cents, requested_at, changed_at)
      values (${creator.id}, 2000, now(), now())`.execute(tx),
  )
  await harness.context.db
    .insertInto('order_commissions')
    .values({ order_id: orderId, referrer_id: buyer.id, side: 'seller', cents: 5 })
    .execute()
  const broken = await books()
  expect(broken.ok).toBe(false)
  expect(broken.output).toMatch(/6 discrepancies, amounts in cents:/)
  expect(broken.output).toContain(`Captured payment without its sale: ${unsold}, expected 700, found 0`)
  expect(broken.output).toContain(`Commission other than agreed: ${orderId}, expected 5, found 0`)
  expect(broken.output).toMatch(/Kept balance differs: .*, expected 2200, found 2201/)
  expect(broken.output).toContain(
    `Months of the statements differ from the balance: ${creator.id}, expected 2202, found 2200`,
  )
  expect(broken.output).toMatch(/Payout in another state than its journals: .*, expected 2000, found 0/)
})

test('what creators are shown of their top items and fans is compared with what was sold', async () => {
  const [seller, fan] = [await buildCreator(harness), await buildFan(harness)]
  const single = { buyer_id: fan.id, creator_id: seller.id, kind: 'single', status: 'captured' } as const
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  const created_at = harness.clock.now()
  for (const [item_id, amount_cents] of [
    [first, 1000],
    [second, 2000],
  ] as const)
    await insertPurchase(harness.context.db, { ...single, item_id, amount_cents, created_at })
  expect((await books()).output).not.toContain(seller.id)
  // The sums of two items are swapped, so that the total stays the same.
  await inTx(async (tx) => {
    const of = sql`creator_id = ${seller.id} and side = 'item' and span = 'all'`
    await sql`update ledger_rankings set share_cents = 2400 - share_cents where ${of}`.execute(tx)
    await sql`update ledger_rankings set sales = 2 where ${of} and key = ${second}`.execute(tx)
    await sql`delete from ledger_rankings where creator_id = ${seller.id} and side = 'fan' and span = 'month'`.execute(
      tx,
    )
  })
  const { output } = await books()
  expect(output).toContain(`Earnings by item differ: ${seller.id} ${first} all, expected 800, found 1600`)
  expect(output).toContain(`Earnings by item differ: ${seller.id} ${second} all, expected 1600, found 800`)
  expect(output).toContain(`Sales by item differ: ${seller.id} ${second} all, expected 1, found 2`)
  expect(output).toContain(`Gross by fan differ: ${seller.id} ${fan.id} month, expected 3000, found 0`)
})

test('a kept sum that is missing is reported like one that differs', async () => {
  const [seller, referrer] = [await buildCreator(harness), await buildFan(harness)]
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: buyer.id, creator_id: seller.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 10_000, status: 'captured', created_at: harness.clock.now() },
    commissions: [{ referrerId: referrer.id, cents: 700 }],
  })
  const { output: before } = await books()
  for (const { id } of [referrer, seller]) expect(before).not.toContain(id)
  await inTx(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`delete from commission_months where referrer_id = ${referrer.id}`.execute(tx)
    await sql`delete from ledger_totals where user_id = ${seller.id}`.execute(tx)
  })
  const { output } = await books()
  expect(output).toContain(`Commissions of the months differ: ${referrer.id}, expected 700, found 0`)
  expect(output).toContain(`Earnings shown to a creator differ: ${seller.id}, expected 8000, found 0`)
})

test('a commission that was paid and is called withheld is reported', async () => {
  const [seller, referrer] = [await buildCreator(harness), await buildFan(harness)]
  const { orderId } = await insertPurchase(harness.context.db, {
    ...{ buyer_id: buyer.id, creator_id: seller.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 10_000, status: 'captured', created_at: harness.clock.now() },
    commissions: [{ referrerId: referrer.id, cents: 700 }],
  })
  const withheld = { reason: 'suspended', withheld_at: harness.clock.now() } as const
  await inTx((tx) =>
    tx
      .insertInto('commissions_withheld')
      .values({ order_id: orderId, referrer_id: referrer.id, ...withheld })
      .execute(),
  )
  expect((await books()).output).toContain(`Commission other than agreed: ${orderId}, expected 0, found 700`)
})
