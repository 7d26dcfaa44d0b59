import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  type Person,
} from '../../../testing/builders.ts'
import {
  cardToken,
  gatewayCaptures,
  gatewayThatIsDown,
  planFault,
  TEST_CARDS,
} from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const MASTERCARD = { cardNumber: '5424000000000015', cardCode: '900' }

let harness: Harness
let fan: Person
/** Where the process breaks down. */
let breakAt: Checkpoint | null = null
/** What happens at a named moment. */
let meanwhile: [Checkpoint, () => Promise<unknown>] | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === meanwhile?.[0]) await meanwhile[1]()
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  // What other tests left is not due in this one.
  await harness.context.db
    .updateTable('subscriptions')
    .set({ status: 'expired', ended_at: harness.clock.now(), renewal_due_at: null })
    .where('status', 'in', ['active', 'past_due'])
    .execute()
  fan = await buildFan(harness)
})
afterEach(() => {
  breakAt = null
  meanwhile = null
})

const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const recover = () => harness.server.jobs['cards.recover']({}, run)
const forget = () => harness.server.jobs['cards.forget']({}, run)
const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })

type TestCard = { cardNumber: string; cardCode: string }

async function add(
  card: TestCard = TEST_CARDS.approved,
  { key, replaces, person = fan }: { key?: string; replaces?: string; person?: Person } = {},
) {
  const token = await cardToken(harness, card)
  return (await api(person)).send('POST', '/users/cards', {
    body: { ...token, replaces },
    headers: key ? { 'idempotency-key': key } : {},
  })
}

async function added(card?: TestCard, replaces?: string): Promise<string> {
  const answer = await add(card, replaces ? { replaces } : {})
  expect(answer.status).toBe(200)
  return (answer.body as { card: { _id: string } }).card._id
}

const cardsOf = async (person = fan) => (await (await api(person)).call(routes.cards, { query: {} })).items
const shown = async (person = fan) =>
  (await cardsOf(person)).map(({ brand, lastFour }) => `${brand} ${lastFour}`)

/** The cards that the gateway itself keeps. */
async function kept(person = fan): Promise<string[]> {
  const listed = await harness.context.payments.listCards({ customerId: person.id })
  return listed.kind === 'listed' ? listed.cards.map(({ lastFour }) => lastFour) : ['unavailable']
}

async function subscribes(
  card: TestCard = TEST_CARDS.approved,
): Promise<{ planId: string; mediaId: string }> {
  const creator = await buildCreator(harness)
  const mediaId = await buildMedia(harness, creator)
  const planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 700 })
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness, card)) }
  await (await api()).call(routes.purchase, { body })
  return { planId, mediaId }
}

async function subscription() {
  const { items } = await (await api()).call(routes.ownSubscriptions, { query: {} })
  return items[0]
}

/** To the end of the paid month and a minute more. */
async function toRenewal(): Promise<void> {
  const end = new Date((await subscription())?.expiration ?? 0)
  harness.clock.advance(end.getTime() - harness.clock.now().getTime() + MINUTE_MS)
}

async function chargesOf(person = fan): Promise<number> {
  const payments = await harness.context.db
    .selectFrom('payments')
    .select('reference')
    .where('buyer_id', '=', person.id)
    .execute()
  const captures = await gatewayCaptures(harness)
  return captures.filter(({ invoiceNumber }) => payments.some(({ reference }) => reference === invoiceNumber))
    .length
}

