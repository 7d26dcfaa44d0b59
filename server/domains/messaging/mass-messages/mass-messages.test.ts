import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/route.ts'
import { buildFollowed } from '../../../testing/audiences.ts'
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
import { messageOf, until } from '../../../testing/chat.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { replaceFile, replaceMeanwhile } from '../../../testing/media-files.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'
import { BATCH, holdMassMessage, sendBatch } from './sending/actions.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => chat.closeSockets())
afterAll(() => harness?.stop())

const MINUTE_MS = 60_000
const fresh = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
const follow = (fan: Person, creator: Person) =>
  harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
const conversation = async (person: Person, other: Person) =>
  (await fresh(person)).call(routes.messages, { query: { recipientId: other.id } })
const inbox = async (person: Person) =>
  (await (await fresh(person)).call(routes.conversations, { query: {} })).conversations

type Body = Partial<Input<typeof routes.saveMassMessage>['body']>
async function send(creator: Person, body: Body = {}) {
  return (await fresh(creator)).call(routes.saveMassMessage, {
    body: { content: 'New set is up', audience: 'followers', ...body },
  })
}
const refusal = (creator: Person, body: Body) =>
  send(creator, body).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
async function shown(creator: Person, id: string) {
  const { items } = await (await fresh(creator)).call(routes.massMessages, { query: {} })
  return items.find(({ _id }) => _id === id)
}
const unsend = async (creator: Person, massMessageId: string) =>
  (await fresh(creator)).call(routes.unsendMassMessage, { body: { massMessageId } })
const soon = (minutes: number) => new Date(harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString()

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

// Before there are thousands of fans: an hour later each of them would get an email.
describe('at a set time', () => {
  test('it waits, can be changed and canceled, and goes once its time has come', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const waiting = await send(creator, { sendAt: soon(60) })
    expect(waiting).toMatchObject({ status: 'scheduled', sent: 0, canUnsend: false })
    const canceled = await send(creator, { content: 'Never', sendAt: soon(30) })
    await send(creator, { massMessageId: waiting._id, content: 'Changed', sendAt: soon(90) })
    await (await fresh(creator)).call(routes.cancelMassMessage, { body: { massMessageId: canceled._id } })
    harness.clock.advance(61 * MINUTE_MS)
    await harness.runJobs()
    expect(await inbox(fan)).toEqual([])
    harness.clock.advance(30 * MINUTE_MS)
    await harness.runJobs()
    expect((await conversation(fan, creator)).messages.map(({ content }) => content)).toEqual(['Changed'])
    expect(await refusal(creator, { massMessageId: waiting._id })).toBe('mass_message_started')
    expect(await refusal(creator, { massMessageId: canceled._id })).toBe('mass_message_not_found')
    const late = { body: { massMessageId: waiting._id } }
    await expect((await fresh(creator)).call(routes.cancelMassMessage, late)).rejects.toMatchObject({
      code: 'mass_message_started',
    })
  })

  test('what was taken down since is left out, or isn’t sold at all, and the creator is told', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const [good, bad] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const free = await send(creator, { mediaIds: [bad, good], sendAt: soon(10) })
    const sold = await send(creator, {
      content: 'For sale',
      mediaIds: [bad, good],
      price: '$5',
      sendAt: soon(10),
    })
    await takeDown(bad)
    expect(await refusal(creator, { mediaIds: [bad] })).toBe('attachment_unavailable')
    harness.clock.advance(11 * MINUTE_MS)
    await harness.runJobs()
    expect(await shown(creator, free._id)).toMatchObject({ status: 'sent', sent: 1, leftOut: 1 })
    expect(await shown(creator, sold._id)).toMatchObject({ status: 'failed', sent: 0, leftOut: 1 })
    const { messages } = await conversation(fan, creator)
    expect(
      messages.map(({ content, attachments }) => [content, attachments.map(({ media }) => media._id)]),
    ).toEqual([['New set is up', [good]]])
    expect(await told(creator)).toEqual(
      new Set([
        { sent: true, leftOut: 1 },
        { sent: false, leftOut: 1, why: 'attachment_unavailable' },
      ]),
    )
  })

  test('what couldn’t be sent says why, and is changed and sent all the same', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const [good, bad] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const sold = { content: 'For sale', mediaIds: [bad, good], price: '$5' }
    const { _id } = await send(creator, { ...sold, sendAt: soon(10) })
    await takeDown(bad)
    harness.clock.advance(11 * MINUTE_MS)
    await harness.runJobs()
    expect(await shown(creator, _id)).toMatchObject({
      ...{ status: 'failed', content: 'For sale', leftOut: 1 },
      failure: 'Some of its media is no longer available.',
    })
    expect(await refusal(creator, { ...sold, massMessageId: _id })).toBe('attachment_unavailable')
    const again = await send(creator, { ...sold, massMessageId: _id, mediaIds: [good] })
    expect(again).toMatchObject({ _id, status: 'sending', failure: null, leftOut: 0 })
    await harness.runJobs()
    expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: 1, leftOut: 0 })
    expect((await conversation(fan, creator)).messages).toMatchObject([
      { content: 'For sale', price: '$5', attachments: [{ media: { _id: good } }] },
    ])
    expect(await refusal(creator, { ...sold, massMessageId: _id, mediaIds: [good] })).toBe(
      'mass_message_started',
    )
  })
})

