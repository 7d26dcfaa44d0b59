import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { planFault, TEST_CARDS } from '../../../testing/gateway.ts'
import { DAY_MS, MASTERCARD, storedCards } from '../../../testing/money/cards.ts'

const scene = storedCards()
const { renew, forget, api, add, added, cardsOf, shown, kept, subscribes, subscription, toRenewal, charges } =
  scene

test('a card renews nothing of a creator as long as a block keeps the two apart', async () => {
  await subscribes()
  const caller = await api()
  const { items } = await caller.call(routes.ownSubscriptions, { query: {} })
  const body = { blockedId: items[0]?.creator._id ?? '' }
  await caller.call(routes.block, { body })
  expect(await subscription()).toMatchObject({ renews: false })
  expect(await cardsOf()).toMatchObject([{ lastFour: '1111', renews: [] }])
  await caller.call(routes.unblock, { body })
  expect(await cardsOf()).toMatchObject([{ renews: [{ title: 'A subscription' }] }])
})

describe('another card for renewals', () => {
  test('takes the place of the one that it replaces, which is removed', async () => {
    await subscribes()
    const [card] = await cardsOf()
    await added(MASTERCARD, card?._id)
    expect(await cardsOf()).toMatchObject([{ lastFour: '0015', renews: [{ title: 'A subscription' }] }])
    await forget()
    expect(await kept()).toEqual(['0015'])
    await toRenewal()
    await renew()
    const { items } = await (await api()).call(routes.receipts, { query: {} })
    expect(items.map((receipt) => receipt.card)).toEqual(['Mastercard 0015', 'Visa 1111'])
  })

  test('beside the first pays nothing until it is chosen', async () => {
    await subscribes()
    const cardId = await added(MASTERCARD)
    expect(await subscription()).toMatchObject({ card: 'Visa 1111' })
    const answer = await (await api()).call(routes.renewByCard, { body: { cardId } })
    expect(answer).toMatchObject({ renewed: 0, stillPastDue: 0 })
    expect(await subscription()).toMatchObject({ card: 'Mastercard 0015' })
    expect(await charges()).toBe(1)
  })

  test('chosen while the old one is charged stays chosen', async () => {
    await subscribes()
    const cardId = await added(MASTERCARD)
    await toRenewal()
    const caller = await api()
    scene.meanwhile = [
      'renewal.gateway-answered',
      () => caller.call(routes.renewByCard, { body: { cardId } }),
    ]
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await charges()).toBe(2)
  })

  test('is charged at once for what is past due, also after a hard decline', async () => {
    const mediaId = await subscribes()
    await toRenewal()
    await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
    await renew()
    scene.harness.clock.advance(5 * DAY_MS)
    const isLocked = async () => (await (await api()).call(routes.media, { params: { mediaId } })).locked
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    expect(await isLocked()).toBe(true)
    expect(await add(MASTERCARD)).toMatchObject({ status: 200, body: { renewed: 1, stillPastDue: 0 } })
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await isLocked()).toBe(false)
    expect(await charges()).toBe(2)
  })

  test('may be the same one, which its bank has reissued', async () => {
    await subscribes()
    await toRenewal()
    await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'expiredCard' })
    await renew()
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    const [card] = await cardsOf()
    expect(await add(TEST_CARDS.approved, { replaces: card?._id ?? '' })).toMatchObject({
      status: 200,
      body: { card: { _id: card?._id }, renewed: 1, stillPastDue: 0 },
    })
    expect(await shown()).toEqual(['Visa 1111'])
    expect(await charges()).toBe(2)
  })

  test('that is declined as well leaves it past due, and is tried again later', async () => {
    await subscribes()
    await toRenewal()
    await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined', times: 2 })
    await renew()
    expect(await add(MASTERCARD)).toMatchObject({ status: 200, body: { renewed: 0, stillPastDue: 1 } })
    expect(await charges()).toBe(1)
    scene.harness.clock.advance(DAY_MS)
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await charges()).toBe(2)
  })

  test('and the scheduler at the same time charge the period once', async () => {
    await subscribes()
    await toRenewal()
    await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
    await renew()
    scene.harness.clock.advance(DAY_MS)
    await Promise.all([renew(), add(MASTERCARD), renew()])
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active' })
    expect(await charges()).toBe(2)
  })
})
