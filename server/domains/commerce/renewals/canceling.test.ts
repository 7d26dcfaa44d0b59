import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
let planId: string
let mediaId: string
let subscriptionId: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator)
  planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 700 })
  await subscribe()
  subscriptionId = (await current())[0]?._id ?? ''
})

const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })
const subscribe = async () =>
  (await api()).call(routes.purchase, {
    body: { kind: 'subscription', itemId: planId, ...(await cardToken(harness)) },
  })
const current = async (person = fan) =>
  (await (await api(person)).call(routes.ownSubscriptions, { query: {} })).items
const ended = async () =>
  (await (await api()).call(routes.ownSubscriptions, { query: { showing: 'ended' } })).items
const cancel = async (person = fan) =>
  (await api(person)).call(routes.cancelSubscription, { body: { subscriptionId } })
const resume = async (person = fan) =>
  (await api(person)).call(routes.resumeSubscription, { body: { subscriptionId } })
const isLocked = async () => (await (await api()).call(routes.media, { params: { mediaId } })).locked
const expire = () => harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
async function moveTo(moment: string, plusMs: number): Promise<void> {
  harness.clock.advance(new Date(moment).getTime() + plusMs - harness.clock.now().getTime())
  await expire()
}

test('a canceled subscription gives access to the end of its paid period, and not a day of grace', async () => {
  const canceled = await cancel()
  expect(canceled).toMatchObject({ status: 'canceled', renews: false, canResume: true, price: '$7' })
  await moveTo(canceled.expiration, -60_000)
  expect(await isLocked()).toBe(false)
  expect(await current()).toEqual([canceled])
  await moveTo(canceled.expiration, 1000)
  expect(await isLocked()).toBe(true)
  expect(await current()).toEqual([])
  expect(await ended()).toMatchObject([{ _id: subscriptionId, status: 'expired', canResume: false }])
})

test('undoing a cancellation leaves the subscription as it was, and both can be repeated', async () => {
  const [before] = await current()
  expect(before).toMatchObject({ status: 'active', renews: true, canResume: false })
  const canceled = await cancel()
  expect(await cancel()).toEqual(canceled)
  expect(await resume()).toEqual(before)
  expect(await resume()).toEqual(before)
  expect(await cancel()).toEqual(canceled)
  expect(await current()).toEqual([canceled])
})

const confirmations = async () =>
  (await emailsTo(harness, fan.email)).filter(({ subject }) => subject.startsWith('You canceled'))
const afterAMinute = () => harness.clock.advance(61_000)

test('a cancellation is confirmed by one email, with until when access lasts and how to undo it', async () => {
  const { expiration } = await cancel()
  expect(await confirmations()).toEqual([])
  afterAMinute()
  const [mail, ...more] = await confirmations()
  const until = new Date(expiration).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  expect(mail?.text).toContain(`You have access until ${until}.`)
  expect(mail?.text).toContain('If you change your mind, resume it in your billing before then.')
  expect(more).toEqual([])
  await resume()
  await cancel()
  await cancel()
  afterAMinute()
  expect(await confirmations()).toHaveLength(2)
})

test('a cancellation that was undone within a minute, or that ended the subscription, isn’t confirmed', async () => {
  const { expiration } = await cancel()
  await resume()
  afterAMinute()
  expect(await confirmations()).toEqual([])
  await moveTo(expiration, DAY_MS)
  expect(await cancel()).toMatchObject({ status: 'expired' })
  afterAMinute()
  expect(await confirmations()).toEqual([])
})

test('a dispute that cancels what the fan resumed within the minute isn’t said to be their cancellation', async () => {
  const [before] = await current()
  await moveTo(before?.expiration ?? '', 60_000)
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  await cancel()
  await resume()
  const { id } = await buildUser(harness, { role: 'finance' })
  const body = {
    ...{ transactionId: items.at(-1)?._id ?? '', amount: '$7', fee: '$15', cause: 'not_received' as const },
    ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
  }
  const operator = await reauthenticatedApi(harness, { id })
  await operator.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() })
  expect(await current()).toMatchObject([{ status: 'canceled', canResume: false }])
  afterAMinute()
  expect(await confirmations()).toEqual([])
})