const takeDown = (mediaId: string) =>
  harness.context.db
    .updateTable('media')
    .set({ quarantined_at: harness.clock.now() })
    .where('id', '=', mediaId)
    .execute()

/** The events that this creator got about their mass messages. */
async function told(creator: Person) {
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select('data')
    .where('user_id', '=', creator.id)
    .where('kind', '=', 'mass-message.changed')
    .execute()
  return new Set(rows.map(({ data }) => data))
}

test('what everyone sees for free isn’t sold, whenever it became free', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await follow(fan, creator)
  const mediaId = await buildMedia(harness, creator)
  const sold = await send(creator, { mediaIds: [mediaId], price: '$5', sendAt: soon(10) })
  await harness.api.as(creator).call(routes.editMedia, { body: { mediaId, mustUnlock: false } })
  expect(await refusal(creator, { mediaIds: [mediaId], price: '$5' })).toBe('attachment_is_free')
  harness.clock.advance(11 * MINUTE_MS)
  await harness.runJobs()
  expect(await shown(creator, sold._id)).toMatchObject({
    status: 'failed',
    sent: 0,
    failure: expect.stringContaining('for free'),
  })
})

test('ten go out on one day, whenever they were made', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await follow(fan, creator)
  const made = await send(creator, { sendAt: soon(7 * 24 * 60) })
  await harness.context.db
    .updateTable('mass_messages')
    .set({ created_at: new Date(harness.clock.now().getTime() - 2 * 24 * 60 * MINUTE_MS) })
    .where('id', '=', made._id)
    .execute()
  const { sendAt } = made
  for (let more = 0; more < 9; more++) expect(await refusal(creator, { sendAt })).toBe('accepted')
  expect(await refusal(creator, { sendAt })).toBe('mass_messages_that_day')
  // One of the ten can still be edited.
  expect(await refusal(creator, { massMessageId: made._id, content: 'Changed', sendAt })).toBe('accepted')
  expect(await refusal(creator, { sendAt: soon(9 * 24 * 60) })).toBe('accepted')
  expect(await refusal(creator, { massMessageId: made._id, sendAt: soon(9 * 24 * 60) })).toBe('accepted')
})

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
    await harness.api.as({ token }).call(routes.refund, {
      body: { transactionId, amount: '$9.99', reason: 'Asked for by the fan' },
    })
    expect(await shown(creator, offer._id)).toMatchObject({ bought: 0, earned: '$0' })
    expect(await spent()).toBe('$0')
  })
})

