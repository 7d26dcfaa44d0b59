import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCreator, buildFan, buildMedia, buildPlan } from '../../../testing/builders.ts'
import { planFault, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { ATTEMPT, peopleWhoLeave } from '../../../testing/leaving.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { erase, recover, remove, isErased, buy, purchaseOf } = peopleWhoLeave(() => harness)

const forget = () => harness.server.jobs['cards.forget']({}, ATTEMPT)

test('the gateway forgets the cards of who was erased, however often it must be asked', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await buy(
    fan,
    'subscription',
    await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] }),
  )
  const card = await harness.context.db
    .selectFrom('stored_cards')
    .selectAll()
    .where('user_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const charge = () =>
    harness.context.payments.charge({
      reference: crypto.randomUUID().slice(0, 20),
      amountCents: 100,
      description: 'A stored card',
      source: {
        storedCard: {
          customerProfileId: card.customer_profile_id,
          paymentProfileId: card.payment_profile_id,
        },
      },
      occasion: 'single',
      customer: { id: fan.id, email: fan.email },
    })
  expect(await charge()).toMatchObject({ kind: 'approved' })
  await remove(fan)
  await erase()
  expect(await isErased(fan)).toBe(true)
  await planFault(harness, { call: 'deleteCustomerProfileRequest', effect: 'resetBefore' })
  await forget()
  expect(await charge()).toMatchObject({ kind: 'approved' })
  await forget()
  harness.clock.advance(61_000)
  await forget()
  expect(await charge()).toMatchObject({ kind: 'refused', reason: 'E00040' })
  const owed = await harness.context.db.selectFrom('gateway_deletions').selectAll().execute()
  expect(owed).toMatchObject([{ customer_id: fan.id, attempts: 2, done_at: expect.any(Date) }])
})

test.each(['buyer', 'creator'] as const)(
  'the erasure of a %s waits for payments that are undecided',
  async (who) => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await buy(fan, 'single', await buildMedia(harness, creator, { showInStore: true }), TEST_CARDS.held)
    const leaving = who === 'buyer' ? fan : creator
    await remove(leaving)
    await erase()
    expect(await isErased(leaving)).toBe(false)
    await reviewHeld(harness, (await purchaseOf(fan)).transactionId ?? '', 'approve')
    await recover()
    expect((await purchaseOf(fan)).status).toBe('captured')
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)
