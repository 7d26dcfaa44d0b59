import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { sourcesOf } from '../../../../contract/media-links.ts'
import type { Checkpoint } from '../../../context.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { connect, messageOf, until } from '../../../testing/chat.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WISH = { requestMessage: 'A birthday song for Sam', maxMinutes: 5, pricePerMinute: '$3' }

let harness: Harness
let creator: Person
let fan: Person
let stranger: Person

/** Where the process of the next purchase fails. */
let breakAt: Checkpoint | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  stranger = await buildCreator(harness)
})

const as = (person: Person) => harness.api.as(person)

async function ask(by = fan, of = creator): Promise<string> {
  const { _id } = await as(by).call(routes.createCustomRequest, { body: { ...WISH, creatorId: of.id } })
  return _id
}

const accept = (requestId: string, body: object = {}, by = creator) =>
  as(by).send('POST', '/users/customrequest/accept', { body: { requestId, ...body } })
const decline = (requestId: string, by = creator) =>
  as(by).send('POST', '/users/customrequest/decline', { body: { requestId, reason: 'Not my style' } })
const remove = (requestId: string, by = fan) =>
  as(by).send('POST', '/users/delete/customrequest', { body: { requestId } })
const deliver = (requestId: string, mediaIds: string[], by = creator) =>
  as(by).send('POST', '/users/customrequest/deliver', { body: { requestId, mediaIds } })

async function pay(
  requestId: string,
  { by = fan, ...body }: { by?: Person; price?: string; deliveryDays?: number } = {},
) {
  const api = as({ ...by, token: await buildSession(harness, by.id) })
  const card = await cardToken(harness)
  return api.send('POST', '/users/purchase', {
    body: { kind: 'custom', itemId: requestId, ...card, ...body },
  })
}

/** A request that is accepted for $20 and paid. */
async function askAndPay(): Promise<string> {
  const requestId = await ask()
  await accept(requestId, { price: '$20', deliveryDays: 3 })
  expect((await pay(requestId, { price: '$20' })).status).toBe(200)
  return requestId
}

async function tip(amount: string) {
  const card = await cardToken(harness)
  const api = as({ ...fan, token: await buildSession(harness, fan.id) })
  return api.send('POST', '/users/purchase', { body: { kind: 'tip', itemId: creator.id, amount, ...card } })
}

/** The conversation as one of the two sees it. */
async function conversation(by = fan, other = creator, since?: number) {
  const query = { recipientId: other.id, ...(since === undefined ? {} : { since }) }
  return as({ ...by, token: await buildSession(harness, by.id) }).call(routes.messages, { query })
}

const cardOf = async (by = fan, other = creator) => (await conversation(by, other)).messages[0]?.customRequest
const stateOf = async () => (await cardOf())?.state
const openOf = async (by = fan, other = creator) =>
  (await conversation(by, other)).messages
    .flatMap(({ attachments }) => attachments)
    .filter(({ url }) => url !== null).length

async function listed(by: Person, query: { isCreator?: 'true'; filterType?: 'all' | 'creators' } = {}) {
  const { body } = await as(by).send('GET', '/users/customs', { query })
  return (body as { items: { _id: string }[] }).items.map(({ _id }) => _id)
}

/** The subjects of the emails that somebody received. */
async function mailsTo({ email }: Person): Promise<string[]> {
  return (await emailsTo(harness, email)).map(({ subject }) => subject.replace(/ · .*/, ''))
}

const giveBack = () => harness.server.jobs['custom-requests.refund']({}, { attempt: 1, lastAttempt: false })

async function refund(orderId: string, amount: string) {
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token }).call(routes.refund, {
    body: { transactionId: orderId, amount, reason: 'Asked for by law' },
  })
}

