import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { priceChanges } from '../../../../testing/money/price-changes.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = priceChanges()
const { api, edits, asks, says, saves, own, paid, renew, subscribes, justAfter, inDays } = scene

/** What the purchase dialog asks for before it says what this pays for. */
const looks = async () =>
  (await (await api()).call(routes.openPurchase, { query: { kind: 'subscription', itemId: scene.planId } }))
    .owed

const pays = async (price: string, months: TermMonths = 1) => {
  const body = { kind: 'subscription' as const, itemId: scene.planId, price, months }
  return (await api()).call(routes.purchase, { body: { ...body, ...(await cardToken(scene.harness)) } })
}

/** No run comes to the renewal at this end, until its grace is over. */
async function isMissedAt(end: Date): Promise<void> {
  justAfter(end)
  inDays(4)
}

/** Renewed until the first renewal that may have the price that was asked for, which no run comes to. */
async function isMissedAtThePriceAsked(start: Date): Promise<Date> {
  const on = new Date((await own()).priceChange?.on ?? 0)
  let period = 1
  for (; periodEnd(start, period) < on; period++) {
    justAfter(periodEnd(start, period))
    await renew()
  }
  await isMissedAt(periodEnd(start, period))
  return periodEnd(start, period + 1)
}

test('a missed renewal is owed at a lower price that was passed on, and goes on by the anchor', async () => {
  const start = await subscribes()
  await edits('$8')
  await isMissedAt(periodEnd(start, 1))
  const until = periodEnd(start, 2).toISOString()
  expect(await looks()).toEqual({ price: '$8', months: 1, paidUntil: until })
  await pays('$8')
  expect(await own()).toMatchObject({ status: 'active', price: '$8', expiration: until })
  expect(await paid()).toEqual(['$8', '$10'])
})

test('a missed renewal is owed for the term that was chosen, and another one begins anew', async () => {
  await saves('$10', { terms: [{ months: 3, discountPercent: 10 }] })
  const start = await subscribes()
  const { _id: subscriptionId } = await own()
  await (await api()).call(routes.changeTerm, { body: { subscriptionId, months: 3, price: '$27' } })
  await isMissedAt(periodEnd(start, 1))
  const until = periodEnd(start, 4).toISOString()
  expect(await looks()).toEqual({ price: '$27', months: 3, paidUntil: until })
  await pays('$27', 3)
  expect(await own()).toMatchObject({ _id: subscriptionId, status: 'active', months: 3, expiration: until })
})

test('a missed renewal is owed at the higher price that its fan agreed to', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(true, '$15')
  const until = (await isMissedAtThePriceAsked(start)).toISOString()
  expect(await looks()).toEqual({ price: '$15', months: 1, paidUntil: until })
  await expect(pays('$10')).rejects.toMatchObject({ code: 'price_changed' })
  await pays('$15')
  expect(await own()).toMatchObject({ status: 'active', price: '$15', expiration: until, priceChange: null })
  expect((await paid())[0]).toBe('$15')
})

test.each([
  ['declined', async () => void (await says(false, '$15'))],
  ['didn’t answer', async () => {}],
])(
  'nothing is owed of a missed renewal at a price that its fan %s, and who pays it begins anew',
  async (_, answer) => {
    const start = await subscribes()
    await asks('$15')
    await answer()
    await isMissedAtThePriceAsked(start)
    const { _id: before } = await own()
    expect(await looks()).toBeNull()
    await expect(pays('$10')).rejects.toMatchObject({ code: 'price_changed' })
    const at = scene.harness.clock.now()
    await pays('$15')
    const { _id, startedAt, ...now } = await own()
    expect([_id === before, new Date(startedAt) >= at]).toEqual([false, true])
    expect(now).toMatchObject({ status: 'active', price: '$15' })
    const charged = (await paid()).length
    await renew()
    expect(await paid()).toHaveLength(charged)
  },
)
