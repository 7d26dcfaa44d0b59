import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Tx } from '../../../../db/client.ts'
import { buildCreator, buildFan, type Person } from '../../../../testing/builders.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { after, movements } from '../../../../testing/money/movements.ts'
import { postDisputeLost, postDisputeOpened, postDisputeWon, postRefund, releaseDue } from '../actions.ts'
import { findBooks } from '../books/data.ts'
import { postPaidReturned, postPayout, postPayoutPaid, postPayoutReturned } from './actions.ts'
import { listGivenBackSince } from './data.ts'

const scene = movements()
const { inTx, balancesOf, sell, refund, payOut } = scene

/** A referrer who has asked for all of three commissions of $7, and one of the sales. */
async function setAside() {
  const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const orders = []
  for (let sale = 0; sale < 3; sale++) orders.push(await sell(creator, { referrer, commission: 700 }))
  const payoutId = crypto.randomUUID()
  await payOut(referrer, 2100, after(8), payoutId)
  return { creator, referrer, payoutId, orderId: orders[0] as string, other: orders[1] as string }
}

const available = async (referrer: Person) => (await balancesOf(referrer)).referrer_available
const returnedOf = async (referrer: Person) => {
  const { items } = await scene.harness.api.as(referrer).call(routes.commissions, { query: {} })
  return items.flatMap(({ returned }) => returned ?? [])
}
const discrepancies = async () => (await findBooks(scene.harness.context.db)).discrepancies

const ENDS = {
  canceled: (payoutId: string) => inTx((tx) => postPayoutReturned(tx, { payoutId, now: after(10) })),
  returned: async (payoutId: string) => {
    await inTx((tx) => postPayoutPaid(tx, { payoutId, cents: 2100, now: after(9) }))
    await inTx((tx) => postPaidReturned(tx, { payoutId, cents: 2100, now: after(10) }))
  },
}

test.each(Object.entries(ENDS))(
  'a refund that found all set aside is taken once the payout is %s',
  async (_, end) => {
    const { creator, referrer, payoutId, orderId, other } = await setAside()
    await refund(orderId, 5000, after(9))
    await refund(other, 10_000, after(9))
    expect(await available(referrer)).toBe(0)
    expect(await returnedOf(referrer)).toEqual([])
    await end(payoutId)
    expect(await available(referrer)).toBe(2100 - 350 - 700)
    expect((await returnedOf(referrer)).sort()).toEqual(['$3.50', '$7'])
    expect((await balancesOf(creator)).creator_available).toBe(3 * 8000 - 4000 - 8000)
    // The rest of the order takes the rest, and nothing twice.
    await refund(orderId, 5000, after(11))
    expect(await available(referrer)).toBe(700)
    expect(await discrepancies()).toEqual([])
  },
)

test('two payouts that come back in one millisecond are each cut for the same order', async () => {
  const { creator, referrer, payoutId, orderId, other } = await setAside()
  await inTx((tx) => postPayoutReturned(tx, { payoutId, now: after(8) }))
  const halves = [crypto.randomUUID(), crypto.randomUUID()]
  for (const half of halves) await payOut(referrer, 1050, after(8), half)
  await refund(orderId, 10_000, after(9))
  await refund(other, 10_000, after(9))
  for (const half of halves) await inTx((tx) => postPayoutReturned(tx, { payoutId: half, now: after(10) }))
  expect(await available(referrer)).toBe(700)
  expect((await returnedOf(referrer)).sort()).toEqual(['$7', '$7'])
  expect((await balancesOf(creator)).creator_available).toBe(8000)
  expect(await discrepancies()).toEqual([])
})

test('of a refund and a payout of one moment the second waits for the first, and is told from it when the payout comes back', async () => {
  const { db } = scene.harness.context
  const wait = () => expect.poll(() => waitingForLocks(db, 'ledger_balances')).toBe(1)
  const posted = async (payoutFirst: boolean) => {
    const [creator, referrer] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const orderId = await sell(creator, { referrer, commission: 700 })
    await sell(creator, { referrer, commission: 700 })
    const payout = { payoutId: crypto.randomUUID(), userId: referrer.id, cents: 700, now: after(8) }
    const given = { refundId: crypto.randomUUID(), orderId, cents: 10_000, now: after(8) }
    const works = [
      (tx: Tx) => postPayout(tx, payout),
      async (tx: Tx) => void (await postRefund(tx, given)),
    ] as const
    const [first, second] = payoutFirst ? works : works.toReversed()
    const { waiting } = await inTx(async (tx) => {
      await first?.(tx)
      const waiting = inTx(async (other) => second?.(other))
      await wait()
      return { waiting }
    })
    await waiting
    return listGivenBackSince(db, { payoutId: payout.payoutId, referrerId: referrer.id })
  }
  expect(await posted(true)).toHaveLength(1)
  expect(await posted(false)).toEqual([])
  expect(await discrepancies()).toEqual([])
})

