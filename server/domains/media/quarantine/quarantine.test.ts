import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { streamOf } from '../../../../contract/media-links.ts'
import { notificationPath } from '../../../../contract/notification-paths.ts'
import type { TakedownGround } from '../../../../contract/takedowns.ts'
import { unzip } from '../../../testing/archive.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { closeSockets, connect, conversation, messageOf } from '../../../testing/chat.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { beginLongAnswer } from '../../../testing/long-answer.ts'
import { storeFiles, streamedVideo } from '../../../testing/media-files.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'
import { emailsTo } from '../../../testing/security.ts'

let harness: Harness
let creator: Person
let buyer: Person
let operator: Person
let mediaId: string
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterEach(() => closeSockets())
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  buyer = await buildFan(harness)
  mediaId = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  await buildGrant(harness, buyer, [mediaId])
})

const as = (person: Person) => harness.api.as(person)
const takeDown = () =>
  as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'Reported by its subject' } })
const release = () =>
  as(operator).call(routes.releaseMedia, { body: { mediaId, reason: 'Consent was shown' } })

test('nobody gets a byte of what was taken down, by any link that they hold, until it is released', async () => {
  const apis = [as(creator), as(buyer), as(operator), harness.api.visitor()]
  const links = await Promise.all(
    apis.map(async (api) => (await api.call(routes.media, { params: { mediaId } })).url ?? ''),
  )
  const open = () => Promise.all(apis.map(async (api, at) => (await api.fetch(links[at] ?? '')).status))
  expect(await open()).toEqual([200, 200, 200, 200])
  expect((await fetch(`${harness.origin}/files/preview/${mediaId}`)).status).toBe(200)
  await takeDown()
  expect(await open()).toEqual([403, 403, 403, 403])
  expect((await fetch(`${harness.origin}/files/preview/${mediaId}`)).status).toBe(404)
  for (const api of [as(creator), as(operator)])
    expect(await api.call(routes.media, { params: { mediaId } })).toMatchObject({
      locked: true,
      url: null,
      widths: [],
      takenDownAt: expect.any(String),
      preview: expect.not.stringContaining('1QcSHQ'),
    })
  for (const api of [as(buyer), harness.api.visitor()])
    await expect(api.call(routes.media, { params: { mediaId } })).rejects.toMatchObject({ status: 404 })
  await release()
  expect(await open()).toEqual([200, 200, 200, 200])
  expect(await as(buyer).call(routes.media, { params: { mediaId } })).not.toHaveProperty('takenDownAt')
})

