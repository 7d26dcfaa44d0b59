import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buildCreator, buildFan } from '../../../testing/builders.ts'
import { after, movements } from '../../../testing/money/movements.ts'
import { start } from '../../../testing/money/posted-order.ts'
import {
  postCommissionsCanceled,
  postDisputeLost,
  postDisputeOpened,
  postDisputeWon,
  releaseDue,
} from './actions.ts'
import { findOrderBalance } from './data.ts'
import { postPayoutPaid, postPayoutReturned } from './payouts/actions.ts'
import { refundableCents } from './rules.ts'

const scene = movements()
const { inTx, balancesOf, sell, refund, payOut } = scene

/** Counts from here on how many transactions are retried after a deadlock. */
function watchRestarts(): { count: number } {
  const { db } = scene.harness.context
  const begin = db.transaction.bind(db)
  const restarts = { count: 0 }
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = (work) => {
      let starts = 0
      return execute((tx) => {
        if (starts++ > 0) restarts.count++
        return work(tx)
      })
    }
    return transaction
  })
  return restarts
}
const outcomes = async (attempts: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(attempts)
  return {
    done: settled.filter(({ status }) => status === 'fulfilled').length,
    refused: settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
  }
}

/** Everything in the whole ledger that doesn't add up. */
async function discrepancies(): Promise<unknown[]> {
  const { rows } = await sql`
    select 'journal' as what, journal_id::text as id from postings join ledger_accounts on ledger_accounts.id = account_id
      group by journal_id, currency having sum(amount_cents) <> 0
    union all
    select 'balance', kind || ' ' || user_id from ledger_balances join ledger_accounts on ledger_accounts.id = account_id
      where balance_cents <> (select coalesce(-sum(amount_cents), 0) from postings where postings.account_id = ledger_accounts.id)
        or (balance_cents < 0 and kind <> 'creator_available')
    union all
    select 'order', order_id::text from journals join postings on postings.journal_id = journals.id
      join ledger_accounts on ledger_accounts.id = account_id where order_id is not null group by order_id
      having sum(amount_cents) filter (where ledger_accounts.kind in ('gateway', 'dispute_clearing', 'dispute_losses', 'dispute_fees')) < 0
        or sum(amount_cents) filter (where ledger_accounts.kind = 'dispute_clearing') < 0
    union all
    select 'totals', ledger_totals.user_id::text from ledger_totals
      left join lateral (select -sum(postings.amount_cents) as share from journals join orders on orders.id = order_id
        join postings on journal_id = journals.id join ledger_accounts on ledger_accounts.id = account_id
        where creator_id = ledger_totals.user_id and ledger_accounts.kind ~ '^creator_') as earned on true
      where share_cents <> coalesce(share, 0) or gross_cents <> fee_cents + share_cents
    union all
    select 'months', user_id::text
      from (select user_id, sum(net_cents) as cents from ledger_months group by user_id) as months
        full join (select user_id, sum(balance_cents) as cents from ledger_balances
          join ledger_accounts on ledger_accounts.id = account_id group by user_id) as owed using (user_id)
      where coalesce(months.cents, 0) <> coalesce(owed.cents, 0)`.execute(scene.harness.context.db)
  return rows
}

test('a share is pending for 7 days, then available, once, however often and by how many it is released', async () => {
  const creator = await buildCreator(scene.harness)
  await sell(creator)
  await sell(creator, { now: after(1) })
  const release = (days: number) => inTx((tx) => releaseDue(tx, creator.id, after(days)))
  await release(6.9)
  expect(await balancesOf(creator)).toEqual({ creator_pending: 16_000 })
  await Promise.all(Array.from({ length: 10 }, () => release(7)))
  expect(await balancesOf(creator)).toEqual({ creator_pending: 8000, creator_available: 8000 })
  scene.harness.clock.advance(after(8).getTime() - scene.harness.clock.now().getTime())
  for (let run = 0; run < 2; run++)
    await scene.harness.server.jobs['ledger.release']({}, { attempt: 1, lastAttempt: true })
  expect(await balancesOf(creator)).toEqual({ creator_pending: 0, creator_available: 16_000 })
  const releases = await scene.harness.context.db
    .selectFrom('ledger_releases')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .select('kind')
    .where('user_id', '=', creator.id)
    .execute()
  expect(releases).toHaveLength(2)
  expect(await discrepancies()).toEqual([])
})

