import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildSession, type Person } from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { messageOf, until } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { replaceFile, replaceMeanwhile } from '../../../testing/media-files.ts'
import { lockConversation } from '../conversations/actions.ts'
import { conversationIdOf } from '../data.ts'
import { reactToMessage } from './actions.ts'

/** Attachments, and changes to sent messages. */
let harness: Harness
let stranger: Person

beforeAll(async () => {
  harness = await startHarness()
  stranger = await buildFan(harness)
})
afterAll(async () => {
  chat.closeSockets()
  await harness?.stop()
})

const connect = (person: Person) => chat.connect(harness, person)
const pair = () => chat.buildPair(harness)
const customer = () => chat.buildCustomer(harness)
const conversation = (person: Person, other: Person) => chat.conversation(harness, person, other)

describe('attachments', () => {
  const attach = (mediaIds: string[], more: object = {}) => ({
    attachments: mediaIds.map((id) => ({ url: `/media/${id}` })),
    ...more,
  })

  test('free ones open for the recipient, who keeps what was sent; others see nothing', async () => {
    const { creator, fan } = await pair()
    const mediaId = await buildMedia(harness, creator)
    const [own, theirs] = [await connect(creator), await connect(fan)]
    const answer = await own.emit('chat message', messageOf(creator, fan, attach([mediaId], { content: '' })))
    expect(answer).toMatchObject({ ok: true, message: { content: '', price: null } })
    await until(() => theirs.all('chat message').length > 0)
    const [heard] = theirs.all('chat message')
    const url = heard?.message.attachments[0]?.url ?? ''
    expect(heard?.message.attachments[0]).toMatchObject({ mediaType: 'image', media: { _id: mediaId } })
    const api = harness.api.as(fan)
    await api.call(routes.me, {})
    expect((await api.fetch(url)).status).toBe(200)
    // The link is bound to the session that received it.
    const other = harness.api.as(stranger)
    await other.call(routes.me, {})
    expect((await other.fetch(url)).status).not.toBe(200)
    expect((await harness.api.as(fan).call(routes.me, {})).unlockedMedia).toContain(mediaId)
  })

  test('priced ones stay locked, and only creators set a price', async () => {
    const { creator, fan } = await pair()
    const mediaId = await buildMedia(harness, creator)
    const [own, theirs] = [await connect(creator), await connect(fan)]
    const priced = messageOf(creator, fan, attach([mediaId], { price: '$12.50' }))
    expect(await own.emit('chat message', priced)).toMatchObject({ ok: true, message: { price: '$12.50' } })
    await until(() => theirs.all('chat message').length > 0)
    const [heard] = theirs.all('chat message')
    expect(heard?.message).toMatchObject({
      purchased: false,
      attachments: [{ url: null, media: { locked: true } }],
    })
    expect((await harness.api.as(fan).call(routes.me, {})).unlockedMedia).not.toContain(mediaId)
    const fans = await buildMedia(harness, fan)
    const byFan = messageOf(fan, creator, attach([fans], { price: '$5' }))
    expect(await theirs.emit('chat message', byFan)).toMatchObject({ code: 'creators_only' })
    for (const price of ['$0', '$0.99'])
      expect(
        await own.emit('chat message', messageOf(creator, fan, attach([mediaId], { price }))),
      ).toMatchObject({
        ok: false,
        code: 'price_too_low',
      })
    expect((await conversation(creator, fan)).messages).toHaveLength(1)
  })

  test('what everyone sees for free isn’t sold; it can be sent for free', async () => {
    const { creator, fan } = await pair()
    const [open, locked] = [
      await buildMedia(harness, creator, { mustUnlock: false }),
      await buildMedia(harness, creator),
    ]
    const own = await connect(creator)
    const send = (more: object) => own.emit('chat message', messageOf(creator, fan, more))
    expect(await send(attach([locked, open], { price: '$12.50' }))).toMatchObject({
      code: 'attachment_is_free',
    })
    expect((await conversation(creator, fan)).messages).toEqual([])
    expect(await send(attach([open]))).toMatchObject({ ok: true })
    const direct = await buildMedia(harness, creator, { mustUnlock: false, directOnly: true })
    expect(await send(attach([direct], { price: '$12.50' }))).toMatchObject({ ok: true })
  })

  test('are looked up side by side for all who hear of them, five at a time', async () => {
    const { db, clock } = harness.context
    const { creator, fan } = await pair()
    const own = await connect(creator)
    const sent = await own.emit(
      'chat message',
      messageOf(creator, fan, attach([await buildMedia(harness, creator)])),
    )
    const messageId = (sent.ok && sent.message?._id) || ''
    const devices = await Promise.all(
      Array.from({ length: 8 }, async () => connect({ ...fan, token: await buildSession(harness, fan.id) })),
    )
    await db.transaction().execute(async (tx) => {
      await sql`lock table media in access exclusive mode`.execute(tx)
      const reaction = { messageId, userId: fan.id, emoji: '👍', now: clock.now() }
      await db.transaction().execute((other) => reactToMessage(other, reaction))
      await until(async () => (await waitingForLocks(db, 'media')) >= 5)
      expect(await waitingForLocks(db, 'media')).toBe(5)
    })
    await until(() => devices.every((device) => device.all('message changed').length === 1))
    for (const device of devices)
      expect(device.all('message changed')[0]?.message.attachments).toMatchObject([{ mediaType: 'image' }])
  })

  test('a client’s name for a message is for one text', async () => {
    const { creator, fan } = await pair()
    const own = await connect(fan)
    const sent = messageOf(fan, creator)
    expect(await own.emit('chat message', sent)).toMatchObject({ ok: true })
    const other = { ...sent, message: { ...sent.message, content: 'Something else' } }
    expect(await own.emit('chat message', other)).toMatchObject({ code: 'idempotency_key_reused' })
    expect(await own.emit('chat message', sent)).toMatchObject({ ok: true })
    expect((await conversation(fan, creator)).messages).toHaveLength(1)
  })

  test('thirty people can be written to for the first time within an hour', async () => {
    const fan = await buildFan(harness)
    const own = await connect(fan)
    const creators = await Promise.all(Array.from({ length: 31 }, () => buildCreator(harness)))
    const answers = []
    for (const creator of creators) answers.push(await own.emit('chat message', messageOf(fan, creator)))
    expect(answers.map(({ ok }) => ok)).toEqual([...Array(30).fill(true), false])
    expect(answers.at(-1)).toMatchObject({ code: 'rate_limited' })
    const [first] = creators
    if (first) expect(await own.emit('chat message', messageOf(fan, first))).toMatchObject({ ok: true })
  })

  test('also at forty sockets at once', async () => {
    const fan = await buildFan(harness)
    const creators = await Promise.all(Array.from({ length: 40 }, () => buildCreator(harness)))
    const sockets = await Promise.all(creators.map(() => connect(fan)))
    const answers = await Promise.all(
      creators.map((creator, at) => sockets[at]?.emit('chat message', messageOf(fan, creator))),
    )
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(30)
  })

  test('only one’s own, there and ready', async () => {
    const { creator, fan } = await pair()
    const own = await connect(fan)
    const theirs = await buildMedia(harness, creator)
    const takenDown = await buildMedia(harness, fan)
    await harness.context.db
      .updateTable('media')
      .set({ quarantined_at: harness.clock.now() })
      .where('id', '=', takenDown)
      .execute()
    for (const id of [theirs, takenDown, randomUUID()])
      expect(await own.emit('chat message', messageOf(fan, creator, attach([id])))).toMatchObject({
        code: 'attachment_unavailable',
      })
    expect((await conversation(fan, creator)).messages).toEqual([])
  })

  test('a deleted message takes back what it gave', async () => {
    const { creator, fan } = await pair()
    const mediaId = await buildMedia(harness, creator)
    const [own, theirs] = [await connect(creator), await connect(fan)]
    const answer = await own.emit('chat message', messageOf(creator, fan, attach([mediaId])))
    const messageId = answer.ok ? (answer.message?._id ?? '') : ''
    await expect(
      harness.api.as(fan).call(routes.deleteMessage, { body: { messageId } }),
    ).rejects.toMatchObject({
      code: 'message_not_found',
    })
    await harness.api.as(creator).call(routes.deleteMessage, { body: { messageId } })
    await until(() => theirs.all('message changed').length > 0)
    expect(theirs.all('message changed')[0]).toMatchObject({
      message: { content: '', attachments: [], deletedAt: expect.any(String) },
      conversation: { unread: 0, lastMessage: null },
    })
    expect((await harness.api.as(fan).call(routes.me, {})).unlockedMedia).not.toContain(mediaId)
  })
})

