import { afterEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { accessUntil } from '../../../../../contract/subscriptions.ts'
import { planFault, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { DAY_MS, mailedDay, renewals } from '../../../../testing/money/renewals.ts'
import { emailsTo } from '../../../../testing/security.ts'

/** What a fan is told whose access ends while a payment of the next period is under review at the gateway. */
const scene = renewals()
const { renew, recover, remind, pays, moveTo, onDay, isLocked } = scene

// What renews beside the next test's subscription would get the answer that is planned for that.
afterEach(async () => {
  const { id: subscriptionId, status } = await scene.subscription()
  if (status === 'expired') return
  await (await scene.api()).call(routes.cancelSubscription, { body: { subscriptionId } })
})

const WAITS = 'You have no access until it’s approved.'

/** The emails of a review, newest first. */
const mails = async () =>
  (await emailsTo(scene.harness, scene.fan.email)).filter(({ text }) => text.includes('being reviewed'))

const answers = (effect: string) => planFault(scene.harness, { call: 'createTransactionRequest', effect })

async function heldNumber(): Promise<string> {
  const { gateway_transaction_id: number } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  return number ?? ''
}

/** All jobs that may tell of it run on each of these days after the end of the paid period, twice. */
async function passes(...days: number[]): Promise<number[]> {
  const told: number[] = []
  for (const day of days) {
    const before = (await mails()).length
    moveTo(onDay(day))
    for (const job of [renew, remind, renew, remind]) await job()
    told.push(...Array((await mails()).length - before).fill(day))
  }
  return told
}

/** A hard decline, so that nothing is charged until the end, and no look at the renewal is due. */
async function declinedForGood(): Promise<void> {
  await answers('lostOrStolen')
  moveTo(onDay(0))
  await renew()
}

test('is told once when access ends, until when it may be approved, and has access again once it is', async () => {
  await answers('heldForReview')
  expect(await passes(0, 1, 2.9, 3, 3.1, 5, 13, 13.9)).toEqual([3])
  const [told] = await mails()
  expect(told?.subject).toContain('Your payment for “A subscription” is being reviewed')
  expect(told?.text).toContain(
    `Your payment of $7 for your subscription “A subscription” by ${scene.creator.username} is being reviewed. ${WAITS}`,
  )
  expect(told?.text).toContain(
    `If it isn’t approved by ${mailedDay(new Date(scene.firstEnd.getTime() + 14 * DAY_MS))}, the subscription ends.`,
  )
  expect(told?.text).toContain('You’re charged only if it’s approved.')
  expect(await isLocked()).toBe(true)
  await reviewHeld(scene.harness, await heldNumber(), 'approve')
  await recover()
  expect(await isLocked()).toBe(false)
})

test('is told once by two processes that look at the same time', async () => {
  await answers('heldForReview')
  await passes(0)
  moveTo(onDay(3))
  await Promise.all([renew(), renew(), remind(), remind(), renew()])
  expect(await mails()).toHaveLength(1)
})

test.each(['approve', 'decline'] as const)(
  'isn’t told of a review that ended before: %s',
  async (decision) => {
    await answers('heldForReview')
    await passes(0)
    await reviewHeld(scene.harness, await heldNumber(), decision)
    moveTo(onDay(2.9))
    await recover()
    expect(await passes(3, 4)).toEqual([])
  },
)

test('is told of the charge of day 3 as well, which is held as access ends', async () => {
  await answers('declined')
  await passes(0)
  await answers('declined')
  await passes(1)
  await answers('heldForReview')
  expect(await passes(3, 3.1, 4)).toEqual([3.1])
})

test('is told once of a payment of their own too, which is waited for beyond day 14', async () => {
  await declinedForGood()
  await pays('$7', TEST_CARDS.held)
  expect(await passes(1, 2.9, 3, 5, 13, 15)).toEqual([3])
  const [told] = await mails()
  expect(told?.text).toContain(WAITS)
  expect(told?.text).not.toContain('the subscription ends')
  await reviewHeld(scene.harness, await heldNumber(), 'approve')
  await recover()
  expect(await isLocked()).toBe(false)
})

test('isn’t told of a payment that they make once access is over', async () => {
  await declinedForGood()
  moveTo(onDay(4))
  expect(accessUntil(scene.firstEnd) < onDay(4)).toBe(true)
  await pays('$7', TEST_CARDS.held)
  expect(await passes(5, 13, 15)).toEqual([])
})

test('is told the amount that they pay, not the one that is owed at the old price', async () => {
  await declinedForGood()
  await scene.changesPrice('$9')
  await pays('$9', TEST_CARDS.held)
  expect(await passes(3)).toEqual([3])
  const [told] = await mails()
  expect(told?.text).toContain('Your payment of $9')
})
