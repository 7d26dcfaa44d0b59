import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildOffer,
  buildSession,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem } from '../../../../testing/purchases.ts'
import { emailsTo } from '../../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
let planId: string
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  planId = await buildItem(harness, creator, 'subscription', 700)
})

const as = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
const run = (name: 'renewals.remind' | 'subscriptions.expire') =>
  harness.server.jobs[name]({}, { attempt: 1, lastAttempt: false })

/** The notices to the fan about subscriptions that end, newest first. */
async function told(): Promise<{ kind: string; data: object }[]> {
  const { items } = await (await as(fan)).call(routes.notifications, { query: {} })
  return items
    .map(({ event: { kind, data } }) => ({ kind, data }))
    .filter(({ kind }) => kind === 'subscription.ending' || kind === 'subscription.ended')
}
const mailed = async (subject: string) =>
  (await emailsTo(harness, fan.email)).filter((mail) => mail.subject.includes(subject))

async function takesTrial(days: number): Promise<{ _id: string; title: string; expiration: string }> {
  const offerId = await buildOffer(harness, creator, { type: 'freeTrial', itemId: planId, days })
  await (await as(fan)).call(routes.redeemOffer, { body: { offerId } })
  const { items } = await (await as(fan)).call(routes.ownSubscriptions, { query: {} })
  return items[0] ?? { _id: '', title: '', expiration: '' }
}
const moveTo = (moment: string, plusMs: number) =>
  harness.clock.advance(new Date(moment).getTime() + plusMs - harness.clock.now().getTime())

test('a fan is told once within three days of the end of a free trial, and once that it has ended', async () => {
  const { title, expiration } = await takesTrial(10)
  await moveTo(expiration, -3 * DAY_MS - 1000)
  await run('renewals.remind')
  expect(await told()).toEqual([])
  await moveTo(expiration, -3 * DAY_MS + 1000)
  for (let time = 0; time < 2; time++) await run('renewals.remind')
  const named = { creator: creator.username, creatorId: creator.id }
  const data = { ...named, title, on: expiration.slice(0, 10), amount: '$7' }
  expect(await told()).toEqual([{ kind: 'subscription.ending', data }])
  const [mail, second] = await mailed('Your free time on')
  expect(second).toBeUndefined()
  expect(mail?.text).toContain(`subscribe on ${creator.username}’s profile then, for $7 a month.`)

  await moveTo(expiration, 1000)
  await run('renewals.remind')
  for (let time = 0; time < 2; time++) await run('subscriptions.expire')
  expect((await told()).map(({ kind }) => kind)).toEqual(['subscription.ended', 'subscription.ending'])
  const [end] = await mailed('has ended')
  expect(end?.subject).toContain(`Your free time on “${title}” has ended`)
  expect(end?.text).toContain('you weren’t charged.')
  expect(end?.text).toContain(`/users/${creator.username}`)
})

test('a trial that was made longer is announced again, of its new end', async () => {
  const { _id, expiration } = await takesTrial(2)
  await run('renewals.remind')
  const gift = { subscriberId: fan.id, subscriptionId: planId, days: 5 }
  await (await as(creator)).call(routes.giveFreeDays, { body: gift })
  await run('renewals.remind')
  expect(await told()).toHaveLength(1)
  await moveTo(expiration, 4 * DAY_MS)
  await run('renewals.remind')
  const ends = (await told()).map(({ data }) => 'on' in data && data.on)
  const until = new Date(new Date(expiration).getTime() + 5 * DAY_MS).toISOString().slice(0, 10)
  expect(ends).toEqual([until, expiration.slice(0, 10)])
  expect(_id).not.toBe('')
})

test('the end of what nobody can buy anymore names no price, and a trial with a creator who left isn’t announced', async () => {
  const { expiration } = await takesTrial(2)
  await (await as(creator)).call(routes.retireSubscription, {
    body: { subscriptionId: planId, retired: true },
  })
  await run('renewals.remind')
  expect(await told()).toMatchObject([{ data: { amount: null } }])
  await moveTo(expiration, 1000)
  await run('subscriptions.expire')
  expect(await told()).toMatchObject([{ data: { over: { free: true, creator: null } } }, {}])

  creator = await buildCreator(harness)
  planId = await buildItem(harness, creator, 'subscription', 700)
  await takesTrial(2)
  await harness.context.db
    .updateTable('users')
    .set({ suspended_at: harness.clock.now(), suspension_reason: 'A test' })
    .where('id', '=', creator.id)
    .execute()
  await run('renewals.remind')
  expect(await told()).toHaveLength(2)
})

test('a fan is told once that a canceled subscription has ended, and where to subscribe again', async () => {
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await (await as(fan)).call(routes.purchase, { body })
  const { items } = await (await as(fan)).call(routes.ownSubscriptions, { query: {} })
  const [{ _id: subscriptionId = '', expiration = '' } = {}] = items
  await (await as(fan)).call(routes.cancelSubscription, { body: { subscriptionId } })
  await run('subscriptions.expire')
  expect(await told()).toEqual([])
  await moveTo(expiration, 1000)
  for (let time = 0; time < 2; time++) await run('subscriptions.expire')
  expect(await told()).toMatchObject([
    { kind: 'subscription.ended', data: { over: { free: false, creator: creator.username } } },
  ])
  const [end, second] = await mailed('has ended')
  expect(second).toBeUndefined()
  expect(end?.text).toContain(`You can subscribe again on ${creator.username}’s profile at any time.`)
})