test('what was really paid stays the referrer’s, whatever comes back later', async () => {
  const { creator, referrer, payoutId, orderId } = await setAside()
  await inTx((tx) => postPayoutPaid(tx, { payoutId, cents: 2100, now: after(9) }))
  await refund(orderId, 10_000, after(9))
  await sell(creator, { referrer, commission: 400, now: after(10) })
  const next = crypto.randomUUID()
  await payOut(referrer, 400, after(18), next)
  await inTx((tx) => postPayoutReturned(tx, { payoutId: next, now: after(19) }))
  expect(await available(referrer)).toBe(400)
  expect(await returnedOf(referrer)).toEqual([])
  expect(await discrepancies()).toEqual([])
})

test('no more is taken than came back, though more is there', async () => {
  const { creator, referrer, payoutId, orderId, other } = await setAside()
  await sell(creator, { referrer, commission: 100, now: after(9) })
  const small = crypto.randomUUID()
  await payOut(referrer, 100, after(17), small)
  await refund(orderId, 10_000, after(18))
  await refund(other, 10_000, after(18))
  await sell(creator, { referrer, commission: 900, now: after(19) })
  await inTx((tx) => releaseDue(tx, referrer.id, after(27)))
  await inTx((tx) => postPayoutReturned(tx, { payoutId: small, now: after(27) }))
  expect(await available(referrer)).toBe(900)
  await inTx((tx) => postPayoutReturned(tx, { payoutId, now: after(28) }))
  expect(await available(referrer)).toBe(900 + 100 + 700)
  expect(await discrepancies()).toEqual([])
})

test('a dispute that is still open reserves what comes back, until it is decided', async () => {
  const { referrer, payoutId, orderId, other } = await setAside()
  const opened = [orderId, other].map((disputed) => ({ disputeId: crypto.randomUUID(), orderId: disputed }))
  for (const dispute of opened)
    await inTx((tx) =>
      postDisputeOpened(tx, {
        ...dispute,
        cents: 10_000,
        feeCents: 1500,
        isUndelivered: false,
        now: after(9),
      }),
    )
  await inTx((tx) => postPayoutReturned(tx, { payoutId, now: after(10) }))
  expect(await balancesOf(referrer)).toMatchObject({ referrer_available: 700, referrer_reserve: 1400 })
  await payOut(referrer, 700, after(10))
  const decided = { deliveredBy: null, isSent: false, now: after(11) }
  const [lost, won] = opened
  if (!lost || !won) throw new Error('two are disputed')
  await inTx((tx) => postDisputeLost(tx, { ...lost, ...decided }))
  await inTx((tx) => postDisputeWon(tx, { ...won, ...decided, cents: 10_000 }))
  expect(await balancesOf(referrer)).toMatchObject({ referrer_available: 700, referrer_reserve: 0 })
  expect(await returnedOf(referrer)).toEqual(['$7'])
})

test('a dispute since a payout takes nothing of what was cut short before, if it is won', async () => {
  const { referrer, payoutId, orderId, creator } = await setAside()
  await inTx((tx) => postPayoutPaid(tx, { payoutId, cents: 2100, now: after(9) }))
  await refund(orderId, 5000, after(9))
  await sell(creator, { referrer, commission: 400, now: after(10) })
  const next = crypto.randomUUID()
  await payOut(referrer, 400, after(18), next)
  const dispute = { disputeId: crypto.randomUUID(), orderId }
  const opened = { cents: 5000, feeCents: 1500, isUndelivered: false, now: after(19) }
  await inTx((tx) => postDisputeOpened(tx, { ...dispute, ...opened }))
  await inTx((tx) => postPayoutReturned(tx, { payoutId: next, now: after(20) }))
  expect(await balancesOf(referrer)).toMatchObject({ referrer_available: 0, referrer_reserve: 400 })
  const decided = { deliveredBy: null, isSent: false, now: after(21) }
  await inTx((tx) => postDisputeWon(tx, { ...dispute, ...decided, cents: 5000 }))
  expect(await balancesOf(referrer)).toMatchObject({ referrer_available: 400, referrer_reserve: 0 })
  expect(await returnedOf(referrer)).toEqual([])
  expect(await discrepancies()).toEqual([])
})
