import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildScene, once, type Scene } from '../../../testing/subscribers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let scene: Scene
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  scene = await buildScene(harness)
})

const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const expire = () => harness.server.jobs['subscriptions.expire']({}, run)
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
const shortlyAfter = (moment: Date) => moveTo(new Date(moment.getTime() + MINUTE_MS))

describe('the list', () => {
  test('has a creator’s subscribers, newest first, by pages and by username', async () => {
    const people = [scene.fan]
    for (const name of ['ada_lovelace', 'grace_hopper']) {
      const person = await buildFan(harness, { username: `${name}_${scene.creator.id.slice(-6)}` })
      people.push(person)
      await scene.follows(person)
    }
    for (const person of people) {
      await scene.giveDays(7, { to: person })
      harness.clock.advance(1000)
    }
    const newest = people.toReversed().map(({ username }) => username)
    const names: string[] = []
    let cursor: string | null = null
    do {
      const query: object = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await scene.list(query)
      names.push(...page.items.map(({ subscriber }) => subscriber.username))
      cursor = page.nextCursor
    } while (cursor)
    expect(names).toEqual(newest)
    const { items } = await scene.list({ search: 'LOVELACE' })
    expect(items).toMatchObject([
      {
        ...{
          planId: scene.planId,
          title: 'Patrons',
          price: '$7',
          status: 'trialing',
          canMessage: true,
          canAddDays: true,
          canExtend: true,
        },
        subscriber: { _id: people[1]?.id, username: people[1]?.username },
      },
    ])
    expect((await scene.list({ search: '%' })).items).toEqual([])
    expect((await scene.list({ showing: 'ended' })).items).toEqual([])
  })

  test('names nobody whose account is gone', async () => {
    await scene.giveDays(7)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', '=', scene.fan.id)
      .execute()
    expect((await scene.list()).items).toMatchObject([
      { subscriber: { username: 'Deleted User' }, canMessage: false, canAddDays: false, canExtend: false },
    ])
    expect((await scene.list({ search: scene.fan.username })).items).toEqual([])
  })

  test.each(['fan', 'creator'] as const)(
    'offers no message once the %s has blocked the other',
    async (by) => {
      await scene.giveDays(7)
      const [blocker, blocked] = by === 'fan' ? [scene.fan, scene.creator] : [scene.creator, scene.fan]
      await harness.api.as(blocker).call(routes.block, { body: { blockedId: blocked.id } })
      expect((await scene.list()).items).toMatchObject([{ canMessage: false }])
    },
  )

  test('is the creator’s own, and an operator’s who may give', async () => {
    await scene.giveDays(7)
    const other = await buildCreator(harness)
    expect((await scene.list({}, other)).items).toEqual([])
    await expect(scene.list({ userId: scene.creator.id }, other)).rejects.toMatchObject({
      code: 'not_yourself',
    })
    await expect(scene.list({}, scene.fan)).rejects.toMatchObject({ code: 'creators_only' })
    const support = await buildUser(harness, { role: 'support' })
    await expect(scene.list({ userId: scene.creator.id }, support)).rejects.toMatchObject({
      code: 'not_yourself',
    })
    const operator = await buildUser(harness, { role: 'superadmin' })
    expect((await scene.list({ userId: scene.creator.id }, operator)).items).toHaveLength(1)
  })

  test('reads a page by an index', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from subscriptions
      where creator_id = ${scene.creator.id} and status in ('trialing', 'active', 'past_due', 'canceled')
        and (created_at, id) < (now(), ${scene.creator.id}::uuid)
      order by created_at desc, id desc limit 16`.execute(harness.context.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('subscriptions_subscribers')
    expect(plan).not.toContain('Sort')
  })
})

describe('free days', () => {
  test('are a trial that opens what the plan holds, ends by itself and charges nothing', async () => {
    const end = new Date(harness.clock.now().getTime() + 10 * DAY_MS)
    expect(await scene.isLocked()).toBe(true)
    const given = await scene.giveDays(10)
    expect(given).toMatchObject({
      planId: scene.planId,
      status: 'trialing',
      subscriber: { _id: scene.fan.id },
    })
    expect(Math.abs(new Date(given.expiration).getTime() - end.getTime())).toBeLessThan(MINUTE_MS)
    expect(await scene.isLocked()).toBe(false)
    expect(await scene.subjects()).toEqual([expect.stringContaining('Free time on “Patrons”')])
    shortlyAfter(new Date(given.expiration))
    expect(await scene.isLocked()).toBe(true)
    await renew()
    await expire()
    expect((await scene.subscription()).status).toBe('expired')
    expect((await scene.list({ showing: 'ended' })).items).toMatchObject([{ status: 'expired' }])
    expect(await scene.charged()).toEqual(once(0))
  })

  test('of a plan that isn’t sold anymore begin nobody new, and are added for who has it', async () => {
    const retires = async (retired: boolean) =>
      (await scene.api(scene.creator)).call(routes.retireSubscription, {
        body: { subscriptionId: scene.planId, retired },
      })
    await retires(true)
    await expect(scene.giveDays(5)).rejects.toMatchObject({ status: 404, code: 'item_not_found' })
    expect(await scene.subscriptions()).toEqual([])
    await retires(false)
    await scene.giveDays(5)
    await retires(true)
    expect((await scene.giveDays(5)).status).toBe('trialing')
    expect(await scene.subscriptions()).toHaveLength(1)
  })

  test('are added to a trial, also behind free months of it', async () => {
    const first = await scene.giveDays(5)
    const second = await scene.giveDays(365)
    const days = (new Date(second.expiration).getTime() - new Date(first.expiration).getTime()) / DAY_MS
    expect(days).toBe(365)
    const longer = await scene.extend(2)
    const last = await scene.giveDays(1)
    expect(new Date(last.expiration).getTime() - new Date(longer.expiration).getTime()).toBe(DAY_MS)
    expect(await scene.subscriptions()).toHaveLength(1)
    moveTo(new Date(new Date(last.expiration).getTime() - MINUTE_MS))
    expect(await scene.isLocked()).toBe(false)
    shortlyAfter(new Date(last.expiration))
    expect(await scene.isLocked()).toBe(true)
  })

  test('are given once when 20 calls of one key come at once, and to one subscription by 20 keys', async () => {
    const call = (key: string) =>
      scene
        .api(scene.creator)
        .then((as) =>
          as.call(
            routes.giveFreeDays,
            { body: { ...scene.ids(scene.fan), creatorId: scene.creator.id, days: 3 } },
            { idempotencyKey: key },
          ),
        )
    const given = await Promise.allSettled(Array.from({ length: 20 }, () => call('one-key-for-all-of-them')))
    expect(given.some(({ status }) => status === 'fulfilled')).toBe(true)
    const start = (await scene.subscription()).created_at.getTime()
    expect((await scene.subscription()).current_period_end.getTime() - start).toBe(3 * DAY_MS)
    const more = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => call(`a-key-of-its-own-${index}`)),
    )
    const times = 1 + more.filter(({ status }) => status === 'fulfilled').length
    expect(await scene.subscriptions()).toHaveLength(1)
    expect((await scene.subscription()).current_period_end.getTime() - start).toBe(times * 3 * DAY_MS)
  })

  test('begin one trial when 20 begin at once', async () => {
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => scene.giveDays(3)))
    const refusals = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []))
    expect(refusals.filter((code) => code !== 'already_subscribed')).toEqual([])
    const [only, ...others] = await scene.subscriptions()
    expect(others).toEqual([])
    const given = (Number(only?.current_period_end) - Number(only?.created_at)) / DAY_MS
    expect(given).toBe(3 * (20 - refusals.length))
  })

  test.each(['active', 'canceled', 'past_due'] as const)(
    'are refused to somebody who pays: %s',
    async (status) => {
      await scene.pays()
      await harness.context.db
        .updateTable('subscriptions')
        .set({ status })
        .where('fan_id', '=', scene.fan.id)
        .execute()
      const before = await scene.subscriptions()
      await expect(scene.giveDays(7)).rejects.toMatchObject({ code: 'already_paying' })
      expect(await scene.subscriptions()).toEqual(before)
    },
  )
})

describe('nothing is given', () => {
  const change = (person: () => Person, set: object) => () =>
    harness.context.db.updateTable('users').set(set).where('id', '=', person().id).execute()
  const block = (blocker: () => Person, blocked: () => Person) => async () =>
    (await scene.api(blocker())).call(routes.block, { body: { blockedId: blocked().id } })
  const now = new Date('2027-01-01')

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'to somebody whom the creator blocked',
      'fan_unavailable',
      block(
        () => scene.creator,
        () => scene.fan,
      ),
    ],
    [
      'to somebody who blocked the creator',
      'fan_unavailable',
      block(
        () => scene.fan,
        () => scene.creator,
      ),
    ],
    [
      'to somebody suspended',
      'fan_unavailable',
      change(() => scene.fan, { suspended_at: now, suspension_reason: 'x' }),
    ],
    [
      'to an account being deleted',
      'fan_unavailable',
      change(() => scene.fan, { deletion_requested_at: now }),
    ],
    ['to an unconfirmed address', 'fan_unavailable', change(() => scene.fan, { email_verified_at: null })],
    [
      'of a deleted plan',
      'item_not_found',
      () =>
        harness.context.db
          .updateTable('subscription_plans')
          .set({ deleted_at: now })
          .where('id', '=', scene.planId)
          .execute(),
    ],
  ])('%s', async (_what, code, happens) => {
    await scene.giveDays(5)
    await harness.runJobs()
    await happens()
    const before = await scene.subscriptions()
    const mails = await scene.subjects()
    await expect(scene.giveDays(7)).rejects.toMatchObject({ code })
    await expect(scene.extend(1)).rejects.toMatchObject({ code })
    expect(await scene.subscriptions()).toEqual(before)
    expect(await scene.subjects()).toEqual(mails)
  })

  test('to a stranger, of another creator’s plan, or by somebody else', async () => {
    const stranger = await buildFan(harness)
    await expect(scene.giveDays(7, { to: stranger })).rejects.toMatchObject({ code: 'user_not_found' })
    expect(await scene.subjects(stranger)).toEqual([])
    const other = await buildCreator(harness)
    const body = { ...scene.ids(scene.fan), creatorId: other.id, days: 7 }
    await expect((await scene.api(other)).call(routes.giveFreeDays, { body })).rejects.toMatchObject({
      code: 'not_yourself',
    })
    await expect(scene.giveDays(7, { by: other })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(scene.extend(1, { by: other })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(scene.giveDays(7, { by: scene.fan })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(scene.extend(1)).rejects.toMatchObject({ code: 'not_subscribed' })
    expect([...(await scene.subscriptions()), ...(await scene.subscriptions(stranger))]).toEqual([])
  })

  test.each([0, 366, 1.5, '7'])('for %j days', async (days) => {
    const answer = await (await scene.api(scene.creator)).send(
      'POST',
      '/users/updatesubscribersubscription2',
      {
        body: { ...scene.ids(scene.fan), days },
      },
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await scene.subscriptions()).toEqual([])
  })
})
