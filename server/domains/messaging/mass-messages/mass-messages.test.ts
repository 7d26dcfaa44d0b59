import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { until } from '../../../testing/chat.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { MINUTE_MS, massMessages } from '../../../testing/mass-messages.ts'
import { refundPayment } from '../../../testing/refunds.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => chat.closeSockets())
afterAll(() => harness?.stop())

const { fresh, follow, conversation, inbox, send, refusal, shown, unsend, soon } = massMessages(() => harness)

/** A fan's subscription to the creator, as a free trial; ended ones are in the past. */
async function subscribe(fan: Person, creator: Person, planId: string, ended: boolean) {
  const now = harness.clock.now()
  await harness.context.db
    .insertInto('subscriptions')
    .values({
      plan_id: planId,
      fan_id: fan.id,
      creator_id: creator.id,
      price_cents: 500,
      status: ended ? 'expired' : 'trialing',
      anchor_at: now,
      current_period_end: now,
      created_at: now,
      ended_at: ended ? now : null,
    })
    .execute()
}

describe('who gets it', () => {
  test('those whom it is for, and nobody who is blocked, hidden, left out, or takes none', async () => {
    const [creator, stranger] = [await buildCreator(harness), await buildFan(harness)]
    const planId = await buildPlan(harness, creator)
    // Every combination of what a person can be to the creator; the model below says who gets which message.
    const kinds = ['followers', 'subscribers', 'expired'] as const
    const states = ['plain', 'blocked', 'blocks', 'hidden', 'excluded', 'selective'] as const
    const people: {
      person: Person
      kind: (typeof kinds)[number]
      state: (typeof states)[number]
      listed: boolean
    }[] = []
    for (const kind of kinds)
      for (const state of states)
        for (const listed of [true, false]) {
          const person = await (state === 'selective' ? buildCreator(harness) : buildFan(harness))
          if (kind === 'followers') await follow(person, creator)
          else await subscribe(person, creator, planId, kind === 'expired')
          people.push({ person, kind, state, listed })
        }
    const api = await fresh(creator)
    const [list, excluded] = await Promise.all(
      ['Best', 'Not these'].map((name) => api.call(routes.saveFanList, { body: { name } })),
    )
    const idsOf = (which: typeof people) => which.map(({ person }) => person.id)
    await api.call(routes.changeFanList, {
      body: { listId: list?._id ?? '', add: idsOf(people.filter(({ listed }) => listed)) },
    })
    await api.call(routes.changeFanList, {
      body: { listId: excluded?._id ?? '', add: idsOf(people.filter(({ state }) => state === 'excluded')) },
    })
    for (const { person, state } of people) {
      if (state === 'blocked') await api.call(routes.block, { body: { blockedId: person.id } })
      if (state === 'blocks')
        await harness.api.as(person).call(routes.block, { body: { blockedId: creator.id } })
      if (state === 'hidden')
        await harness.context.db
          .updateTable('users')
          .set({ deletion_requested_at: harness.clock.now() })
          .where('id', '=', person.id)
          .execute()
      if (state === 'selective')
        await harness.api
          .as(person)
          .call(routes.setChatSettings, { body: { audience: 'subscribers', welcomeMessage: '' } })
    }
    for (const audience of [...kinds, 'list'] as const) {
      const aimed = {
        audience,
        excludedListId: excluded?._id ?? '',
        ...(audience === 'list' ? { listId: list?._id ?? '' } : {}),
      }
      const { people: counted } = await api.call(routes.countMassAudience, { query: aimed })
      const chosen = people.filter(({ kind, listed }) => (audience === 'list' ? listed : kind === audience))
      const expected = idsOf(chosen.filter(({ state }) => state === 'plain')).sort()
      // A person who doesn't accept messages from strangers is skipped during sending.
      expect(counted).toBe(chosen.filter(({ state }) => state === 'plain' || state === 'selective').length)
      const { _id } = await api.call(routes.saveMassMessage, {
        body: { content: `To ${audience}`, ...aimed },
      })
      await harness.runJobs()
      const got = await harness.context.db
        .selectFrom('messages')
        .innerJoin('conversation_members as me', 'me.conversation_id', 'messages.conversation_id')
        .select('me.user_id')
        .where('mass_message_id', '=', _id)
        .whereRef('me.user_id', '<>', 'sender_id')
        .execute()
      expect(got.map(({ user_id }) => user_id).sort()).toEqual(expected)
      expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: expected.length })
    }
    expect(await inbox(stranger)).toEqual([])
  })
})