test('refunds take back each share from where it is, and the last one leaves nothing', async () => {
  const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const orderId = await sell(creator, { grossCents: 1001, referrer, commission: 33 })
  await refund(orderId, 333)
  expect(await balancesOf(creator)).toEqual({ creator_pending: 801 - 266 })
  expect(await balancesOf(referrer)).toEqual({ referrer_pending: 33 - 10 })
  await refund(orderId, 667, after(8))
  expect(await balancesOf(creator)).toEqual({ creator_pending: 0, creator_available: 1 })
  await refund(orderId, 1, after(9))
  expect(await balancesOf(creator)).toEqual({ creator_pending: 0, creator_available: 0 })
  expect(await balancesOf(referrer)).toEqual({ referrer_pending: 0, referrer_available: 0 })
  await expect(refund(orderId, 1, after(9))).rejects.toThrow(/can't be given back/)
  expect(await findOrderBalance(scene.harness.context.db, orderId)).toMatchObject({ returnedCents: 1001 })
  expect(await discrepancies()).toEqual([])
})

test('a refund whose moment is before the release that it waited for takes from what is available by then', async () => {
  const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const orderId = await sell(creator, { referrer, commission: 700 })
  await sell(creator, { referrer, commission: 700, now: after(1) })
  for (const { id } of [creator, referrer]) await inTx((tx) => releaseDue(tx, id, after(7)))
  await refund(orderId, 10_000, after(6.99))
  expect(await balancesOf(creator)).toEqual({ creator_pending: 8000, creator_available: 0 })
  expect(await balancesOf(referrer)).toEqual({ referrer_pending: 700, referrer_available: 0 })
  expect(await discrepancies()).toEqual([])
})

test('a cancellation whose moment is before the release that it waited for cancels what is pending by then', async () => {
  const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const sold = { referrer, commission: 700 }
  await sell(creator, sold)
  await sell(creator, { ...sold, now: after(1) })
  await inTx((tx) => releaseDue(tx, referrer.id, after(7)))
  const canceled = { referrerId: referrer.id, now: after(6.99) }
  expect(await inTx((tx) => postCommissionsCanceled(tx, canceled))).toEqual({ count: 1, cents: 700 })
  expect(await balancesOf(referrer)).toEqual({ referrer_pending: 0, referrer_available: 700 })
  expect(await discrepancies()).toEqual([])
})

test('a dispute reserves the parts of creator and referrer, which go back to them or to the buyer', async () => {
  const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const sold = { referrer, commission: 700 }
  const [won, lost] = [await sell(creator, sold), await sell(creator, sold)]
  const ids = new Map([won, lost].map((orderId) => [orderId, crypto.randomUUID()]))
  const dispute = (orderId: string) => ({ disputeId: ids.get(orderId) as string, orderId, now: after(8) })
  for (const orderId of [won, lost])
    await inTx((tx) =>
      postDisputeOpened(tx, { ...dispute(orderId), cents: 10_000, feeCents: 1500, isUndelivered: false }),
    )
  expect(await balancesOf(creator)).toEqual({
    ...{ creator_pending: 0, creator_available: 0, creator_reserve: 16_000 },
  })
  expect(await balancesOf(referrer)).toEqual({
    ...{ referrer_pending: 0, referrer_available: 0, referrer_reserve: 1400 },
  })
  await expect(payOut(referrer, 1, after(8))).rejects.toMatchObject({ code: 'payout_exceeds_balance' })
  await expect(payOut(creator, 1, after(8))).rejects.toMatchObject({ code: 'payout_exceeds_balance' })
  await expect(refund(won, 1, after(8))).rejects.toThrow(/can't be given back/)
  await inTx((tx) => postDisputeWon(tx, { ...dispute(won), cents: 10_000, deliveredBy: null, isSent: false }))
  await inTx((tx) => postDisputeLost(tx, { ...dispute(lost), deliveredBy: null, isSent: false }))
  expect(await balancesOf(creator)).toEqual({
    ...{ creator_pending: 0, creator_available: 8000, creator_reserve: 0 },
  })
  expect(await balancesOf(referrer)).toEqual({
    ...{ referrer_pending: 0, referrer_available: 700, referrer_reserve: 0 },
  })
  expect(await discrepancies()).toEqual([])
})

test('of 50 payouts of the whole balance at once one is set aside', async () => {
  const creator = await buildCreator(scene.harness)
  await sell(creator)
  const { done, refused } = await outcomes(Array.from({ length: 50 }, () => payOut(creator, 8000, after(7))))
  expect([done, new Set(refused).size]).toEqual([1, 1])
  expect(await balancesOf(creator)).toEqual({ creator_pending: 0, creator_available: 0 })
  expect(await discrepancies()).toEqual([])
})

test('a refund and a payout at once: both are posted whole, and what a creator owes is netted before the next payout', async () => {
  const creator = await buildCreator(scene.harness)
  const orderId = await sell(creator)
  const [payoutId, returned] = [crypto.randomUUID(), crypto.randomUUID()]
  await Promise.all([
    payOut(creator, 5000, after(7), payoutId),
    ...[1, 2, 3, 4].map(() => refund(orderId, 1000, after(7))),
  ])
  expect(await balancesOf(creator)).toMatchObject({ creator_available: 8000 - 5000 - 3200 })
  await inTx((tx) => postPayoutPaid(tx, { payoutId, cents: 5000, now: after(8) }))
  await sell(creator, { now: after(8), feeBasisPoints: 0, grossCents: 1000 })
  await expect(payOut(creator, 801, after(15))).rejects.toMatchObject({ code: 'payout_exceeds_balance' })
  await payOut(creator, 800, after(15), returned)
  expect(await balancesOf(creator)).toMatchObject({ creator_available: 0 })
  await inTx((tx) => postPayoutReturned(tx, { payoutId: returned, now: after(16) }))
  await expect(inTx((tx) => postPayoutReturned(tx, { payoutId: returned, now: after(16) }))).rejects.toThrow(
    /journals_source_key/,
  )
  expect(await balancesOf(creator)).toMatchObject({ creator_available: 800 })
  expect(await discrepancies()).toEqual([])
})

test('of 20 refunds of the whole order at once one is posted, and a repeated one never twice', async () => {
  const creator = await buildCreator(scene.harness)
  const orderId = await sell(creator)
  const { done } = await outcomes(Array.from({ length: 20 }, () => refund(orderId, 10_000)))
  expect(done).toBe(1)
  expect(await balancesOf(creator)).toEqual({ creator_pending: 0 })
  const [second, refundId] = [await sell(creator), crypto.randomUUID()]
  const same = await outcomes(Array.from({ length: 10 }, () => refund(second, 100, start, refundId)))
  expect(same.done).toBe(1)
  expect(same.refused.every((reason) => reason.includes('journals_source_key'))).toBe(true)
  expect(await balancesOf(creator)).toEqual({ creator_pending: 8000 - 80 })
})

test('600 random movements, three at a time, leave a ledger in which every cent adds up', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => buildCreator(scene.harness)))
  const open: string[] = []
  const payouts: { payoutId: string; cents: number }[] = []
  const disputes: { disputeId: string; orderId: string; cents: number }[] = []
  const done: Record<string, number> = {}
  const pick = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)] as T
  let day = 0

  const acts: [name: string, act: () => Promise<unknown>][] = [
    [
      'sale',
      async () => {
        const [creator, referrer] = [pick(people), pick(people)]
        const grossCents = 100 + Math.floor(Math.random() * 5000)
        open.push(await sell(creator, { grossCents, referrer, commission: 7, now: after(day) }))
      },
    ],
    [
      'refund',
      async () => {
        const orderId = pick(open)
        const left = refundableCents(await findOrderBalance(scene.harness.context.db, orderId))
        await refund(orderId, Math.ceil(left * Math.random()), after(day))
      },
    ],
    [
      'dispute',
      async () => {
        const dispute = { disputeId: crypto.randomUUID(), orderId: pick(open) }
        const order = await findOrderBalance(scene.harness.context.db, dispute.orderId)
        const cents = Math.ceil(refundableCents(order) / 2)
        await inTx((tx) =>
          postDisputeOpened(tx, { ...dispute, cents, feeCents: 1500, isUndelivered: false, now: after(day) }),
        )
        disputes.push({ ...dispute, cents })
      },
    ],
    [
      'decision',
      async () => {
        const decided = disputes.pop()
        if (!decided) throw new Error('no dispute')
        const decide = Math.random() < 0.5 ? postDisputeWon : postDisputeLost
        await inTx<unknown>((tx) =>
          decide(tx, { ...decided, deliveredBy: null, isSent: false, now: after(day) }),
        )
      },
    ],
    [
      'payout',
      async () => {
        const person = pick(people)
        const { creator_available = 0, referrer_available = 0 } = await balancesOf(person)
        const payoutId = crypto.randomUUID()
        const cents = Math.ceil((creator_available + referrer_available) * Math.random())
        await payOut(person, cents, after(day), payoutId)
        payouts.push({ payoutId, cents })
      },
    ],
    [
      'end of a payout',
      async () => {
        const payout = payouts.pop()
        if (!payout) throw new Error('no payout')
        const end = Math.random() < 0.7 ? postPayoutPaid : postPayoutReturned
        await inTx<unknown>((tx) => end(tx, { ...payout, now: after(day) }))
      },
    ],
  ]
  const lane = async () => {
    for (let step = 0; step < 200; step++) {
      day += 0.2
      const [name, act] = pick(acts)
      await act().then(
        () => {
          done[name] = (done[name] ?? 0) + 1
        },
        // A step that another lane made impossible meanwhile is refused.
        () => {},
      )
    }
  }
  const restarts = watchRestarts()
  await Promise.all([lane(), lane(), lane()])
  expect(restarts.count).toBe(0)
  expect(Object.keys(done)).toHaveLength(acts.length)
  expect(await discrepancies()).toEqual([])
})