test('a fan asks, the creator accepts at a price, the fan pays, and the creator delivers what stays the fan’s', async () => {
  const requestId = await ask()
  expect(await conversation(creator, fan)).toMatchObject({
    conversation: { unread: 1 },
    messages: [
      {
        content: WISH.requestMessage,
        senderId: fan.id,
        customRequest: {
          _id: requestId,
          state: 'requested',
          pricePerMinute: '$3',
          maxMinutes: 5,
          price: null,
        },
      },
    ],
  })
  expect(await pay(requestId)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
  const { conversation: before } = await conversation()
  // Without a price, the fan's offer applies.
  expect(await accept(requestId)).toMatchObject({
    status: 200,
    body: { state: 'accepted', price: '$15', deliveryDays: 7, deliverBy: null },
  })
  expect((await conversation(fan, creator, before.revision)).messages).toMatchObject([
    { customRequest: { state: 'accepted', price: '$15' } },
  ])
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({
    status: 409,
    body: { code: 'custom_request_unpaid' },
  })
  const paid = await pay(requestId, { price: '$15' })
  expect(paid).toMatchObject({ status: 200, body: { title: `Custom request to @${creator.username}` } })
  expect(await cardOf(creator, fan)).toMatchObject({
    state: 'paid',
    deliverBy: expect.any(String),
  })
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  expect(await deliver(requestId, mediaIds)).toMatchObject({ status: 200, body: { state: 'delivered' } })
  expect(await openOf()).toBe(2)
  expect((await conversation()).messages).toMatchObject([
    { customRequest: { state: 'delivered' } },
    { senderId: creator.id, customRequest: { state: 'delivered' } },
  ])
  expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
  const [asked] = (await conversation()).messages
  const at = { recipientId: creator.id, messageId: asked?._id ?? '' }
  expect(await as(fan).call(routes.messagePosition, { query: at })).toEqual({ position: asked?.position })
  const elsewhere = as(stranger).call(routes.messagePosition, { query: at })
  await expect(elsewhere).rejects.toMatchObject({ code: 'message_not_found' })
  // Neither message can be edited or deleted on its own.
  for (const [person, message] of [
    [fan, 0],
    [creator, 1],
  ] as const) {
    const messageId = (await conversation()).messages[message]?._id ?? ''
    const deleted = as(person).call(routes.deleteMessage, { body: { messageId } })
    await expect(deleted).rejects.toMatchObject({ code: 'message_stays' })
  }
  expect(await openOf()).toBe(2)
  expect(await mailsTo(creator)).toEqual(
    expect.arrayContaining([
      `New custom request from ${fan.username}`,
      `${fan.username} paid for a custom request`,
    ]),
  )
  expect(await mailsTo(fan)).toEqual(
    expect.arrayContaining([
      `${creator.username} accepted your custom request`,
      `${creator.username} delivered your custom request`,
    ]),
  )
  const texts = [...(await emailsTo(harness, creator.email)), ...(await emailsTo(harness, fan.email))]
  expect(JSON.stringify(texts)).not.toContain('birthday')
})

test('each of the two lists what they sent and got, newest first, page by page; nobody else sees any', async () => {
  const first = await ask()
  harness.clock.advance(1000)
  const second = await ask()
  harness.clock.advance(1000)
  const other = await ask(creator, stranger)
  expect(await listed(fan)).toEqual([second, first])
  expect(await listed(creator)).toEqual([other, second, first])
  expect(await listed(creator, { isCreator: 'true', filterType: 'creators' })).toEqual([second, first])
  expect(await listed(creator, { filterType: 'creators' })).toEqual([other])
  expect(await listed(await buildUser(harness, { role: 'superadmin' }))).toEqual([])
  const page = await as(creator).call(routes.customRequests, { query: { limit: 2 } })
  const rest = await as(creator).call(routes.customRequests, {
    query: { limit: 2, cursor: page.nextCursor ?? '' },
  })
  expect([page.items.length, rest.items.map(({ _id }) => _id), rest.hasMore]).toEqual([2, [first], false])
  const foreign = await as(fan).send('GET', '/users/customs', { query: { currentUserId: creator.id } })
  expect(foreign.status).toBe(403)
})

test('requests of somebody who is leaving end no list', async () => {
  const kept = await ask(stranger)
  for (let made = 0; made < 3; made++) {
    harness.clock.advance(1000)
    await ask()
  }
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', '=', fan.id)
    .execute()
  for (const query of [{}, { isCreator: 'true', filterType: 'creators' }] as const) {
    const { items, hasMore } = await as(creator).call(routes.customRequests, {
      query: { ...query, limit: 2 },
    })
    expect([items.map(({ _id }) => _id), hasMore]).toEqual([[kept], false])
  }
})

describe('nobody but its two people', () => {
  test('reads, pays, answers, delivers or deletes a request, nor one of them what is the other’s', async () => {
    const requestId = await ask()
    const mediaId = await buildMedia(harness, stranger)
    const absent = { status: 404, body: { code: 'custom_request_not_found' } }
    expect(await accept(requestId, {}, stranger)).toMatchObject(absent)
    expect(await decline(requestId, stranger)).toMatchObject(absent)
    expect(await remove(requestId, stranger)).toMatchObject(absent)
    expect(await deliver(requestId, [mediaId], stranger)).toMatchObject(absent)
    expect(await remove(requestId, creator)).toMatchObject({ status: 403 })
    expect(await accept(requestId, {}, fan)).toMatchObject({ status: 403 })
    await accept(requestId)
    expect(await pay(requestId, { by: stranger })).toMatchObject({ status: 404 })
    expect(await pay(requestId, { by: creator })).toMatchObject({ status: 404 })
    expect(await listed(stranger)).toEqual([])
    expect(await stateOf()).toBe('accepted')
    for (const person of [stranger, creator]) expect(await purchaseTraces(harness, person)).toEqual(NO_TRACES)
  })

  test('asks where they can’t write, or who creates nothing, or for more than may be asked', async () => {
    const send = (body: object, by = fan) =>
      as(by).send('POST', '/users/create/customrequest', {
        body: { ...WISH, creatorId: creator.id, ...body },
      })
    await as(creator).call(routes.setChatSettings, { body: { audience: 'followers', welcomeMessage: '' } })
    expect(await send({})).toMatchObject({ status: 403, body: { code: 'followers_only' } })
    await as(creator).call(routes.setChatSettings, { body: { audience: 'everyone', welcomeMessage: '' } })
    await as(creator).call(routes.block, { body: { blockedId: fan.id } })
    expect(await send({})).toMatchObject({ status: 403, body: { code: 'recipient_unavailable' } })
    await as(creator).call(routes.unblock, { body: { blockedId: fan.id } })
    expect(await send({ creatorId: fan.id })).toMatchObject({
      status: 400,
      body: { code: 'message_to_yourself' },
    })
    expect(await send({ userId: stranger.id })).toMatchObject({ status: 403 })
    const found = await buildFan(harness, { discoverable: true })
    expect(await send({ creatorId: found.id })).toMatchObject({
      status: 409,
      body: { code: 'not_a_creator' },
    })
    expect(await send({ maxMinutes: 1.5 })).toMatchObject({ status: 400 })
    expect(await send({ maxMinutes: 120, pricePerMinute: '$100' })).toMatchObject({
      body: { code: 'custom_total' },
    })
    expect(await send({ pricePerMinute: '$0.50' })).toMatchObject({ body: { code: 'price_too_low' } })
    expect(await listed(fan)).toEqual([])
    const all = await Promise.all(Array.from({ length: 8 }, () => send({})))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await listed(fan)).toHaveLength(5)
    expect((await conversation()).messages).toHaveLength(5)
  })
})

