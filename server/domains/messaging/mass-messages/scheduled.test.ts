import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { MINUTE_MS, massMessages } from '../../../testing/mass-messages.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { fresh, follow, conversation, inbox, send, refusal, shown, soon, takeDown, told } = massMessages(
  () => harness,
)

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

test('what nobody is there to get isn’t sent, says so, and is sent once somebody is', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { _id } = await send(creator, { sendAt: soon(10) })
  harness.clock.advance(11 * MINUTE_MS)
  await harness.runJobs()
  const failure = 'There was no one to send it to.'
  expect(await shown(creator, _id)).toMatchObject({ status: 'failed', sent: 0, canUnsend: false, failure })
  expect(await told(creator)).toEqual(new Set([{ sent: false, leftOut: 0, why: 'no_recipients' }]))
  await follow(fan, creator)
  await send(creator, { massMessageId: _id })
  await harness.runJobs()
  expect(await shown(creator, _id)).toMatchObject({ status: 'sent', sent: 1, failure: null })
})

test('what everybody refuses wasn’t sent either', async () => {
  const [creator, other] = [await buildCreator(harness), await buildCreator(harness)]
  await follow(other, creator)
  await harness.api
    .as(other)
    .call(routes.setChatSettings, { body: { audience: 'subscribers', welcomeMessage: '' } })
  const { _id } = await send(creator, {})
  await harness.runJobs()
  expect(await shown(creator, _id)).toMatchObject({
    ...{ status: 'failed', sent: 0 },
    failure: 'There was no one to send it to.',
  })
  expect(await told(creator)).toEqual(new Set([{ sent: false, leftOut: 0, why: 'no_recipients' }]))
})

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
