import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { replaceFile } from '../../../../testing/media-files.ts'
import { buildMessage, NO_TRACES, ONE_SALE, purchaseTraces } from '../../../../testing/purchases.ts'
import { refundPayment } from '../../../../testing/refunds.ts'

let harness: Harness
let creator: Person
let fan: Person
let attached: string[]
let messageId: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  attached = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  // Creators write to those who follow them.
  await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  messageId = await buildMessage(harness, creator, fan, { mediaIds: attached, price: '$9.99' })
})

const traces = (person = fan) => purchaseTraces(harness, person)

async function buy(by = fan, body: object = {}) {
  const api = harness.api.as({ token: await buildSession(harness, by.id) })
  const card = await cardToken(harness)
  return api.send('POST', '/users/purchase', {
    body: { kind: 'message', itemId: messageId, ...card, ...body },
  })
}

/** The fan's view of the message: whether it was bought, and which of its files they can open. */
async function seen(by = fan, recipientId = creator.id) {
  const api = harness.api.as({ token: await buildSession(harness, by.id) })
  const { messages } = await api.call(routes.messages, { query: { recipientId } })
  const [message] = messages
  return {
    purchased: message?.purchased,
    open: message?.attachments.filter(({ url }) => url !== null).length,
  }
}

/** Which attachments of the newest message the fan can open, and in which version where it isn’t the item’s present one. */
async function shownVersions() {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const { messages } = await api.call(routes.messages, { query: { recipientId: creator.id } })
  const shown = messages.find(({ _id }) => _id === messageId)
  return shown?.attachments.map(({ url, media }) => ({ open: url !== null, versionId: media.versionId }))
}

test('is bought once by whom it was sent to, who then sees all of it', async () => {
  expect(await seen()).toEqual({ purchased: false, open: 0 })
  const answer = await buy(fan, { price: '$9.99', itemCount: 2 })
  expect(answer).toMatchObject({ status: 200, body: { status: 'captured', title: '2 items in a message' } })
  expect(await seen()).toEqual({ purchased: true, open: 2 })
  expect(await seen(creator, fan.id)).toEqual({ purchased: true, open: 2 })
  expect(await buy()).toMatchObject({ status: 409, body: { code: 'already_owned' } })
  expect(await traces()).toEqual(ONE_SALE)
})

test('fifty clicks at once charge once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => buy()))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => status < 500)).toBe(true)
  expect(await traces()).toEqual(ONE_SALE)
})

describe('nothing is charged', () => {
  test('of somebody it was not sent to, and of its sender', async () => {
    const stranger = await buildFan(harness)
    expect(await buy(stranger)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await buy(creator)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await traces(stranger)).toEqual(NO_TRACES)
    expect(await traces(creator)).toEqual(NO_TRACES)
  })

  test('once it was deleted, and then nobody opens its files', async () => {
    const api = harness.api.as({ token: await buildSession(harness, creator.id) })
    await api.call(routes.deleteMessage, { body: { messageId } })
    expect(await buy()).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await traces()).toEqual(NO_TRACES)
  })

  test('when one of its items was taken down', async () => {
    const now = harness.clock.now()
    await harness.context.db
      .updateTable('media')
      .set({ quarantined_at: now })
      .where('id', '=', attached[0] as string)
      .execute()
    expect(await buy()).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await traces()).toEqual(NO_TRACES)
  })

  test('when the files of one of its items are gone', async () => {
    const now = harness.clock.now()
    await harness.context.db
      .updateTable('media_versions')
      .set({ purged_at: now })
      .where('media_id', '=', attached[1] as string)
      .execute()
    expect(await buy()).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await traces()).toEqual(NO_TRACES)
  })

  test('once one of its items is free for everyone, as long as it is', async () => {
    const api = harness.api.as({ token: await buildSession(harness, creator.id) })
    const free = (mustUnlock: boolean) =>
      api.call(routes.editMedia, { body: { mediaId: attached[0] as string, mustUnlock } })
    await free(false)
    expect(await seen()).toEqual({ purchased: false, open: 1 })
    expect(await buy()).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await traces()).toEqual(NO_TRACES)
    // Who has it already sees as well that the message isn't sold.
    const operator = await buildUser(harness, { role: 'superadmin' })
    const gift = { customerId: fan.id, mediaId: attached[0] as string }
    await harness.api.as(operator).call(routes.unlockMedia, { body: gift })
    const { messages } = await harness.api
      .as(fan)
      .call(routes.messages, { query: { recipientId: creator.id } })
    const shown = messages[0]?.attachments.map(({ media }) => [media.owned, media.free])
    expect(shown).toEqual([
      [true, true],
      [undefined, undefined],
    ])
    await free(true)
    expect(await buy()).toMatchObject({ status: 200, body: { status: 'captured' } })
  })

  test('for another price or number of items than was shown', async () => {
    expect(await buy(fan, { price: '$5' })).toMatchObject({ status: 409, body: { code: 'price_changed' } })
    const other = await buy(fan, { itemCount: 3 })
    expect(other).toMatchObject({ status: 409, body: { code: 'contents_changed' } })
    expect(await traces()).toEqual(NO_TRACES)
  })
})