describe('changing messages', () => {
  test('edit, reaction and report; each by whom it is allowed to', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const answer = await own.emit('chat message', messageOf(fan, creator))
    const messageId = answer.ok ? (answer.message?._id ?? '') : ''
    const refusal = (
      person: Person,
      route: 'editMessage' | 'reactToMessage' | 'reportMessage',
      body: object,
    ) => harness.api.as(person).call(routes[route], { body: { messageId, ...body } } as never)
    await expect(refusal(creator, 'editMessage', { content: 'x' })).rejects.toMatchObject({
      code: 'message_not_found',
    })
    for (const body of [{ emoji: '🔥' }])
      await expect(refusal(stranger, 'reactToMessage', body)).rejects.toMatchObject({
        code: 'message_not_found',
      })
    await expect(refusal(fan, 'reportMessage', { reason: 'My own' })).rejects.toMatchObject({
      code: 'message_not_found',
    })
    await refusal(creator, 'reactToMessage', { emoji: '🔥' })
    await refusal(fan, 'editMessage', { content: 'Changed' })
    await until(() => theirs.all('message changed').length >= 2)
    expect(theirs.all('message changed').at(-1)?.message).toMatchObject({
      content: 'Changed',
      reactions: [{ userId: creator.id, emoji: '🔥' }],
    })
    await refusal(creator, 'reportMessage', { reason: 'Rude words' })
    await expect(refusal(creator, 'reportMessage', { reason: 'Again' })).rejects.toMatchObject({
      code: 'already_reported',
    })
    harness.clock.advance(25 * 3600 * 1000)
    await expect(refusal(fan, 'editMessage', { content: 'Late' })).rejects.toMatchObject({
      code: 'message_too_old',
    })
    const reports = await harness.context.db.selectFrom('message_reports').selectAll().execute()
    expect(reports).toMatchObject([
      {
        content: 'Changed',
        earlier: [{ content: 'Hello there' }],
        sender_id: fan.id,
        reporter_id: creator.id,
      },
    ])
  })

  test('an answer says what became of what it answers, also where that was deleted before it came', async () => {
    const { creator, fan } = await customer()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const send = async (content: string, replyTo?: string) => {
      const more = { content, ...(replyTo === undefined ? {} : { replyTo }) }
      const answer = await own.emit('chat message', messageOf(fan, creator, more))
      return (answer.ok && answer.message) || null
    }
    const first = await send('What is answered')
    const before = await send('Before', first?._id)
    const quote = { _id: first?._id, content: 'What is answered', deleted: false, tip: null }
    expect(before?.replyTo).toMatchObject(quote)
    await harness.api.as(fan).call(routes.deleteMessage, { body: { messageId: first?._id ?? '' } })
    const gone = { ...quote, content: '', deleted: true }
    expect((await send('After', first?._id))?.replyTo).toMatchObject(gone)
    await until(() => theirs.all('chat message').length === 3)
    expect(theirs.all('chat message')[2]?.message.replyTo).toMatchObject(gone)
    expect((await conversation(creator, fan)).messages.map(({ replyTo }) => replyTo?.deleted)).toEqual([
      undefined,
      true,
      true,
    ])
    // A message of another conversation can't be quoted.
    const apart = await customer()
    const elsewhere = await (await connect(apart.fan)).emit(
      'chat message',
      messageOf(apart.fan, apart.creator),
    )
    const foreign = (elsewhere.ok && elsewhere.message?._id) || ''
    expect(await own.emit('chat message', messageOf(fan, creator, { replyTo: foreign }))).toMatchObject({
      code: 'message_not_found',
    })
  })

  test('a block keeps edits and reactions out, and lets what was sent be deleted', async () => {
    const { creator, fan } = await pair()
    const answer = await (await connect(fan)).emit('chat message', messageOf(fan, creator))
    const messageId = (answer.ok && answer.message?._id) || ''
    await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    const api = harness.api.as(fan)
    const refused = { code: 'recipient_unavailable' }
    await expect(
      api.call(routes.editMessage, { body: { messageId, content: 'Anyway' } }),
    ).rejects.toMatchObject(refused)
    await expect(api.call(routes.reactToMessage, { body: { messageId, emoji: '🔥' } })).rejects.toMatchObject(
      refused,
    )
    expect((await conversation(creator, fan)).messages[0]).toMatchObject({
      content: 'Hello there',
      reactions: [],
    })
    await api.call(routes.deleteMessage, { body: { messageId } })
    expect((await conversation(creator, fan)).messages[0]?.content).toBe('')
  })

  test('what was sent stays what it was when its owner replaces or deletes it', async () => {
    const { creator, fan } = await pair()
    const mediaId = await buildMedia(harness, creator)
    const [own, theirs] = [await connect(creator), await connect(fan)]
    await own.emit('chat message', messageOf(creator, fan, { attachments: [{ url: `/media/${mediaId}` }] }))
    await until(() => theirs.all('chat message').length > 0)
    const received = () => chat.newestFile(harness, fan, creator)
    const before = await received()
    expect(before).toMatch(/^bytes of a test item/)
    await replaceFile(harness, mediaId, 'another file')
    await harness.runJobs()
    expect(await received()).toBe(before)
    await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId } })
    expect(await received()).toBe(before)
  })

  test('what is sent is the file that it had, when that is replaced while the message is being stored', async () => {
    const { creator, fan } = await customer()
    const mediaId = await buildMedia(harness, creator)
    const own = await connect(creator)
    await own.emit('chat message', messageOf(creator, fan))
    const message = messageOf(creator, fan, { attachments: [{ url: `/media/${mediaId}` }] })
    await replaceMeanwhile(harness, mediaId, {
      hold: (tx) => lockConversation(tx, conversationIdOf(creator.id, fan.id)),
      send: async () => expect(await own.emit('chat message', message)).toMatchObject({ ok: true }),
    })
    await harness.runJobs()
    expect(await chat.newestFile(harness, fan, creator)).toMatch(/^bytes of a test item/)
  })
})