test('it is in no list, count or search, and stays in its owner’s library with a notice', async () => {
  const bundleId = await buildBundle(harness, creator, { mediaIds: [mediaId] })
  const planId = await buildPlan(harness, creator, { mediaIds: [mediaId] })
  await harness.context.db.updateTable('media').set({ title: 'Quokka' }).where('id', '=', mediaId).execute()
  const ids = ({ items }: { items: { _id: string }[] }) => items.filter(({ _id }) => _id === mediaId).length
  const seen = async () => {
    const query = { creatorId: creator.id }
    const api = as(buyer)
    return [
      ids(await api.call(routes.profileMedia, { query })),
      ids(await api.call(routes.discover, { query: {} })),
      ids(await harness.api.visitor().call(routes.discover, { query: {} })),
      ids(await api.call(routes.premiumContent, { query: {} })),
      ids(await api.call(routes.search, { query: { query: 'quokka' } })),
      (await api.call(routes.bundleInfo, { query: { bundleId } })).bundleMedia.length,
      (await api.call(routes.bundle, { params: { id: bundleId } })).photoCount,
      (await api.call(routes.subscription, { params: { id: planId } })).photoCount,
    ]
  }
  expect(await seen()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  await takeDown()
  harness.clock.advance(2000)
  expect(await seen()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  const { items } = await as(creator).call(routes.manageMedia, { query: {} })
  expect(items).toMatchObject([{ _id: mediaId, locked: true, takenDownAt: expect.any(String) }])
})

test('messages, their reports and the creator’s own lists show nothing of it, and it can’t be bought there', async () => {
  const fan = await buildFan(harness, { discoverable: true })
  await as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  mediaId = await buildMedia(harness, creator, { title: 'Quokka', redditPromotion: false })
  const attachments = [{ url: `/media/${mediaId}` }]
  const socket = await connect(harness, creator)
  for (const more of [{ content: 'For you' }, { content: 'On sale', price: '$5' }])
    expect(
      await socket.emit('chat message', messageOf(creator, fan, { ...more, attachments })),
    ).toMatchObject({
      ok: true,
    })
  await as(creator).call(routes.saveMassMessage, {
    body: { content: 'For everybody', audience: 'followers', mediaIds: [mediaId] },
  })
  await harness.runJobs()
  const { messages } = await conversation(harness, fan, creator)
  const [first] = messages
  await as(fan).call(routes.reportMessage, {
    body: { messageId: first?._id ?? '', reason: 'This shows somebody else' },
  })
  const { items: reports } = await as(operator).call(routes.messageReports, { query: {} })
  const reportId = reports[0]?._id ?? ''
  await buildSubreddits(harness, ['Quokkas'])
  await harness.context.db
    .updateTable('media')
    .set({ must_unlock: false, reddit_promotion: true })
    .where('id', '=', mediaId)
    .execute()
  const { _id: postId } = await as(creator).call(routes.createPost, { body: { titles: ['A lake'], mediaId } })
  await as(creator).call(routes.editPost, {
    params: { redditPostId: postId },
    body: { usableSubreddits: ['Quokkas'] },
  })
  await as(creator).call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: 'Quokkas', title: 'A lake', byHand: true },
  })
  const shown = async () => ({
    chat: (await conversation(harness, fan, creator)).messages.flatMap((message) => message.attachments),
    own: (await conversation(harness, creator, fan)).messages.flatMap((message) => message.attachments),
    mass: (await as(creator).call(routes.massMessages, { query: {} })).items.flatMap(
      (item) => item.attachments,
    ),
    report: (await as(operator).call(routes.readReported, { body: { reportId } })).messages.flatMap(
      (message) => message.attachments,
    ),
    timeline: (await as(creator).call(routes.timeline, { query: {} })).items.map((item) => item.thumbnail),
  })
  const before = await shown()
  expect(
    [before.chat, before.own, before.mass, before.report, before.timeline].map((list) => list.length),
  ).toEqual([3, 3, 1, 3, 1])
  for (const list of Object.values(before)) expect(JSON.stringify(list)).toMatch(/1QcSHQ|webp/)
  await takeDown()
  const after = await shown()
  expect(JSON.stringify(after)).not.toMatch(/1QcSHQ|Quokka|webp/)
  for (const { url, media } of [...after.chat, ...after.own])
    expect({ url, media }).toMatchObject({ url: null, media: { locked: true, takenDown: true, title: '' } })
  for (const media of [...after.mass, ...after.report])
    expect(media).toMatchObject({ locked: true, takenDown: true })
  expect(after.timeline).toEqual([null])
  await release()
  for (const list of Object.values(await shown())) expect(JSON.stringify(list)).toMatch(/1QcSHQ|webp/)
})

test('no post for the forum is made of it until it is released', async () => {
  await harness.context.db
    .updateTable('media')
    .set({ reddit_promotion: true })
    .where('id', '=', mediaId)
    .execute()
  const post = () => as(creator).call(routes.createPost, { body: { titles: ['A lake'], mediaId } })
  await takeDown()
  await expect(post()).rejects.toMatchObject({ status: 404, code: 'post_media_not_found' })
  await release()
  expect((await post())._id).toEqual(expect.any(String))
})