describe('what it holds', () => {
  test('free media opens for all; what is priced is bought by one, counted, and given back', async () => {
    const creator = await buildCreator(harness)
    const [buyer, other] = [await buildFan(harness), await buildFan(harness)]
    for (const fan of [buyer, other]) await follow(fan, creator)
    const [free, sold] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const gift = await send(creator, { mediaIds: [free] })
    const offer = await send(creator, { content: '', mediaIds: [sold], price: '$9.99' })
    await harness.runJobs()
    for (const fan of [buyer, other]) {
      const { messages } = await conversation(fan, creator)
      expect(messages.map(({ attachments }) => attachments[0]?.url !== null)).toEqual([true, false])
      expect((await (await fresh(fan)).call(routes.me, {})).unlockedMedia).toEqual([free])
    }
    const [, message] = (await conversation(buyer, creator)).messages
    const socket = await chat.connect(harness, buyer)
    await socket.emit('markAsRead', {
      _id: message?._id ?? '',
      conversationId: message?.conversationId ?? '',
    })
    await until(async () => (await shown(creator, offer._id))?.opened === 1)
    expect(await shown(creator, gift._id)).toMatchObject({ opened: 1, bought: 0, earned: '$0' })
    const body = { kind: 'message', itemId: message?._id, ...(await cardToken(harness)) }
    const paid = await (await fresh(buyer)).send('POST', '/users/purchase', { body })
    expect(paid.status).toBe(200)
    expect(await shown(creator, offer._id)).toMatchObject({ sent: 2, opened: 1, bought: 1, earned: '$8' })
    expect(await shown(creator, gift._id)).toMatchObject({ bought: 0 })
    expect((await conversation(other, creator)).messages[1]).toMatchObject({ purchased: false })
    // Unsending takes the media back from people who didn't buy it, and no other gift.
    await unsend(creator, offer._id)
    await harness.runJobs()
    expect(await shown(creator, offer._id)).toMatchObject({ status: 'unsent', sent: 2, unsent: 1, bought: 1 })
    expect((await conversation(buyer, creator)).messages[1]).toMatchObject({
      deletedAt: null,
      purchased: true,
    })
    const left = await conversation(other, creator)
    expect(left.messages[1]).toMatchObject({ content: '', attachments: [] })
    expect(left.messages[1]?.deletedAt).not.toBeNull()
    expect(left.conversation.unread).toBe(1)
    const operator = await buildUser(harness, { role: 'superadmin' })
    const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
    const { _id: transactionId } = paid.body as { _id: string }
    const spent = async () =>
      (await (await fresh(creator)).call(routes.fan, { query: { fanId: buyer.id } })).spent
    expect(await spent()).toBe('$9.99')
    await refundPayment(harness.api.as({ token }), { transactionId, amount: '$9.99' })
    expect(await shown(creator, offer._id)).toMatchObject({ bought: 0, earned: '$0' })
    expect(await spent()).toBe('$0')
  })
})

test('that was unsent leaves no empty conversation in anybody’s list, and none of what they wrote is lost', async () => {
  const { creator, fan } = await chat.buildPair(harness)
  const writer = await buildFan(harness, { discoverable: true })
  for (const one of [fan, writer]) await follow(one, creator)
  const socket = await chat.connect(harness, writer)
  const sent = await socket.emit('chat message', chat.messageOf(writer, creator))
  const { _id } = await send(creator)
  await harness.runJobs()
  const messageId = (sent.ok && sent.message?._id) || ''
  await (await fresh(writer)).call(routes.deleteMessage, { body: { messageId } })
  await unsend(creator, _id)
  await harness.runJobs()
  const lists = [await inbox(fan), await inbox(writer), await inbox(creator)]
  expect(lists.map((list) => list.map(({ unread }) => unread))).toEqual([[], [0], [0]])
  await send(creator, { content: 'Another one' })
  await harness.runJobs()
  expect(await inbox(fan)).toMatchObject([{ unread: 1, lastMessage: { content: 'Another one' } }])
})

test('one is read by its id, by its creator alone', async () => {
  const [creator, other] = [await buildCreator(harness), await buildCreator(harness)]
  const { _id: massMessageId } = await send(creator, { sendAt: soon(60) })
  const read = async (person: typeof creator) =>
    (await fresh(person)).call(routes.massMessage, { query: { massMessageId } })
  expect(await read(creator)).toEqual(await shown(creator, massMessageId))
  await expect(read(other)).rejects.toMatchObject({ code: 'mass_message_not_found' })
})

test('ten a day, for somebody, with something in it, from nobody who is leaving', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  expect(await refusal(creator, {})).toBe('mass_message_for_nobody')
  await follow(fan, creator)
  expect(await refusal(creator, { content: '' })).toBe('message_empty')
  expect(await refusal(creator, { price: '$5' })).toBe('price_without_attachments')
  expect(await refusal(creator, { sendAt: soon(-1) })).toBe('send_time_passed')
  expect(await refusal(creator, { mediaIds: [await buildMedia(harness, fan)] })).toBe(
    'attachment_unavailable',
  )
  const other = await buildCreator(harness)
  const foreign = await (await fresh(other)).call(routes.saveFanList, { body: { name: 'Theirs' } })
  expect(await refusal(creator, { audience: 'list', listId: foreign._id })).toBe('fan_list_not_found')
  expect(await refusal(creator, { excludedListId: foreign._id })).toBe('fan_list_not_found')
  const probing = { audience: 'followers' as const, excludedListId: foreign._id }
  const counted = (await fresh(creator)).call(routes.countMassAudience, { query: probing })
  await expect(counted).rejects.toMatchObject({ code: 'fan_list_not_found' })
  const answers = await Promise.all(Array.from({ length: 12 }, () => refusal(creator, { sendAt: soon(5) })))
  expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(10)
  expect(answers.filter((answer) => answer === 'mass_messages_used_up')).toHaveLength(2)
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', '=', creator.id)
    .execute()
  harness.clock.advance(6 * MINUTE_MS)
  await harness.runJobs()
  expect(await inbox(fan)).toEqual([])
})