test('is paid by a call of its own as by any purchase: once, at what was shown, by its fan', async () => {
  const requestId = await ask()
  await accept(requestId)
  const key = crypto.randomUUID()
  const token = await cardToken(harness)
  const send = (body: object = {}, by = fan, idempotencyKey = key) =>
    as(by).send('POST', '/users/customrequest/pay', {
      body: { requestId, ...token, ...body },
      headers: { 'idempotency-key': idempotencyKey },
    })
  expect(await send({ deliveryDays: 1 }, fan, crypto.randomUUID())).toMatchObject({
    status: 409,
    body: { code: 'delivery_changed' },
  })
  expect(await send({}, stranger, crypto.randomUUID())).toMatchObject({ status: 404 })
  const [one, again] = [await send(), await send()]
  expect(one).toMatchObject({ status: 200, body: { kind: 'custom', itemId: requestId, status: 'captured' } })
  expect(again.body).toEqual(one.body)
  expect(await stateOf()).toBe('paid')
  expect(await pay(requestId)).toMatchObject({ status: 409 })
})

test('its author deletes a request while nothing is paid, and its message goes with it', async () => {
  const requestId = await ask()
  await accept(requestId)
  expect(await remove(requestId)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  const { messages, conversation: row } = await conversation(creator, fan)
  expect(messages).toMatchObject([{ content: '', customRequest: null, deletedAt: expect.any(String) }])
  expect(row.unread).toBe(0)
  expect(await remove(requestId)).toMatchObject({ status: 404 })
  expect(await pay(requestId)).toMatchObject({ status: 404 })
  const paid = await askAndPay()
  expect(await remove(paid)).toMatchObject({ status: 409, body: { code: 'custom_request_paid' } })
  expect(await decline(paid)).toMatchObject({ status: 409, body: { code: 'custom_request_paid' } })
  expect(await accept(paid)).toMatchObject({ status: 409, body: { code: 'custom_request_paid' } })
  expect(await listed(fan)).toEqual([paid])
})

test('what was told of a request that is gone, or of an offer that can’t be paid anymore, is taken back', async () => {
  const told = async (person: Person) => {
    const { items } = await as(person).call(routes.notifications, { query: {} })
    return items
      .filter(({ event, read }) => event.kind === 'custom.changed' && !read)
      .map(({ event }) => (event.data as { state?: string }).state)
  }
  await remove(await ask())
  expect(await told(creator)).toEqual([])
  expect(await mailsTo(creator)).toEqual([])
  const requestId = await ask()
  await accept(requestId, { price: '$20' })
  expect(await told(fan)).toEqual(['accepted'])
  await decline(requestId)
  expect(await told(fan)).toEqual(['declined'])
  expect(await told(creator)).toEqual(['requested'])
  const offered = await ask()
  await accept(offered)
  await remove(offered)
  expect(await told(fan)).toEqual(['declined'])
})

describe('at the same time', () => {
  test('ten payments charge once', async () => {
    const requestId = await ask()
    await accept(requestId)
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(requestId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
  })

  test.each(['delete', 'decline', 'another price'] as const)(
    'a payment and %s: either of them, never both',
    async (what) => {
      for (let round = 0; round < 3; round++) {
        const requestId = await ask()
        await accept(requestId, { price: '$20' })
        const against = {
          delete: () => remove(requestId),
          decline: () => decline(requestId),
          'another price': () => accept(requestId, { price: '$30' }),
        }
        const [paid, changed] = await Promise.all([pay(requestId, { price: '$20' }), against[what]()])
        expect([paid.status === 200, changed.status === 200].filter(Boolean)).toHaveLength(1)
        expect([paid.status, changed.status].every((status) => status < 500)).toBe(true)
        const card = (await conversation()).messages.at(-1)?.customRequest
        if (paid.status === 200) expect(card).toMatchObject({ state: 'paid', price: '$20' })
        else
          expect(card?.state).toBe(
            what === 'delete' ? undefined : what === 'decline' ? 'declined' : 'accepted',
          )
      }
      const { charged, sales } = await purchaseTraces(harness, fan)
      expect(charged).toBe(sales)
    },
  )

  test('two deliveries deliver once', async () => {
    const requestId = await askAndPay()
    const media = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const answers = await Promise.all(media.map((mediaId) => deliver(requestId, [mediaId])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await openOf()).toBe(1)
    expect((await conversation()).messages).toHaveLength(2)
  })
})

describe('after a crash', () => {
  const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })

  async function breakDown(buying: () => Promise<unknown>) {
    breakAt = 'purchase.gateway-answered'
    await buying()
    breakAt = null
  }

  test('between the charge and its record a request is paid once, and a tip stands there once', async () => {
    const requestId = await ask()
    await accept(requestId)
    await breakDown(() => pay(requestId))
    expect(await remove(requestId)).toMatchObject({ body: { code: 'custom_request_being_paid' } })
    expect(await stateOf()).toBe('accepted')
    harness.clock.advance(5 * MINUTE_MS)
    for (let run = 0; run < 2; run++) await recover()
    expect(await stateOf()).toBe('paid')
    expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
    await breakDown(() => tip('$10'))
    expect((await conversation()).messages).toHaveLength(1)
    harness.clock.advance(5 * MINUTE_MS)
    for (let run = 0; run < 2; run++) await recover()
    const amounts = (await conversation()).messages.map((message) => message.tip?.amount)
    expect(amounts).toEqual([undefined, '$10'])
  })

  test('a charge that shows up once the request was deleted is given back', async () => {
    const requestId = await ask()
    await accept(requestId)
    const gateway = harness.context.payments
    harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
    await breakDown(() => pay(requestId))
    harness.clock.advance(16 * MINUTE_MS)
    for (let run = 0; run < 3; run++) await recover()
    harness.context.payments = gateway
    expect((await remove(requestId)).status).toBe(200)
    harness.clock.advance(2 * DAY_MS)
    for (let run = 0; run < 2; run++) await recover()
    const { statuses, sales, granted } = await purchaseTraces(harness, fan)
    expect({ statuses, sales, granted }).toEqual({ statuses: ['refunded'], sales: 0, granted: 0 })
  })
})

test('terms that changed are told, not charged, and a payment under review keeps the request as it is', async () => {
  const requestId = await ask()
  await accept(requestId, { price: '$20', deliveryDays: 3 })
  await accept(requestId, { price: '$20', deliveryDays: 28 })
  expect(await pay(requestId, { price: '$20', deliveryDays: 3 })).toMatchObject({
    status: 409,
    body: { code: 'delivery_changed' },
  })
  const accepted = `${creator.username} accepted your custom request`
  expect((await mailsTo(fan)).filter((subject) => subject === accepted)).toHaveLength(2)
  await accept(requestId, { price: '$30' })
  expect(await pay(requestId, { price: '$20' })).toMatchObject({
    status: 409,
    body: { code: 'price_changed' },
  })
  expect(await accept(requestId, { price: '$10,001' })).toMatchObject({ body: { code: 'custom_price' } })
  expect(await purchaseTraces(harness, fan)).toEqual(NO_TRACES)
  const held = await cardToken(harness, TEST_CARDS.held)
  expect((await pay(requestId, { price: '$30', ...held })).status).toBe(202)
  const being = { status: 409, body: { code: 'custom_request_being_paid' } }
  expect(await remove(requestId)).toMatchObject(being)
  expect(await decline(requestId)).toMatchObject(being)
  expect(await accept(requestId, { price: '$40' })).toMatchObject(being)
  expect(await cardOf()).toMatchObject({ state: 'accepted', price: '$30' })
})

test('what is not delivered in time is refunded once, by itself, and can’t be delivered anymore', async () => {
  const requestId = await askAndPay()
  expect(await mailsTo(creator)).toHaveLength(2)
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('paid')
  harness.clock.advance(2 * HOUR_MS)
  for (let run = 0; run < 2; run++) await giveBack()
  expect(await stateOf()).toBe('refunded')
  const refunds = await harness.context.db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.amount_cents', 'refunds.requested_by'])
    .where('item_id', '=', requestId)
    .execute()
  expect(refunds).toEqual([{ amount_cents: 2000, requested_by: null }])
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({
    status: 409,
    body: { code: 'custom_request_closed' },
  })
  expect(await pay(requestId)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
  expect(await openOf()).toBe(0)
  expect(await mailsTo(fan)).toEqual(expect.arrayContaining(['Your refund of $20']))
  expect(await mailsTo(creator)).toEqual(
    expect.arrayContaining([`Your custom request from ${fan.username} is overdue`]),
  )
})

test('of one that is late only what is left is given back, and told', async () => {
  const requestId = await askAndPay()
  const { id: orderId } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  // Partial refunds are possible once it has settled.
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await refund(orderId, '$5')
  harness.clock.advance(3 * DAY_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const notices = await as({ ...creator, token: await buildSession(harness, creator.id) }).call(
    routes.notifications,
    { query: {} },
  )
  const told = notices.items.flatMap(({ event }) =>
    event.kind === 'custom.sold' ? [[event.data.state, event.data.amount]] : [],
  )
  expect(told).toEqual([
    ['overdue', '$15'],
    ['paid', '$20'],
  ])
})

test('what it earns can be paid out 7 days after the delivery was due, as the fan may get it back until then', async () => {
  const requestId = await ask()
  await accept(requestId, { price: '$20', deliveryDays: 28 })
  expect((await pay(requestId, { price: '$20' })).status).toBe(200)
  const back = async () => ({ ...creator, token: await buildSession(harness, creator.id) })
  const balance = async () => {
    const { pending, available } = await as(await back()).call(routes.balance, { query: {} })
    return { pending, available }
  }
  harness.clock.advance(27 * DAY_MS)
  expect(await balance()).toEqual({ pending: '$16', available: '$0' })
  const delivered = await deliver(requestId, [await buildMedia(harness, creator)], await back())
  expect(delivered.status).toBe(200)
  harness.clock.advance(8 * DAY_MS - HOUR_MS)
  expect(await balance()).toEqual({ pending: '$16', available: '$0' })
  harness.clock.advance(2 * HOUR_MS)
  expect(await balance()).toEqual({ pending: '$0', available: '$16' })
})

test('a refund by an operator takes back what was delivered, and both see it', async () => {
  const requestId = await askAndPay()
  await deliver(requestId, [await buildMedia(harness, creator)])
  expect(await openOf()).toBe(1)
  const { conversation: before } = await conversation()
  const { id: orderId } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  await refund(orderId, '$20')
  expect(await openOf()).toBe(0)
  const changed = await conversation(fan, creator, before.revision)
  expect(changed.messages.map(({ customRequest }) => customRequest?.state)).toEqual(['refunded', 'refunded'])
})

/** A bank takes back this much of a request's payment; returns a function that records its decision. */
async function dispute(requestId: string, amount: string) {
  const { id: transactionId } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  const operator = await buildUser(harness, { role: 'superadmin' })
  const api = async () => {
    const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
    return harness.api.as({ token })
  }
  const what = { cause: 'fraud' as const, caseNumber: crypto.randomUUID(), reason: 'The bank took it back' }
  const { _id: disputeId } = await (await api()).call(routes.openDispute, {
    body: { transactionId, amount, fee: '$15', ...what },
  })
  return async (outcome: 'won' | 'lost') =>
    (await api()).call(routes.decideDispute, { body: { disputeId, outcome, reason: 'The bank decided' } })
}

test('a refund after its creator was suspended tells of their conversation nobody', async () => {
  const requestId = await askAndPay()
  const elsewhere = await connect(harness, fan, stranger)
  const sent = await elsewhere.emit('chat message', messageOf(fan, stranger))
  const messageId = (sent.ok && sent.message?._id) || ''
  const heard = await connect(harness, fan)
  const operator = await buildUser(harness, { role: 'superadmin' })
  await (await reauthenticatedApi(harness, operator)).call(routes.suspendPerson, {
    body: { userId: creator.id, reason: 'Trying it out' },
  })
  const { id } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  await refund(id, '$20')
  // What is told after it arrives after it.
  await as(stranger).call(routes.reactToMessage, { body: { messageId, emoji: '❤️' } })
  await until(() => heard.all('message changed').some(({ message }) => message._id === messageId))
  expect(heard.all('message changed').map(({ message }) => message._id)).toEqual([messageId])
  heard.close()
  elsewhere.close()
})

test('a dispute takes back what was delivered until the bank decides for the creator', async () => {
  const requestId = await askAndPay()
  await deliver(requestId, [await buildMedia(harness, creator)])
  const decide = await dispute(requestId, '$20')
  expect([await stateOf(), await openOf()]).toEqual(['disputed', 0])
  await decide('won')
  expect([await stateOf(), await openOf()]).toEqual(['delivered', 1])
})

test('the evidence for its dispute says what was asked for, when it was delivered, and what of it was viewed', async () => {
  const requestId = await askAndPay()
  const mediaId = await buildMedia(harness, creator, { title: 'A song' })
  await deliver(requestId, [mediaId])
  const viewer = as(fan)
  const media = await viewer.call(routes.media, { params: { mediaId } })
  expect((await viewer.fetch(sourcesOf(media)[0]?.url ?? '')).ok).toBe(true)
  await dispute(requestId, '$20')
  const finance = as(await buildUser(harness, { role: 'finance' }))
  const { items } = await finance.call(routes.disputes, { query: {} })
  const params = { disputeId: items.find(({ buyer }) => buyer._id === fan.id)?._id ?? '' }
  const { sections } = await finance.call(routes.disputeEvidence, { params })
  const facts = sections.flatMap((section) =>
    section.facts.map(({ label, value }) => `${section.title}: ${label}: ${value}`),
  )
  expect(facts).toEqual(
    expect.arrayContaining([
      `What was bought: Buyer’s request: ${WISH.requestMessage}`,
      'What was bought: Agreed delivery: Within 3 days',
      expect.stringMatching(/^What was bought: Delivered: \d/),
      'What was bought: Item 1: A song (image)',
      expect.stringMatching(/^Access: Viewed “A song”: .* from 127\.0\.0\.0/),
    ]),
  )
})

test('the days to deliver stand still while a dispute is open', async () => {
  const requestId = await askAndPay()
  const before = (await cardOf())?.deliverBy ?? ''
  harness.clock.advance(2 * DAY_MS)
  const decide = await dispute(requestId, '$20')
  harness.clock.advance(35 * DAY_MS)
  await giveBack()
  expect(await stateOf()).toBe('disputed')
  await decide('won')
  await giveBack()
  const after = await cardOf()
  expect(after?.state).toBe('paid')
  expect(Date.parse(after?.deliverBy ?? '')).toBeGreaterThanOrEqual(Date.parse(before) + 35 * DAY_MS)
  harness.clock.advance(DAY_MS - HOUR_MS)
  await giveBack()
  const back = { ...creator, token: await buildSession(harness, creator.id) }
  expect(await deliver(requestId, [await buildMedia(harness, creator)], back)).toMatchObject({ status: 200 })
})

test.each([
  ['$20', 'won', '$16'],
  ['$20', 'lost', '$0'],
  ['$5', 'won', '$16'],
  ['$5', 'lost', '$12'],
] as const)(
  'of one that isn’t delivered nothing can be paid out before the new date, once a dispute of %s is %s',
  async (amount, outcome, left) => {
    const requestId = await askAndPay()
    const balance = async () => {
      const api = as({ ...creator, token: await buildSession(harness, creator.id) })
      const { pending, available, reserved } = await api.call(routes.balance, { query: {} })
      return { pending, available, reserved }
    }
    harness.clock.advance(DAY_MS)
    const decide = await dispute(requestId, amount)
    harness.clock.advance(29 * DAY_MS)
    expect(await balance()).toEqual({ pending: '$0', available: '$0', reserved: '$16' })
    await decide(outcome)
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    const back = { ...creator, token: await buildSession(harness, creator.id) }
    if (left !== '$0')
      expect(await deliver(requestId, [await buildMedia(harness, creator)], back)).toMatchObject({
        status: 200,
      })
    harness.clock.advance(9 * DAY_MS - HOUR_MS)
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    harness.clock.advance(2 * HOUR_MS)
    expect(await balance()).toEqual({ pending: '$0', available: left, reserved: '$0' })
  },
)

test('one that isn’t delivered after a dispute was won leaves its creator nothing', async () => {
  const requestId = await askAndPay()
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const decide = await dispute(requestId, '$5')
  harness.clock.advance(30 * DAY_MS)
  await decide('won')
  harness.clock.advance(3 * DAY_MS + HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const api = as({ ...creator, token: await buildSession(harness, creator.id) })
  expect(await api.call(routes.balance, { query: {} })).toMatchObject({
    ...{ pending: '$0', available: '$0', reserved: '$0' },
  })
})

test('what is not delivered once those days are over is refunded, and of what a bank kept a part the rest', async () => {
  const requestId = await askAndPay()
  // A settled payment can be refunded in part.
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const decide = await dispute(requestId, '$5')
  harness.clock.advance(10 * DAY_MS)
  await decide('lost')
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('paid')
  harness.clock.advance(2 * HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const refunds = await harness.context.db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.amount_cents', 'refunds.status'])
    .where('item_id', '=', requestId)
    .execute()
  expect(refunds).toEqual([{ amount_cents: 1500, status: 'refunded' }])
})

describe('a tip', () => {
  test('stands in the conversation of both once it is paid, whoever may write to the creator', async () => {
    await as(creator).call(routes.setChatSettings, { body: { audience: 'subscribers', welcomeMessage: '' } })
    const { body } = await tip('$10')
    expect(await conversation(creator, fan)).toMatchObject({
      conversation: { unread: 1, lastMessage: { tip: { amount: '$10', refunded: false } } },
      messages: [{ senderId: fan.id, content: '', tip: { amount: '$10', refunded: false } }],
    })
    // Payment doesn't give the right to write.
    expect(await conversation()).toMatchObject({
      messages: [{ tip: { amount: '$10' } }],
      refusal: { code: 'subscribers_only' },
    })
    const { conversation: before } = await conversation()
    await refund((body as { _id: string })._id, '$10')
    expect((await conversation(fan, creator, before.revision)).messages).toMatchObject([
      { tip: { amount: '$10', refunded: true } },
    ])
    await tip('$2.50')
    expect((await conversation()).messages.map((message) => message.tip?.amount)).toEqual(['$10', '$2.50'])
    const [shown] = (await conversation()).messages
    const socket = await connect(harness, creator)
    const thanks = messageOf(creator, fan, { replyTo: shown?._id })
    expect(await socket.emit('chat message', thanks)).toMatchObject({
      message: { replyTo: { content: '', tip: '$10', deleted: false } },
    })
    socket.close()
  })

  test('that is declined stands nowhere', async () => {
    const card = await cardToken(harness, TEST_CARDS.declined)
    const answer = await as(fan).send('POST', '/users/purchase', {
      body: { kind: 'tip', itemId: creator.id, amount: '$10', ...card },
    })
    expect(answer.status).toBe(402)
    expect((await conversation()).messages).toEqual([])
  })
})