describe('while it is being sent', () => {
  test('a file that is replaced stays for those who get it', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const mediaId = await buildMedia(harness, creator)
    await send(creator, { mediaIds: [mediaId] })
    await replaceFile(harness, mediaId, 'another file')
    await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
    await harness.runJobs()
    expect(await chat.newestFile(harness, fan, creator)).toMatch(/^bytes of a test item/)
  })

  test('a file that is replaced while the message is being saved stays, too', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const mediaId = await buildMedia(harness, creator)
    const api = await fresh(creator)
    const body = { content: 'New set is up', audience: 'followers' as const, mediaIds: [mediaId] }
    await replaceMeanwhile(harness, mediaId, {
      // The message refers to its sender.
      hold: (tx) => tx.selectFrom('users').select('id').where('id', '=', creator.id).forUpdate().execute(),
      send: () => api.call(routes.saveMassMessage, { body }),
    })
    await harness.runJobs()
    expect(await chat.newestFile(harness, fan, creator)).toMatch(/^bytes of a test item/)
  })

  test('who reads it doesn’t wait for the next batch', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await follow(fan, creator)
    const { _id } = await send(creator)
    await harness.runJobs()
    const [message] = (await conversation(fan, creator)).messages
    const socket = await chat.connect(harness, fan)
    await harness.context.db.transaction().execute(async (tx) => {
      await holdMassMessage(tx, _id)
      const read = { _id: message?._id ?? '', conversationId: message?.conversationId ?? '' }
      expect(await socket.emit('markAsRead', read)).toMatchObject({ ok: true })
    })
    expect(await shown(creator, _id)).toMatchObject({ opened: 1 })
  })
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

test('what was taken down on the way goes to nobody else, and what was sold with it stops', async () => {
  const { creator } = await buildFollowed(harness, BATCH + 1)
  const [good, bad] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const ids = await Promise.all(
    [{}, { price: '$5' }].map(async (more) => (await send(creator, { mediaIds: [bad, good], ...more }))._id),
  )
  for (const id of ids)
    await harness.context.db.transaction().execute(async (tx) => {
      const held = await holdMassMessage(tx, id)
      if (held) await sendBatch(tx, held, harness.clock.now())
    })
  await takeDown(bad)
  await harness.runJobs()
  const [free = '', sold = ''] = ids
  expect(await shown(creator, free)).toMatchObject({ status: 'sent', sent: BATCH + 1, leftOut: 1 })
  expect(await shown(creator, sold)).toMatchObject({
    ...{ status: 'failed', sent: BATCH, leftOut: 1, canUnsend: true },
    failure: 'Some of its media is no longer available.',
  })
  const sent = await harness.context.db
    .selectFrom('messages')
    .innerJoin('message_attachments', 'message_id', 'messages.id')
    .select((eb) => ['media_id', eb.fn.countAll<number>().as('messages')])
    .where('mass_message_id', '=', free)
    .groupBy('media_id')
    .execute()
  expect(new Map(sent.map(({ media_id, messages }) => [media_id, messages]))).toEqual(
    new Map([
      [good, BATCH + 1],
      [bad, BATCH],
    ]),
  )
  expect(await told(creator)).toEqual(
    new Set([{ sent: false, stopped: true, leftOut: 1, why: 'attachment_unavailable' }]),
  )
})

test('what went out before its creator was suspended can be taken back once they aren’t anymore', async () => {
  const { creator } = await buildFollowed(harness, BATCH + 1)
  const { _id } = await send(creator)
  const { db, clock } = harness.context
  await db.transaction().execute(async (tx) => {
    const held = await holdMassMessage(tx, _id)
    if (held) await sendBatch(tx, held, clock.now())
  })
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'superadmin' }))
  await operator.call(routes.suspendPerson, { body: { userId: creator.id, reason: 'Looking into it' } })
  await harness.runJobs()
  await operator.call(routes.reinstatePerson, { body: { userId: creator.id, reason: 'All is well' } })
  expect(await shown(creator, _id)).toMatchObject({ status: 'failed', sent: BATCH, canUnsend: true })
  await unsend(creator, _id)
  await harness.runJobs()
  expect(await shown(creator, _id)).toMatchObject({ status: 'unsent', failure: null, unsent: BATCH })
})