test('an export that holds it can’t be downloaded anymore, and a new one leaves it out', async () => {
  const api = as(creator)
  const otherId = await buildMedia(harness, creator)
  const ready = async () => (await api.call(routes.exports, {})).items.filter(({ url }) => url)
  const open = (url: string | null | undefined) => api.fetch(url ?? '')
  const askForOne = async () => {
    await api.call(routes.requestExport, {})
    await harness.runJobs()
    const [newest] = await ready()
    const answer = await open(newest?.url)
    expect(answer.status).toBe(200)
    const names = unzip(Buffer.from(await answer.arrayBuffer())).keys()
    return { url: newest?.url, files: [...names].filter((name) => name.startsWith('files/media/')).sort() }
  }
  const fileOf = (id: string) => `files/media/${id}.webp`
  const before = await askForOne()
  expect(before.files).toEqual([mediaId, otherId].map(fileOf).sort())
  harness.clock.advance(1000)
  await takeDown()
  expect((await open(before.url)).status).toBe(403)
  expect(await ready()).toEqual([])
  expect((await askForOne()).files).toEqual([fileOf(otherId)])
})

test('a stream that plays gets no further part, nor its playlists, until it is released', async () => {
  const video = await buildMedia(harness, creator, { type: 'video' })
  await storeFiles(harness, video, streamedVideo('moving pictures:'))
  await buildGrant(harness, buyer, [video])
  const api = as(buyer)
  const playlist = streamOf(await api.call(routes.media, { params: { mediaId: video } })) ?? ''
  const beside = (name: string) => playlist.replace('hls.m3u8', name)
  const part = (first: number) =>
    api.fetch(beside('hls-720.mp4'), { headers: { range: `bytes=${first}-${first + 9}` } })
  const statuses = async () => [
    (await part(10)).status,
    (await api.fetch(playlist)).status,
    (await api.fetch(beside('hls-720.m3u8'))).status,
  ]
  expect((await part(0)).status).toBe(206)
  mediaId = video
  await takeDown()
  expect(await statuses()).toEqual([403, 403, 403])
  await release()
  expect(await statuses()).toEqual([206, 200, 200])
})

test('an answer under way is cut off within 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const download = await beginLongAnswer(harness, as(buyer), mediaId)
  await takeDown()
  vi.advanceTimersByTime(5000)
  await expect(download.rest()).rejects.toThrow()
})

test('its creator is told why, by email too, and when it is back; never who complained', async () => {
  await harness.context.db.updateTable('media').set({ title: 'A lake' }).where('id', '=', mediaId).execute()
  const note = 'Please send us the release form.'
  const body = { mediaId, reason: 'Jo Doe complained', ground: 'consent' as const, note }
  await as(operator).call(routes.quarantineMedia, { body })
  const why = `We can’t confirm that everyone shown in it agreed to it. ${note}`
  expect(await as(creator).call(routes.media, { params: { mediaId } })).toMatchObject({
    takenDownReason: why,
  })
  const told = async () =>
    (await as(creator).call(routes.notifications, { query: {} })).items.map(({ event }) => event)
  expect(await told()).toEqual([
    {
      kind: 'media.quarantined',
      data: { title: 'A lake', mediaId, reason: why, changed: false, deleted: false },
    },
  ])
  const mails = async () => emailsTo(harness, creator.email)
  const [mail] = await mails()
  expect(mail?.subject).toMatch(/^One of your items was taken down/)
  expect(mail?.text).toContain(`We took down “A lake”. ${why}`)
  expect(mail?.text).toMatch(new RegExp(`you can appeal on its page.*/media/${mediaId}`, 's'))
  await release()
  expect((await told())[0]).toEqual({ kind: 'media.released', data: { title: 'A lake', mediaId } })
  const all = await mails()
  expect(all.map(({ subject }) => subject).join()).toContain('One of your items is back')
  expect(JSON.stringify([await told(), all])).not.toMatch(/Jo Doe|complained|Consent was shown/)
  expect(await as(creator).call(routes.media, { params: { mediaId } })).not.toHaveProperty('takenDownReason')
  // Who deleted it meanwhile has nothing back.
  await takeDown()
  await as(creator).call(routes.deleteMedia, { body: { mediaId } })
  await release()
  expect((await told()).filter(({ kind }) => kind === 'media.released')).toHaveLength(1)
  // What is deleted has no page to appeal on.
  harness.clock.advance(1000)
  await takeDown()
  const [newest] = await told()
  const appeal = `/contact?appeal=${encodeURIComponent(`/media/${mediaId}`)}`
  expect(newest && notificationPath(newest)).toBe(appeal)
  expect((await mails()).map(({ text }) => text).join()).toContain(appeal)
})

