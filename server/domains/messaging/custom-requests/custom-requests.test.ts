import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { newestFile } from '../../../testing/chat.ts'
import { customRequests, WISH } from '../../../testing/custom-requests.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import type { Harness } from '../../../testing/harness.ts'
import { replaceFile, replaceMeanwhile } from '../../../testing/media-files.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'
import { emailsTo } from '../../../testing/security.ts'
import { lockConversation } from '../conversations/actions.ts'
import { conversationIdOf } from '../data.ts'

const {
  scene,
  as,
  ask,
  accept,
  decline,
  remove,
  deliver,
  pay,
  askAndPay,
  conversation,
  cardOf,
  stateOf,
  openOf,
  listed,
  mailsTo,
} = customRequests()
let harness: Harness
let creator: Person
let fan: Person
let stranger: Person

beforeAll(() => {
  ;({ harness } = scene)
})
beforeEach(() => {
  ;({ creator, fan, stranger } = scene)
})

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

test('what everybody sees for free is no delivery of a paid request', async () => {
  const free = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  const requestId = await askAndPay()
  expect(await deliver(requestId, [free])).toMatchObject({
    status: 409,
    body: { code: 'attachment_is_free' },
  })
  expect(await stateOf()).toBe('paid')
})

test('what the fan has for good is no delivery by itself, beside something new it is, and so is a new version of it', async () => {
  const [owned, fresh] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  expect((await deliver(await askAndPay(), [owned])).status).toBe(200)
  const requestId = await askAndPay()
  expect(await deliver(requestId, [owned, owned])).toMatchObject({
    status: 409,
    body: { code: 'attachments_owned' },
  })
  expect(await deliver(requestId, [randomUUID()])).toMatchObject({
    status: 400,
    body: { code: 'attachment_unavailable' },
  })
  expect((await deliver(requestId, [owned, fresh])).status).toBe(200)
  await replaceFile(harness, owned, 'new')
  expect((await deliver(await askAndPay(), [owned])).status).toBe(200)
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
  await accept(requestId, { price: '$30' })
  expect(await told(fan)).toEqual(['accepted'])
  expect(await mailsTo(fan)).toEqual([`${creator.username} changed the price of your custom request`])
  expect(JSON.stringify(await emailsTo(harness, fan.email))).toContain(
    'changed the price of your custom request from $20 to $30. Pay to get started.',
  )
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

  test('what is delivered is the file that it had, when that is replaced', async () => {
    const requestId = await askAndPay()
    const mediaId = await buildMedia(harness, creator)
    await replaceMeanwhile(harness, mediaId, {
      hold: (tx) => lockConversation(tx, conversationIdOf(creator.id, fan.id)),
      send: async () => expect(await deliver(requestId, [mediaId])).toMatchObject({ status: 200 }),
    })
    await harness.runJobs()
    expect(await newestFile(harness, fan, creator)).toMatch(/^bytes of a test item/)
  })
})

test('terms that changed are told, not charged, and a payment under review keeps the request as it is', async () => {
  const requestId = await ask()
  const answers = async () => (await mailsTo(fan)).filter((subject) => subject.endsWith('custom request'))
  const accepted = `${creator.username} accepted your custom request`
  const delivery = `${creator.username} changed the delivery time of your custom request`
  await accept(requestId, { price: '$20', deliveryDays: 3 })
  expect(await answers()).toEqual([accepted])
  await accept(requestId, { price: '$20', deliveryDays: 28 })
  expect(await pay(requestId, { price: '$20', deliveryDays: 3 })).toMatchObject({
    status: 409,
    body: { code: 'delivery_changed' },
  })
  expect(await answers()).toEqual([delivery, accepted])
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
