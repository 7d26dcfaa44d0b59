import { describe, expect, test } from 'vitest'
import { buildCreator, buildFan } from '../../../../testing/builders.ts'
import {
  cardToken,
  gatewayCaptures,
  gatewayThatIsDown,
  planFault,
  TEST_CARDS,
} from '../../../../testing/gateway.ts'
import { MASTERCARD, MINUTE_MS, storedCards } from '../../../../testing/money/cards.ts'

const scene = storedCards()
const { recover, api, add, added, cardsOf, shown, kept, subscribes, subscription } = scene

const DISCOVER = { cardNumber: '6011000000000012', cardCode: '900' }

describe('adding a card', () => {
  test('stores it with its expiry, and charges nothing', async () => {
    const before = await gatewayCaptures(scene.harness)
    expect(await add()).toMatchObject({
      status: 200,
      body: {
        card: { brand: 'Visa', lastFour: '1111', expires: '12/39', expiry: 'valid', renews: [] },
        renewed: 0,
        stillPastDue: 0,
      },
    })
    await added(MASTERCARD)
    expect(await shown()).toEqual(['Mastercard 0015', 'Visa 1111'])
    expect(await kept()).toEqual(['1111', '0015'])
    expect(await gatewayCaptures(scene.harness)).toEqual(before)
  })

  test('again is one card, with the expiry of now', async () => {
    const first = await added()
    await scene.harness.context.db
      .updateTable('stored_cards')
      .set({ expires: '2020-01' })
      .where('id', '=', first)
      .execute()
    expect(await added()).toBe(first)
    expect(await cardsOf()).toMatchObject([{ _id: first, expires: '12/39', expiry: 'valid' }])
    expect(await kept()).toEqual(['1111'])
  })

  test.each([
    { card: { cardNumber: '4111111111111111', cardCode: '201' }, status: 402, code: 'card_declined' },
    { card: TEST_CARDS.busy, status: 402, code: 'card_refused' },
    { card: { cardNumber: '4111111111111111', cardCode: '217' }, status: 402, code: 'card_token_expired' },
  ])('that is refused stores nothing: $code', async ({ card, status, code }) => {
    expect(await add(card)).toMatchObject({ status, body: { code } })
    expect(await shown()).toEqual([])
    expect(await kept()).toEqual([])
    expect((await add()).status).toBe(200)
  })

  test('whose ZIP code its bank doesn’t know says so, and stores nothing', async () => {
    const body = { ...(await cardToken(scene.harness)), billTo: { zip: '46299' } }
    expect(await (await api()).send('POST', '/users/cards', { body })).toMatchObject({
      status: 402,
      body: { code: 'card_address_mismatch' },
    })
    expect(await kept()).toEqual([])
  })

  test('with a gateway that is down says so', async () => {
    const token = await cardToken(scene.harness)
    const { payments } = scene.harness.context
    scene.harness.context.payments = gatewayThatIsDown(scene.harness)
    try {
      const answer = await (await api()).send('POST', '/users/cards', { body: token })
      expect(answer).toMatchObject({ status: 402, body: { code: 'gateway_unreachable' } })
    } finally {
      scene.harness.context.payments = payments
    }
    expect(await kept()).toEqual([])
  })

  test('with the same key is done once, and another card under it is refused', async () => {
    const token = await cardToken(scene.harness)
    const other = await cardToken(scene.harness, MASTERCARD)
    const send = async (body: object) =>
      (await api()).send('POST', '/users/cards', { body, headers: { 'idempotency-key': 'the-same-key' } })
    const first = await send(token)
    expect(first.status).toBe(200)
    expect(await send(token)).toMatchObject({ status: 200, body: first.body })
    expect(await send(other)).toMatchObject({ status: 422 })
    expect(await kept()).toEqual(['1111'])
  })

  test('twice at the same time stores both or says that one is under way', async () => {
    const answers = await Promise.all([add(), add(MASTERCARD)])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses)
    expect(await shown()).toHaveLength(statuses.filter((status) => status === 200).length)
  })

  test('an eleventh is refused before the gateway sees it', async () => {
    const row = {
      user_id: scene.fan.id,
      customer_profile_id: scene.fan.id,
      brand: 'Visa',
      created_at: scene.harness.clock.now(),
    }
    for (let count = 0; count < 10; count++)
      await scene.harness.context.db
        .insertInto('stored_cards')
        .values({
          ...row,
          payment_profile_id: `${count}`,
          last_four: `000${count}`,
          used_at: row.created_at,
          described_at: row.created_at,
        })
        .execute()
    expect(await add()).toMatchObject({ status: 409, body: { code: 'too_many_cards' } })
    expect(await kept()).toEqual([])
  })
})