test('a review of what is down ends with a decision: the creator reads it, and each one is recorded', async () => {
  const why = async () => (await as(creator).call(routes.media, { params: { mediaId } })).takenDownReason
  const now = async () => (await as(operator).call(routes.takedown, { query: { mediaId } })).takedown
  const second = await buildUser(harness, { role: 'superadmin' })
  const decide = (person: Person, ground: TakedownGround, note: string) =>
    as(person).call(routes.quarantineMedia, { body: { mediaId, reason: `Now ${ground}`, ground, note } })
  expect(await now()).toBeNull()
  await takeDown()
  const { takenDownAt } = await as(creator).call(routes.media, { params: { mediaId } })
  harness.clock.advance(60_000)
  await decide(second, 'consent', 'Please send us the release form.')
  expect(await why()).toMatch(/agreed to it\. Please send us the release form\.$/)
  expect(await now()).toMatchObject({ ground: 'consent', note: 'Please send us the release form.' })
  // Only why it is down within the team changes.
  await decide(operator, 'consent', 'Please send us the release form.')
  await Promise.all([decide(operator, 'copyright', ''), decide(second, 'terms', '')])
  expect((await as(creator).call(routes.media, { params: { mediaId } })).takenDownAt).toBe(takenDownAt)
  const { items } = await as(creator).call(routes.notifications, { query: {} })
  // The last two are of one moment.
  expect(
    items
      .map(({ event }) => event.data)
      .reverse()
      .slice(0, 2),
  ).toMatchObject([
    { changed: false, reason: expect.stringMatching(/reviewing/) },
    { changed: true, reason: expect.stringMatching(/agreed/) },
  ])
  expect(items).toHaveLength(4)
  expect(items.slice(0, 2).map(({ event }) => event.data)).toContainEqual(
    expect.objectContaining({ changed: true, reason: await why() }),
  )
  const mails = await emailsTo(harness, creator.email)
  expect(mails.map(({ text }) => text).join()).toContain('stays down. We can’t confirm')
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'reason', 'detail'])
    .where('target_id', '=', mediaId)
    .orderBy('id')
    .execute()
  expect(log).toHaveLength(5)
  expect(log[1]).toMatchObject({
    actor_id: second.id,
    reason: 'Now consent',
    detail: { ground: 'consent', groundBefore: 'review', noteBefore: '' },
  })
  const [third, fourth] = log.slice(3).map(({ detail }) => detail as { ground: string; groundBefore: string })
  expect(fourth?.groundBefore).toBe(third?.ground)
  expect(await now()).toMatchObject({ ground: fourth?.ground })
  for (const person of [creator, buyer])
    await expect(as(person).call(routes.takedown, { query: { mediaId } })).rejects.toMatchObject({
      status: 403,
    })
})

test('only the operator takes down and releases, with a reason, and both are recorded', async () => {
  for (const person of [creator, buyer])
    for (const route of [routes.quarantineMedia, routes.releaseMedia])
      await expect(as(person).call(route, { body: { mediaId, reason: 'Because' } })).rejects.toMatchObject({
        status: 403,
      })
  await expect(
    as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: '' } }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  await takeDown()
  await release()
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason'])
    .where('target_id', '=', mediaId)
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { actor_id: operator.id, action: 'media.quarantined', reason: 'Reported by its subject' },
    { actor_id: operator.id, action: 'media.released', reason: 'Consent was shown' },
  ])
})
