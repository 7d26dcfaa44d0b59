import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildFollowed } from '../../../../testing/audiences.ts'
import { buildCreator, buildFan, buildMedia, buildUser } from '../../../../testing/builders.ts'
import * as chat from '../../../../testing/chat.ts'
import { messageOf, until } from '../../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { MINUTE_MS, massMessages } from '../../../../testing/mass-messages.ts'
import { replaceFile, replaceMeanwhile } from '../../../../testing/media-files.ts'
import { insertSale } from '../../../../testing/purchases.ts'
import { reauthenticatedApi } from '../../../../testing/security.ts'
import { buildScene } from '../../../../testing/subscribers.ts'
import { BATCH, holdMassMessage, sendBatch } from './actions.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => chat.closeSockets())
afterAll(() => harness?.stop())

const { fresh, follow, conversation, inbox, send, shown, unsend, soon, takeDown, told } = massMessages(
  () => harness,
)

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

test('somebody who bought earlier and follows only after it began doesn’t get it', async () => {
  const { creator } = await buildFollowed(harness, BATCH + 1)
  const [buyer, former] = [await buildFan(harness), await buildFan(harness)]
  harness.clock.advance(-MINUTE_MS)
  await insertSale(harness, { buyer, creator })
  await follow(former, creator)
  harness.clock.advance(MINUTE_MS)
  const { _id } = await send(creator)
  await harness.context.db.transaction().execute(async (tx) => {
    const held = await holdMassMessage(tx, _id)
    if (held) await sendBatch(tx, held, harness.clock.now())
  })
  harness.clock.advance(1000)
  await follow(buyer, creator)
  await harness.runJobs()
  expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: BATCH + 2 })
  expect([await inbox(buyer), (await inbox(former)).length]).toEqual([[], 1])
})

test.each(['subscribers', 'expired'] as const)(
  'of a message to %s only those get it who were that when it began',
  async (audience) => {
    const scene = await buildScene(harness)
    const { creator, fan: early } = scene
    const late = await buildFan(harness)
    await scene.follows(late)
    const end = async () => {
      harness.clock.advance(2 * DAY_MS)
      await harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
    }
    await scene.giveDays(1)
    if (audience === 'expired') await end()
    if (audience === 'expired') await scene.giveDays(1, { to: late })
    const { _id, expected } = await send(creator, { audience })
    expect(expected).toBe(1)
    harness.clock.advance(1000)
    if (audience === 'expired') await end()
    else await scene.giveDays(1, { to: late })
    await harness.runJobs()
    expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: 1 })
    expect([(await inbox(early)).length, await inbox(late)]).toEqual([1, []])
  },
)

test('who got one before it stopped is told of it as of any other', async () => {
  const { creator } = await buildFollowed(harness, BATCH + 1)
  const bad = await buildMedia(harness, creator)
  const { _id } = await send(creator, { mediaIds: [bad], price: '$5' })
  await harness.context.db.transaction().execute(async (tx) => {
    const held = await holdMassMessage(tx, _id)
    if (held) await sendBatch(tx, held, harness.clock.now())
  })
  await takeDown(bad)
  await harness.runJobs()
  expect(await shown(creator, _id)).toMatchObject({ status: 'failed', sent: BATCH })
  harness.clock.advance(11_000)
  await harness.runJobs()
  const { count } = await harness.context.db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('actor_id', '=', creator.id)
    .where('kind', '=', 'message.received')
    .executeTakeFirstOrThrow()
  expect(count).toBe(BATCH)
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

test.each([
  ['suspended', { suspension_reason: 'Looking into it' }, 'Your account was suspended.'],
  ['leaving', {}, 'Your account was about to be deleted.'],
])(
  'of who is %s neither what is under way nor what is due goes on, and it is said why',
  async (how, more, why) => {
    const { creator } = await buildFollowed(harness, BATCH + 1)
    const { db, clock } = harness.context
    const ids = [(await send(creator))._id, (await send(creator, { sendAt: soon(5) }))._id]
    await db.transaction().execute(async (tx) => {
      const held = await holdMassMessage(tx, ids[0] ?? '')
      if (held) await sendBatch(tx, held, clock.now())
    })
    const change = (set: object) => db.updateTable('users').set(set).where('id', '=', creator.id).execute()
    await change({ [how === 'suspended' ? 'suspended_at' : 'deletion_requested_at']: clock.now(), ...more })
    await harness.runJobs()
    harness.clock.advance(6 * MINUTE_MS)
    await harness.runJobs()
    await change({ suspended_at: null, suspension_reason: null, deletion_requested_at: null })
    for (const id of ids) expect(await shown(creator, id)).toMatchObject({ status: 'failed', failure: why })
  },
)

test.each(['account_suspended', 'creators_only'] as const)(
  'of what stopped when the two were not told apart (%s) neither is claimed',
  async (failure) => {
    const { creator } = await buildFollowed(harness, 1)
    const { _id } = await send(creator, { sendAt: soon(5) })
    await harness.context.db
      .updateTable('mass_messages')
      .set({ status: 'failed', failure, finished_at: harness.clock.now() })
      .where('id', '=', _id)
      .execute()
    expect(await shown(creator, _id)).toMatchObject({ failure: 'Your account wasn’t active.' })
  },
)

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