// Last, because every one of these people gets an email once the clock moves on.
describe('to more people than one batch', () => {
  test('everybody once, page after page of them, with one message beside what they wrote before', async () => {
    const { creator, followerIds } = await buildFollowed(harness, 1203)
    const fan = await buildFan(harness)
    await follow(fan, creator)
    const socket = await chat.connect(harness, fan)
    expect(await socket.emit('chat message', messageOf(fan, creator))).toMatchObject({ ok: true })
    const own = await chat.connect(harness, creator)
    const { _id, expected } = await send(creator)
    expect(expected).toBe(1204)
    // Two workers of the same message take turns.
    const work = () =>
      harness.server.jobs['messages.mass']({ massMessageId: _id }, { attempt: 1, lastAttempt: false })
    await Promise.all([work(), work(), work()])
    await harness.runJobs()
    const counts = await harness.context.db
      .selectFrom('messages')
      .innerJoin('conversation_members as me', 'me.conversation_id', 'messages.conversation_id')
      .select((eb) => ['me.user_id', eb.fn.countAll<number>().as('messages')])
      .where('mass_message_id', '=', _id)
      .whereRef('me.user_id', '<>', 'sender_id')
      .groupBy('me.user_id')
      .execute()
    expect(counts.map((row) => row.user_id).sort()).toEqual([...followerIds, fan.id].sort())
    expect(counts.every(({ messages }) => messages === 1)).toBe(true)
    expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: 1204, opened: 0, bought: 0 })
    // An open connection receives it like any message; the creator's connection isn't notified of each.
    await until(() => socket.all('chat message').length === 2)
    expect(socket.all('chat message')[1]).toMatchObject({
      message: { content: 'New set is up', position: 2, toMany: false },
      conversation: { unread: 1 },
    })
    // The creator's other tabs get one event, and load what they show.
    await until(() => own.all('conversations changed').length === 1)
    // The fan's message may still have been on its way when the creator connected.
    expect(own.all('chat message').filter(({ message }) => message.senderId === creator.id)).toEqual([])
    expect((await conversation(creator, fan)).messages.map(({ toMany }) => toMany)).toEqual([false, true])
    // An active conversation stays above those with only the mass message.
    expect((await inbox(creator))[0]?.participants.map((one) => one._id)).toContain(fan.id)
  })

  test('free media is taken back from all, while it is still being sent, and nobody else gets it', async () => {
    const { creator, followerIds } = await buildFollowed(harness, 700)
    const fan = await buildFan(harness)
    await follow(fan, creator)
    const mediaId = await buildMedia(harness, creator)
    const socket = await chat.connect(harness, fan)
    const { _id } = await send(creator, { mediaIds: [mediaId] })
    const work = () =>
      harness.server.jobs['messages.mass']({ massMessageId: _id }, { attempt: 1, lastAttempt: false })
    const working = work()
    // Newest fans first: the fan is in the first batch, the 700th follower is not.
    await until(() => socket.all('chat message').length === 1)
    const own = await chat.connect(harness, creator)
    const stopped = await unsend(creator, _id)
    expect(['unsending', 'unsent']).toContain(stopped.status)
    await working
    await harness.runJobs()
    const after = await shown(creator, _id)
    expect(after).toMatchObject({ status: 'unsent', unsent: after?.sent, canUnsend: false })
    const { live, granted } = await harness.context.db
      .selectFrom('messages')
      .leftJoin('entitlements', (join) =>
        join
          .onRef('source_id', '=', 'messages.id')
          .on('revoked_at', 'is', null)
          .on('source_kind', '=', 'message'),
      )
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('deleted_at', 'is', null).as('live'),
        eb.fn.count<number>('entitlements.id').as('granted'),
      ])
      .where('mass_message_id', '=', _id)
      .executeTakeFirstOrThrow()
    expect({ live, granted }).toEqual({ live: 0, granted: 0 })
    expect(followerIds).toHaveLength(700)
    // A second time where it had gone to everyone before it was taken back.
    await until(() => own.all('conversations changed').length >= 1)
    await until(() => socket.all('message changed').length === 1)
    expect(socket.all('message changed')[0]).toMatchObject({
      message: { content: '', attachments: [] },
      conversation: { unread: 0, lastMessage: null },
    })
    expect((await (await fresh(fan)).call(routes.me, {})).unlockedMedia).toEqual([])
  })
})
