import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { DisputeCause } from '../../../../contract/orders.ts'
import { buildCreator, buildMedia, buildSession, buildUser } from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { MASTERCARD, storedCards } from '../../../testing/money/cards.ts'

const scene = storedCards()
const { renew, forget, api, add, added, cardsOf, shown, kept, subscribes, toRenewal, charges } = scene

/** Something new to buy for $9.99. */
const single = async () =>
  buildMedia(scene.harness, await buildCreator(scene.harness), { showInStore: true, priceCents: 999 })

type PaidBy = { cardId: string } | Awaited<ReturnType<typeof cardToken>>

/** Buys a single by a card; answers its order. */
async function buys(paidBy: PaidBy): Promise<string> {
  const body = { kind: 'single' as const, itemId: await single(), ...paidBy }
  const { _id, status } = await (await api()).call(routes.purchase, { body })
  expect(status).toBe('captured')
  return _id
}

const visa = async () => (await cardsOf()).find(({ lastFour }) => lastFour === '1111')?._id ?? ''

async function disputed(transactionId: string, cause: DisputeCause): Promise<void> {
  const { harness } = scene
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const body = {
    ...{ transactionId, amount: '$9.99', fee: '$15', cause },
    ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
  }
  await harness.api.as({ token }).call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() })
}

const subscriptions = async () =>
  (await (await api()).call(routes.ownSubscriptions, { query: {} })).items.map(({ status, card }) => ({
    status,
    card,
  }))

test.each([
  ['that is stored', async () => ({ cardId: await visa() })],
  ['that was typed, and is stored as well', () => cardToken(scene.harness)],
] as const)('a card %s, and is said to be stolen, pays nothing anymore', async (_name, paidBy) => {
  await subscribes()
  await subscribes()
  await added(MASTERCARD)
  const orderId = await buys(await paidBy())
  const cardId = await visa()

  await disputed(orderId, 'fraud')
  expect(await shown()).toEqual(['Mastercard 0015'])
  const waiting = { status: 'active', card: null }
  expect(await subscriptions()).toEqual([waiting, waiting])
  const body = { kind: 'single' as const, itemId: await single(), cardId }
  await expect((await api()).call(routes.purchase, { body })).rejects.toMatchObject({
    code: 'card_not_found',
  })
  await forget()
  expect(await kept()).toEqual(['0015'])

  const before = await charges()
  await toRenewal()
  await renew()
  expect(await charges()).toBe(before)
  const owing = { status: 'past_due', card: null }
  expect(await subscriptions()).toEqual([owing, owing])
  // As after any removal, another card pays what is owed.
  await added({ cardNumber: '5424000000000015', cardCode: '901' })
  expect(await subscriptions()).toMatchObject([{ status: 'active' }, { status: 'active' }])
})

test('a dispute waits for a renewal of what loses its card before it holds what that may want', async () => {
  await subscribes()
  const orderId = await buys({ cardId: await visa() })
  const { db } = scene.harness.context
  const dispute = { done: Promise.resolve() }
  await db.transaction().execute(async (tx) => {
    await sql`select from subscriptions where fan_id = ${scene.fan.id} for update`.execute(tx)
    dispute.done = disputed(orderId, 'fraud')
    await expect.poll(() => waitingForLocks(db, 'subscriptions')).toBe(1)
    await sql`select from orders where id = ${orderId} for update nowait`.execute(tx)
    await sql`select from stored_cards where user_id = ${scene.fan.id} for update nowait`.execute(tx)
  })
  await dispute.done
  expect(await shown()).toEqual([])
})

test('a dispute for another cause leaves the card, and what else renews by it', async () => {
  await subscribes()
  const orderId = await buys({ cardId: await visa() })
  await disputed(orderId, 'not_received')
  expect(await shown()).toEqual(['Visa 1111'])
  await toRenewal()
  await renew()
  expect(await subscriptions()).toEqual([{ status: 'active', card: 'Visa 1111' }])
})

test('a stolen card that was removed before is no hindrance, nor are other people’s cards of the same number', async () => {
  const { fan } = scene
  const { body } = await add(TEST_CARDS.approved)
  const { _id: cardId } = (body as { card: { _id: string } }).card
  const orderId = await buys({ cardId })
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await forget()
  const other = await buildUser(scene.harness)
  await add(TEST_CARDS.approved, { person: other })
  await disputed(orderId, 'fraud')
  expect(await cardsOf(fan)).toEqual([])
  expect(await cardsOf(other)).toMatchObject([{ lastFour: '1111' }])
})