test('who can’t resume isn’t told how to', async () => {
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: creator.id, blocked_id: fan.id, created_at: harness.clock.now() })
    .execute()
  await cancel()
  afterAMinute()
  const [mail] = await confirmations()
  expect(mail?.text).not.toContain('resume it')
})

test('nothing is resumed once the paid period is over, but it can be bought again', async () => {
  const { expiration } = await cancel()
  await moveTo(expiration, -1000)
  harness.clock.advance(2000)
  await expect(resume()).rejects.toMatchObject({ status: 409, code: 'subscription_ended' })
  expect(await isLocked()).toBe(false)
  await expire()
  await expect(resume()).rejects.toMatchObject({ code: 'subscription_ended' })
  expect(await cancel()).toMatchObject({ status: 'expired' })
  expect(await isLocked()).toBe(true)
  await subscribe()
  expect(await isLocked()).toBe(false)
  expect(await current()).toMatchObject([{ status: 'active' }])
})

test('canceling in the days of grace ends the subscription at once', async () => {
  const [{ expiration } = { expiration: '' }] = await current()
  await moveTo(expiration, DAY_MS)
  expect(await isLocked()).toBe(false)
  const canceled = await cancel()
  expect(canceled).toMatchObject({ status: 'expired', renews: false, canResume: false })
  expect(Date.parse(canceled.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(expiration) + DAY_MS)
  expect(await isLocked()).toBe(true)
})

test('nobody cancels or resumes what is somebody else’s', async () => {
  const stranger = await buildFan(harness)
  for (const person of [stranger, creator]) {
    await expect(cancel(person)).rejects.toMatchObject({ status: 404, code: 'subscription_not_found' })
    await expect(resume(person)).rejects.toMatchObject({ code: 'subscription_not_found' })
    expect(await current(person)).toEqual([])
  }
  expect(await current()).toMatchObject([{ status: 'active' }])
})

test('what can’t be bought anymore says that it doesn’t renew, and isn’t resumed', async () => {
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: creator.id, blocked_id: fan.id, created_at: harness.clock.now() })
    .execute()
  expect(await current()).toMatchObject([{ status: 'active', renews: false }])
  expect(await cancel()).toMatchObject({ status: 'canceled', canResume: false })
  await expect(resume()).rejects.toMatchObject({ status: 409, code: 'not_renewable' })
  expect(await current()).toMatchObject([{ status: 'canceled' }])
})

test('a subscription keeps the price at which it began', async () => {
  const body = {
    subscriptionId: planId,
    title: 'Dearer',
    price: '$90',
    chatEnabled: false,
    mediaIds: [mediaId],
  }
  await (await api(creator)).call(routes.editSubscription, { body })
  expect(await current()).toMatchObject([{ title: 'Dearer', price: '$7' }])
})

test('cancel and resume at the same time end in one of the two, and never in neither', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, turn) => (turn % 2 ? cancel() : resume())))
  expect(answers.every(({ status }) => status === 'canceled' || status === 'active')).toBe(true)
  const [last] = await current()
  expect(['canceled', 'active']).toContain(last?.status)
  expect(last?.renews).toBe(last?.status === 'active')
})

test('receipts say what was paid, by which card, and how much altogether', async () => {
  const call = async (person = fan) => (await api(person)).call(routes.receipts, { query: {} })
  expect(await call()).toMatchObject({
    items: [{ amount: '$7', status: 'captured', card: 'Visa 1111', creator: { _id: creator.id } }],
    totalSpent: '$7',
    hasMore: false,
  })
  expect(await call(creator)).toMatchObject({ items: [], totalSpent: '$0' })
})

test('a subscription comes with its creator’s picture, unless one of the two blocked the other', async () => {
  await harness.context.db
    .updateTable('profiles')
    .set({ profile_image: 'face.webp' })
    .where('user_id', '=', creator.id)
    .execute()
  const picture = `/files/profile/${creator.id}/face.webp`
  const pictureOf = ({ creator }: Awaited<ReturnType<typeof cancel>>) => creator.profileImage
  expect((await current()).map(pictureOf)).toEqual([picture])
  expect([pictureOf(await cancel()), pictureOf(await resume())]).toEqual([picture, picture])
  await (await api(creator)).call(routes.block, { body: { blockedId: fan.id } })
  expect((await current()).map(pictureOf)).toEqual([null])
})