test('a bought one stays, and what was paid for is given back by a refund', async () => {
  const { body } = await buy()
  const api = harness.api.as({ token: await buildSession(harness, creator.id) })
  await expect(api.call(routes.deleteMessage, { body: { messageId } })).rejects.toMatchObject({
    code: 'message_bought',
  })
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const transactionId = (body as { _id: string })._id
  await refundPayment(harness.api.as({ token }), { transactionId, amount: '$9.99' })
  expect(await seen()).toEqual({ purchased: false, open: 0 })
})

test('while it is being paid, and once it is bought, it is neither changed nor deleted', async () => {
  const card = await cardToken(harness, TEST_CARDS.held)
  expect((await buy(fan, card)).status).toBe(202)
  const api = harness.api.as({ token: await buildSession(harness, creator.id) })
  const change = { messageId, content: 'Something else' }
  const being = { code: 'message_being_paid' }
  await expect(api.call(routes.editMessage, { body: change })).rejects.toMatchObject(being)
  await expect(api.call(routes.deleteMessage, { body: { messageId } })).rejects.toMatchObject(being)
  const mediaIds = [await buildMedia(harness, creator)]
  const other = await buildMessage(harness, creator, fan, { mediaIds, price: '$5' })
  messageId = other
  expect((await buy()).status).toBe(200)
  const bought = api.call(routes.editMessage, { body: { ...change, messageId: other } })
  await expect(bought).rejects.toMatchObject({ code: 'message_bought' })
})

test('a sale and its refund are found by who asks what changed since', async () => {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const query = { recipientId: creator.id }
  const { conversation } = await api.call(routes.messages, { query })
  const { body } = await buy()
  const sold = await api.call(routes.messages, { query: { ...query, since: conversation.revision } })
  expect(sold.messages).toMatchObject([{ _id: messageId, purchased: true }])
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const transactionId = (body as { _id: string })._id
  await refundPayment(harness.api.as({ token }), { transactionId, amount: '$9.99' })
  const since = sold.conversation.revision
  const { messages } = await api.call(routes.messages, { query: { ...query, since } })
  expect(messages).toMatchObject([{ _id: messageId, purchased: false }])
})

test('other messages with the same items change by a sale and its refund', async () => {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const query = { recipientId: creator.id }
  const other = await buildMessage(harness, creator, fan, { mediaIds: attached, price: '$17' })
  const stranger = await buildFan(harness)
  await harness.api.as(stranger).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await buildMessage(harness, creator, stranger, { mediaIds: attached, price: '$17' })
  const changed = async (since: number) => {
    const { messages, conversation } = await api.call(routes.messages, { query: { ...query, since } })
    const shown = messages.map(({ _id, attachments }) => [_id, attachments.some(({ url }) => url !== null)])
    return { shown: Object.fromEntries(shown), count: messages.length, revision: conversation.revision }
  }
  const { conversation } = await api.call(routes.messages, { query })
  const { body } = await buy()
  const sold = await changed(conversation.revision)
  expect(sold).toMatchObject({ shown: { [messageId]: true, [other]: true }, count: 2 })
  expect(sold.revision).toBe(conversation.revision + 2)
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const transactionId = (body as { _id: string })._id
  await refundPayment(harness.api.as({ token }), { transactionId, amount: '$9.99' })
  const refunded = await changed(sold.revision)
  expect(refunded).toMatchObject({ shown: { [messageId]: false, [other]: false }, count: 2 })
})

test('with a new version of a deleted item that they have, shows its recipient theirs, as it isn’t sold to them', async () => {
  expect((await buy()).status).toBe(200)
  const [mediaId = ''] = attached
  await replaceFile(harness, mediaId, 'new')
  messageId = await buildMessage(harness, creator, fan, { mediaIds: [mediaId], price: '$5' })
  const theirs = await shownVersions()
  await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId } })
  const first = await harness.context.db
    .selectFrom('order_items')
    .select('version_id')
    .where('media_id', '=', mediaId)
    .executeTakeFirstOrThrow()
  // While it was there, who has one version saw the present one.
  expect(theirs).toEqual([{ open: true, versionId: undefined }])
  expect(await shownVersions()).toEqual([{ open: true, versionId: first.version_id }])
  expect(await buy()).toMatchObject({ status: 409, body: { code: 'already_owned' } })
})

test('a charge whose answer was lost is found, and opens the message', async () => {
  const card = await cardToken(harness, TEST_CARDS.resetAfter)
  expect((await buy(fan, card)).status).toBe(202)
  expect(await seen()).toEqual({ purchased: false, open: 0 })
  harness.clock.advance(2 * 60_000)
  await harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
  expect(await seen()).toEqual({ purchased: true, open: 2 })
  expect(await traces()).toEqual(ONE_SALE)
})