describe('what nobody heard the end of', () => {
  test.each(['card.intent-committed', 'card.gateway-answered'] as const)(
    'a process that breaks down at %s leaves the card stored or not, and never half',
    async (checkpoint) => {
      scene.breakAt = checkpoint
      expect((await add()).status).toBe(500)
      scene.breakAt = null
      expect(await shown()).toEqual([])
      expect(await add(MASTERCARD)).toMatchObject({
        status: 409,
        body: { code: 'card_addition_in_progress' },
      })
      scene.harness.clock.advance(3 * MINUTE_MS)
      await recover()
      const isStored = checkpoint === 'card.gateway-answered'
      expect(await shown()).toEqual(isStored ? ['Visa 1111'] : [])
      expect(await kept()).toEqual(isStored ? ['1111'] : [])
      expect((await add(MASTERCARD)).status).toBe(200)
    },
  )

  test('a broken answer is looked up at once', async () => {
    expect(await add(TEST_CARDS.resetAfter)).toMatchObject({
      status: 200,
      body: { card: { lastFour: '1111' } },
    })
    expect(await add({ ...MASTERCARD, cardCode: '209' })).toMatchObject({
      status: 402,
      body: { code: 'card_unconfirmed' },
    })
    scene.harness.clock.advance(3 * MINUTE_MS)
    await recover()
    expect(await shown()).toEqual(['Visa 1111'])
    expect((await add(MASTERCARD)).status).toBe(200)
  })

  test('a card that a purchase stored meanwhile isn’t taken for the one that was to be added', async () => {
    await subscribes()
    const [card] = await cardsOf()
    const creator = await buildCreator(scene.harness)
    scene.breakAt = 'purchase.gateway-answered'
    const tip = { kind: 'tip', itemId: creator.id, amount: '$5', saveCard: true }
    const body = { ...tip, ...(await cardToken(scene.harness, DISCOVER)) }
    expect((await (await api()).send('POST', '/users/purchase', { body })).status).toBe(500)
    scene.breakAt = null
    const lost = { ...MASTERCARD, cardCode: '209' }
    expect(await add(lost, { replaces: card?._id ?? '' })).toMatchObject({
      body: { code: 'card_unconfirmed' },
    })
    scene.harness.clock.advance(3 * MINUTE_MS)
    await recover()
    await scene.harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
    await recover()
    expect(await shown()).toEqual(['Discover 0012', 'Visa 1111'])
    expect(await subscription()).toMatchObject({ card: 'Visa 1111' })
    expect((await add(MASTERCARD)).status).toBe(200)
  })

  test('a gateway that does not answer ends the run, and the next one begins with those not asked for', async () => {
    const fans = [scene.fan, await buildFan(scene.harness)]
    scene.breakAt = 'card.intent-committed'
    for (const person of fans) expect((await add(TEST_CARDS.approved, { person })).status).toBe(500)
    scene.breakAt = null
    const [first, second] = fans.map(({ id }) => id)
    const asked: string[] = []
    const { payments } = scene.harness.context
    scene.harness.context.payments = {
      ...payments,
      listCards(of) {
        if ('customerId' in of) asked.push(of.customerId)
        return payments.listCards(of)
      },
    }
    try {
      scene.harness.clock.advance(3 * MINUTE_MS)
      await planFault(scene.harness, { effect: 'resetBefore' })
      await recover()
      expect(asked).toEqual([first])
      scene.harness.clock.advance(MINUTE_MS)
      await recover()
      expect(asked).toEqual([first, second, first])
    } finally {
      scene.harness.context.payments = payments
    }
    expect((await add()).status).toBe(200)
  })

  test('a card that a purchase stored gets its expiry soon after', async () => {
    await subscribes()
    expect(await cardsOf()).toMatchObject([
      { expires: null, expiry: 'valid', renews: [{ title: 'A subscription' }] },
    ])
    await recover()
    expect(await cardsOf()).toMatchObject([{ expires: '12/39' }])
  })
})
