import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan } from '../../../testing/builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../../../testing/gateway.ts'
import { waitingForLocks, waitingForTurns } from '../../../testing/locks.ts'
import { DAY_MS, MASTERCARD, storedCards } from '../../../testing/money/cards.ts'
import { emailsTo } from '../../../testing/security.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const scene = storedCards()
const { renew, forget, api, add, added, cardsOf, shown, kept, subscribes, subscription, toRenewal, charges } =
  scene

describe('removing a card', () => {
  test('while it is chosen for renewals leaves no subscription on it', async () => {
    await subscribes()
    const cardId = await added(MASTERCARD)
    const { db } = scene.harness.context
    const caller = await api()
    let removing: Promise<unknown> | undefined
    let choosing: Promise<unknown> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`select from stored_cards where id = ${cardId} for share`.execute(tx)
      removing = caller.call(routes.removeCard, { body: { cardId } })
      await expect.poll(() => waitingForLocks(db, 'stored_cards')).toBe(1)
      let chosen = false
      choosing = caller.call(routes.renewByCard, { body: { cardId } }).finally(() => {
        chosen = true
      })
      choosing.catch(() => undefined)
      await expect.poll(async () => chosen || (await waitingForTurns(db)) > 0).toBe(true)
    })
    await removing
    await expect(choosing).rejects.toMatchObject({ code: 'card_not_found' })
    expect(await subscription()).toMatchObject({ card: 'Visa 1111' })
  })

  test('leaves what renewed by it without one, and the gateway forgets it', async () => {
    await subscribes()
    const [card] = await cardsOf()
    expect(card?.renews).toMatchObject([{ title: 'A subscription' }])
    await (await api()).call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
    expect(await shown()).toEqual([])
    expect(await subscription()).toMatchObject({ status: 'active', card: null })
    await planFault(scene.harness, { call: 'deleteCustomerPaymentProfileRequest', effect: 'resetBefore' })
    await forget()
    expect(await kept()).toEqual(['1111'])
    scene.harness.clock.advance(61_000)
    await forget()
    expect(await kept()).toEqual([])
    await toRenewal()
    await renew()
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    expect(await charges()).toBe(1)
  })

  test('leaves the period owed that begins then: subscribing again at its price pays for no later one', async () => {
    await subscribes()
    const [card] = await cardsOf()
    await (await api()).call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
    await toRenewal()
    const { id, plan_id, anchor_at } = await scene.harness.context.db
      .selectFrom('subscriptions')
      .select(['id', 'plan_id', 'anchor_at'])
      .where('fan_id', '=', scene.fan.id)
      .executeTakeFirstOrThrow()
    await renew()
    scene.harness.clock.advance(2 * DAY_MS)
    const body = { kind: 'subscription' as const, itemId: plan_id, ...(await cardToken(scene.harness)) }
    await (await api()).call(routes.purchase, { body })
    const renewed = { _id: id, status: 'active', expiration: periodEnd(anchor_at, 2).toISOString() }
    expect(await subscription()).toMatchObject(renewed)
    expect(await charges()).toBe(2)
  })

  test('is followed by mails that ask for a card, and charge or retry none', async () => {
    await subscribes()
    const [card] = await cardsOf()
    await (await api()).call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
    await forget()
    const { clock, server } = scene.harness
    const end = new Date((await subscription())?.expiration ?? 0).getTime()
    const moveTo = (day: number) => clock.advance(end + day * DAY_MS + 1 - clock.now().getTime())
    moveTo(-2)
    await server.jobs['renewals.remind']({}, { attempt: 1, lastAttempt: false })
    for (const day of [0, 14]) {
      moveTo(day)
      await renew()
    }
    const mails = (await emailsTo(scene.harness, scene.fan.email)).filter(
      ({ subject, text }) => text.includes('“A subscription”') && !subject.includes('receipt'),
    )
    const told = mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n')
    expect(mails).toHaveLength(3)
    expect(told).toContain('Add a card by ')
    expect(told).toContain(
      'There’s no card to charge $7 for your subscription “A subscription”. You haven’t been charged.',
    )
    expect(told).toContain('has ended because there was no card to charge.')
    expect(told).not.toMatch(/To stop it|charge your card|try the card/)
  })

  test('while the gateway does not answer asks it for one of them, and for the others in the next run', async () => {
    const { context } = scene.harness
    const { payments } = context
    const fans = [scene.fan, await buildFan(scene.harness)]
    for (const person of fans) {
      const added = await add(TEST_CARDS.approved, { person })
      const { _id: cardId } = (added.body as { card: { _id: string } }).card
      await (await api(person)).call(routes.removeCard, { body: { cardId } })
    }
    const customers = [await buildFan(scene.harness), await buildFan(scene.harness)].map(({ id }) => id)
    for (const customer_id of customers) {
      const now = scene.harness.clock.now()
      const due = { customer_id, requested_at: now, next_attempt_at: now }
      await context.db.insertInto('gateway_deletions').values(due).execute()
      scene.harness.clock.advance(1)
    }
    const asked: string[] = []
    context.payments = {
      ...payments,
      deleteCard(card) {
        asked.push('card')
        return payments.deleteCard(card)
      },
      deleteCustomer(id) {
        asked.push(id)
        return payments.deleteCustomer(id)
      },
    }
    try {
      await planFault(scene.harness, { effect: 'resetBefore' })
      await forget()
      expect(asked).toEqual([customers[0]])
      await planFault(scene.harness, { call: 'deleteCustomerPaymentProfileRequest', effect: 'resetBefore' })
      await forget()
      expect(asked.slice(1)).toEqual([customers[1], 'card'])
      await forget()
      expect(asked.slice(3)).toEqual(['card'])
      scene.harness.clock.advance(61_000)
      await forget()
      expect(asked.slice(4)).toEqual([customers[0], 'card'])
    } finally {
      context.payments = payments
    }
    for (const person of fans) expect(await kept(person)).toEqual([])
  })

  test('twice at the same time removes it once', async () => {
    const cardId = await added()
    const caller = await api()
    const remove = () => caller.send('POST', '/users/cards/remove', { body: { cardId } })
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 404])
    expect(await shown()).toEqual([])
  })

  test('and adding it again keeps it', async () => {
    const cardId = await added()
    await (await api()).call(routes.removeCard, { body: { cardId } })
    await added()
    await forget()
    expect(await shown()).toEqual(['Visa 1111'])
    expect(await kept()).toEqual(['1111'])
  })

  test('while it pays a renewal keeps the period, and the card stays removed', async () => {
    await subscribes()
    const [card] = await cardsOf()
    await toRenewal()
    const caller = await api()
    scene.meanwhile = [
      'renewal.gateway-answered',
      () => caller.call(routes.removeCard, { body: { cardId: card?._id ?? '' } }),
    ]
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: null })
    expect(await charges()).toBe(2)
    expect(await shown()).toEqual([])
  })
})

describe('another person’s card', () => {
  test('is neither shown, removed, replaced nor renewed by', async () => {
    await subscribes()
    const [card] = await cardsOf()
    const cardId = card?._id ?? ''
    const stranger = await buildFan(scene.harness)
    const caller = await api(stranger)
    expect(await cardsOf(stranger)).toEqual([])
    for (const route of [routes.removeCard, routes.renewByCard])
      await expect(caller.call(route, { body: { cardId } })).rejects.toMatchObject({ code: 'card_not_found' })
    expect(await add(MASTERCARD, { replaces: cardId, person: stranger })).toMatchObject({ status: 404 })
    expect(await kept(stranger)).toEqual([])
    expect(await cardsOf()).toMatchObject([{ _id: cardId, renews: [{ title: 'A subscription' }] }])
  })

  test('of the other kind of money is not there', async () => {
    await added()
    await scene.harness.context.db.transaction().execute(async (tx) => {
      await sql`update stored_cards set livemode = not livemode where user_id = ${scene.fan.id}`.execute(tx)
    })
    expect(await shown()).toEqual([])
  })
})