describe('adding a card', () => {
  test('stores it with its expiry, and charges nothing', async () => {
    const before = await gatewayCaptures(harness)
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
    expect(await gatewayCaptures(harness)).toEqual(before)
  })

  test('again is one card, with the expiry of now', async () => {
    const first = await added()
    await harness.context.db
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
    const body = { ...(await cardToken(harness)), billTo: { zip: '46299' } }
    expect(await (await api()).send('POST', '/users/cards', { body })).toMatchObject({
      status: 402,
      body: { code: 'card_address_mismatch' },
    })
    expect(await kept()).toEqual([])
  })

  test('with a gateway that is down says so', async () => {
    const token = await cardToken(harness)
    const { payments } = harness.context
    harness.context.payments = await gatewayThatIsDown(harness)
    try {
      const answer = await (await api()).send('POST', '/users/cards', { body: token })
      expect(answer).toMatchObject({ status: 402, body: { code: 'gateway_unreachable' } })
    } finally {
      harness.context.payments = payments
    }
    expect(await kept()).toEqual([])
  })

  test('with the same key is done once, and another card under it is refused', async () => {
    const token = await cardToken(harness)
    const other = await cardToken(harness, MASTERCARD)
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
      user_id: fan.id,
      customer_profile_id: fan.id,
      brand: 'Visa',
      created_at: harness.clock.now(),
    }
    for (let count = 0; count < 10; count++)
      await harness.context.db
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
      breakAt = checkpoint
      expect((await add()).status).toBe(500)
      breakAt = null
      expect(await shown()).toEqual([])
      expect(await add(MASTERCARD)).toMatchObject({
        status: 409,
        body: { code: 'card_addition_in_progress' },
      })
      harness.clock.advance(3 * MINUTE_MS)
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
    harness.clock.advance(3 * MINUTE_MS)
    await recover()
    expect(await shown()).toEqual(['Visa 1111'])
    expect((await add(MASTERCARD)).status).toBe(200)
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

describe('another person’s card', () => {
  test('is neither shown, removed, replaced nor renewed by', async () => {
    await subscribes()
    const [card] = await cardsOf()
    const cardId = card?._id ?? ''
    const stranger = await buildFan(harness)
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
    await harness.context.db.transaction().execute(async (tx) => {
      await sql`update stored_cards set livemode = not livemode where user_id = ${fan.id}`.execute(tx)
    })
    expect(await shown()).toEqual([])
  })
})

describe('removing a card', () => {
  test('leaves what renewed by it without one, and the gateway forgets it', async () => {
    await subscribes()
    const [card] = await cardsOf()
    expect(card?.renews).toMatchObject([{ title: 'A subscription' }])
    await (await api()).call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
    expect(await shown()).toEqual([])
    expect(await subscription()).toMatchObject({ status: 'active', card: null })
    await planFault(harness, { call: 'deleteCustomerPaymentProfileRequest', effect: 'resetBefore' })
    await forget()
    expect(await kept()).toEqual(['1111'])
    harness.clock.advance(61_000)
    await forget()
    expect(await kept()).toEqual([])
    await toRenewal()
    await renew()
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    expect(await chargesOf()).toBe(1)
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
    meanwhile = [
      'renewal.gateway-answered',
      () => caller.call(routes.removeCard, { body: { cardId: card?._id ?? '' } }),
    ]
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: null })
    expect(await chargesOf()).toBe(2)
    expect(await shown()).toEqual([])
  })
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
    expect(await chargesOf()).toBe(1)
  })

  test('chosen while the old one is charged stays chosen', async () => {
    await subscribes()
    const cardId = await added(MASTERCARD)
    await toRenewal()
    const caller = await api()
    meanwhile = ['renewal.gateway-answered', () => caller.call(routes.renewByCard, { body: { cardId } })]
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await chargesOf()).toBe(2)
  })

  test('is charged at once for what is past due, also after a hard decline', async () => {
    const { mediaId } = await subscribes()
    await toRenewal()
    await planFault(harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
    await renew()
    harness.clock.advance(5 * DAY_MS)
    const isLocked = async () => (await (await api()).call(routes.media, { params: { mediaId } })).locked
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    expect(await isLocked()).toBe(true)
    expect(await add(MASTERCARD)).toMatchObject({ status: 200, body: { renewed: 1, stillPastDue: 0 } })
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await isLocked()).toBe(false)
    expect(await chargesOf()).toBe(2)
  })

  test('may be the same one, which its bank has reissued', async () => {
    await subscribes()
    await toRenewal()
    await planFault(harness, { call: 'createTransactionRequest', effect: 'expiredCard' })
    await renew()
    expect(await subscription()).toMatchObject({ status: 'past_due' })
    const [card] = await cardsOf()
    expect(await add(TEST_CARDS.approved, { replaces: card?._id ?? '' })).toMatchObject({
      status: 200,
      body: { card: { _id: card?._id }, renewed: 1, stillPastDue: 0 },
    })
    expect(await shown()).toEqual(['Visa 1111'])
    expect(await chargesOf()).toBe(2)
  })

  test('that is declined as well leaves it past due, and is tried again later', async () => {
    await subscribes()
    await toRenewal()
    await planFault(harness, { call: 'createTransactionRequest', effect: 'declined', times: 2 })
    await renew()
    expect(await add(MASTERCARD)).toMatchObject({ status: 200, body: { renewed: 0, stillPastDue: 1 } })
    expect(await chargesOf()).toBe(1)
    harness.clock.advance(DAY_MS)
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
    expect(await chargesOf()).toBe(2)
  })

  test('and the scheduler at the same time charge the period once', async () => {
    await subscribes()
    await toRenewal()
    await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
    await renew()
    harness.clock.advance(DAY_MS)
    await Promise.all([renew(), add(MASTERCARD), renew()])
    await renew()
    expect(await subscription()).toMatchObject({ status: 'active' })
    expect(await chargesOf()).toBe(2)
  })
})
