import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
import { cardToken, gatewayCaptures } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo } from '../../../testing/security.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let creator: Person
let fan: Person
let planId: string
let mediaId: string
/** What happens between the gateway's answer to a renewal and its record. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === 'renewal.gateway-answered') await meanwhile?.()
    },
  })
})
afterAll(() => harness.stop())
afterEach(() => {
  meanwhile = null
})
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator)
  planId = await buildPlan(harness, creator, { title: 'Patrons', mediaIds: [mediaId], priceCents: 700 })
  await follows(fan)
})

const api = async (person: Person) => harness.api.as({ token: await buildSession(harness, person.id) })
const follows = async (person: Person) =>
  (await api(person)).call(routes.toggleFollow, { body: { followingId: creator.id } })
const pays = async (person = fan) =>
  (await api(person)).call(routes.purchase, {
    body: { kind: 'subscription', itemId: planId, ...(await cardToken(harness)) },
  })
const ids = (subscriber: Person) => ({ subscriberId: subscriber.id, subscriptionId: planId })
const giveDays = async (days: number, { by = creator, to = fan } = {}) =>
  (await api(by)).call(routes.giveFreeDays, { body: { ...ids(to), creatorId: creator.id, days } })
const extend = async (months: 1 | 2 | 3, { by = creator, to = fan } = {}) =>
  (await api(by)).call(routes.extendSubscription, { body: { ...ids(to), months } })
const list = async (query: { search?: string; showing?: 'ended'; userId?: string } = {}, by = creator) =>
  (await api(by)).call(routes.subscribers, { query })
const isLocked = async () => (await (await api(fan)).call(routes.media, { params: { mediaId } })).locked
const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const expire = () => harness.server.jobs['subscriptions.expire']({}, run)
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
const shortlyAfter = (moment: Date) => moveTo(new Date(moment.getTime() + MINUTE_MS))
/** What a person was mailed, less the receipt of a first period. */
const subjects = async (person = fan) =>
  (await emailsTo(harness, person.email))
    .filter(({ text }) => !text.includes('It renews'))
    .map(({ subject }) => subject)

function subscriptions(person = fan) {
  return harness.context.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('fan_id', '=', person.id)
    .orderBy('created_at')
    .execute()
}

async function subscription() {
  const rows = await subscriptions()
  const last = rows.at(-1)
  if (!last) throw new Error('nobody subscribed')
  return last
}

/** The periods that were paid, and how often the gateway has this fan's money. */
async function charged() {
  const rows = await harness.context.db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select(['period', 'reference', 'payments.status'])
    .where('orders.buyer_id', '=', fan.id)
    .orderBy('period')
    .execute()
  const references = new Set(rows.map(({ reference }) => reference))
  const captures = await gatewayCaptures(harness)
  return {
    periods: rows.filter(({ status }) => status === 'captured').map(({ period }) => period),
    captures: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
  }
}

const once = (periods: number) => ({
  periods: Array.from({ length: periods }, (_, index) => index + 1),
  captures: periods,
})

describe('the list', () => {
  test('has a creator’s subscribers, newest first, by pages and by username', async () => {
    const people = [fan]
    for (const name of ['ada_lovelace', 'grace_hopper']) {
      const person = await buildFan(harness, { username: `${name}_${creator.id.slice(-6)}` })
      people.push(person)
      await follows(person)
    }
    for (const person of people) {
      await giveDays(7, { to: person })
      harness.clock.advance(1000)
    }
    const newest = people.toReversed().map(({ username }) => username)
    const names: string[] = []
    let cursor: string | null = null
    do {
      const query: object = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await list(query)
      names.push(...page.items.map(({ subscriber }) => subscriber.username))
      cursor = page.nextCursor
    } while (cursor)
    expect(names).toEqual(newest)
    const { items } = await list({ search: 'LOVELACE' })
    expect(items).toMatchObject([
      {
        ...{ planId, title: 'Patrons', price: '$7', status: 'trialing', canAddDays: true, canExtend: true },
        subscriber: { _id: people[1]?.id, username: people[1]?.username },
      },
    ])
    expect((await list({ search: '%' })).items).toEqual([])
    expect((await list({ showing: 'ended' })).items).toEqual([])
  })

  test('names nobody whose account is gone', async () => {
    await giveDays(7)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', '=', fan.id)
      .execute()
    expect((await list()).items).toMatchObject([
      { subscriber: { username: 'Deleted User' }, canAddDays: false, canExtend: false },
    ])
    expect((await list({ search: fan.username })).items).toEqual([])
  })

  test('is the creator’s own, and an operator’s who may give', async () => {
    await giveDays(7)
    const other = await buildCreator(harness)
    expect((await list({}, other)).items).toEqual([])
    await expect(list({ userId: creator.id }, other)).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(list({}, fan)).rejects.toMatchObject({ code: 'creators_only' })
    const support = await buildUser(harness, { role: 'support' })
    await expect(list({ userId: creator.id }, support)).rejects.toMatchObject({ code: 'not_yourself' })
    const operator = await buildUser(harness, { role: 'superadmin' })
    expect((await list({ userId: creator.id }, operator)).items).toHaveLength(1)
  })

  test('reads a page by an index', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from subscriptions
      where creator_id = ${creator.id} and status in ('trialing', 'active', 'past_due', 'canceled')
        and (created_at, id) < (now(), ${creator.id}::uuid)
      order by created_at desc, id desc limit 16`.execute(harness.context.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('subscriptions_subscribers')
    expect(plan).not.toContain('Sort')
  })
})

describe('free days', () => {
  test('are a trial that opens what the plan holds, ends by itself and charges nothing', async () => {
    const end = new Date(harness.clock.now().getTime() + 10 * DAY_MS)
    expect(await isLocked()).toBe(true)
    const given = await giveDays(10)
    expect(given).toMatchObject({ planId, status: 'trialing', subscriber: { _id: fan.id } })
    expect(Math.abs(new Date(given.expiration).getTime() - end.getTime())).toBeLessThan(MINUTE_MS)
    expect(await isLocked()).toBe(false)
    expect(await subjects()).toEqual([expect.stringContaining('Free time on “Patrons”')])
    shortlyAfter(new Date(given.expiration))
    expect(await isLocked()).toBe(true)
    await renew()
    await expire()
    expect((await subscription()).status).toBe('expired')
    expect((await list({ showing: 'ended' })).items).toMatchObject([{ status: 'expired' }])
    expect(await charged()).toEqual(once(0))
  })

  test('are added to a trial, also behind free months of it', async () => {
    const first = await giveDays(5)
    const second = await giveDays(365)
    const days = (new Date(second.expiration).getTime() - new Date(first.expiration).getTime()) / DAY_MS
    expect(days).toBe(365)
    const longer = await extend(2)
    const last = await giveDays(1)
    expect(new Date(last.expiration).getTime() - new Date(longer.expiration).getTime()).toBe(DAY_MS)
    expect(await subscriptions()).toHaveLength(1)
    moveTo(new Date(new Date(last.expiration).getTime() - MINUTE_MS))
    expect(await isLocked()).toBe(false)
    shortlyAfter(new Date(last.expiration))
    expect(await isLocked()).toBe(true)
  })

  test('are given once when 20 calls of one key come at once, and to one subscription by 20 keys', async () => {
    const call = (key: string) =>
      api(creator).then((as) =>
        as.call(
          routes.giveFreeDays,
          { body: { ...ids(fan), creatorId: creator.id, days: 3 } },
          { idempotencyKey: key },
        ),
      )
    const given = await Promise.allSettled(Array.from({ length: 20 }, () => call('one-key-for-all-of-them')))
    expect(given.some(({ status }) => status === 'fulfilled')).toBe(true)
    const start = (await subscription()).created_at.getTime()
    expect((await subscription()).current_period_end.getTime() - start).toBe(3 * DAY_MS)
    const more = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => call(`a-key-of-its-own-${index}`)),
    )
    const times = 1 + more.filter(({ status }) => status === 'fulfilled').length
    expect(await subscriptions()).toHaveLength(1)
    expect((await subscription()).current_period_end.getTime() - start).toBe(times * 3 * DAY_MS)
  })

  test('begin one trial when 20 begin at once', async () => {
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => giveDays(3)))
    const refusals = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []))
    expect(refusals.filter((code) => code !== 'already_subscribed')).toEqual([])
    const [only, ...others] = await subscriptions()
    expect(others).toEqual([])
    const given = (Number(only?.current_period_end) - Number(only?.created_at)) / DAY_MS
    expect(given).toBe(3 * (20 - refusals.length))
  })

  test.each(['active', 'canceled', 'past_due'] as const)(
    'are refused to somebody who pays: %s',
    async (status) => {
      await pays()
      await harness.context.db
        .updateTable('subscriptions')
        .set({ status })
        .where('fan_id', '=', fan.id)
        .execute()
      const before = await subscriptions()
      await expect(giveDays(7)).rejects.toMatchObject({ code: 'already_paying' })
      expect(await subscriptions()).toEqual(before)
    },
  )
})

describe('nothing is given', () => {
  const change = (person: () => Person, set: object) => () =>
    harness.context.db.updateTable('users').set(set).where('id', '=', person().id).execute()
  const block = (blocker: () => Person, blocked: () => Person) => async () =>
    (await api(blocker())).call(routes.block, { body: { blockedId: blocked().id } })
  const now = new Date('2027-01-01')

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'to somebody whom the creator blocked',
      'fan_unavailable',
      block(
        () => creator,
        () => fan,
      ),
    ],
    [
      'to somebody who blocked the creator',
      'fan_unavailable',
      block(
        () => fan,
        () => creator,
      ),
    ],
    [
      'to somebody suspended',
      'fan_unavailable',
      change(() => fan, { suspended_at: now, suspension_reason: 'x' }),
    ],
    ['to an account being deleted', 'fan_unavailable', change(() => fan, { deletion_requested_at: now })],
    ['to an unconfirmed address', 'fan_unavailable', change(() => fan, { email_verified_at: null })],
    [
      'of a deleted plan',
      'item_not_found',
      () =>
        harness.context.db
          .updateTable('subscription_plans')
          .set({ deleted_at: now })
          .where('id', '=', planId)
          .execute(),
    ],
  ])('%s', async (_what, code, happens) => {
    await giveDays(5)
    await harness.runJobs()
    await happens()
    const before = await subscriptions()
    const mails = await subjects()
    await expect(giveDays(7)).rejects.toMatchObject({ code })
    await expect(extend(1)).rejects.toMatchObject({ code })
    expect(await subscriptions()).toEqual(before)
    expect(await subjects()).toEqual(mails)
  })

  test('to a stranger, of another creator’s plan, or by somebody else', async () => {
    const stranger = await buildFan(harness)
    await expect(giveDays(7, { to: stranger })).rejects.toMatchObject({ code: 'user_not_found' })
    expect(await subjects(stranger)).toEqual([])
    const other = await buildCreator(harness)
    const body = { ...ids(fan), creatorId: other.id, days: 7 }
    await expect((await api(other)).call(routes.giveFreeDays, { body })).rejects.toMatchObject({
      code: 'not_yourself',
    })
    await expect(giveDays(7, { by: other })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(extend(1, { by: other })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(giveDays(7, { by: fan })).rejects.toMatchObject({ code: 'not_yourself' })
    await expect(extend(1)).rejects.toMatchObject({ code: 'not_subscribed' })
    expect([...(await subscriptions()), ...(await subscriptions(stranger))]).toEqual([])
  })

  test.each([0, 366, 1.5, '7'])('for %j days', async (days) => {
    const answer = await (await api(creator)).send('POST', '/users/updatesubscribersubscription2', {
      body: { ...ids(fan), days },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await subscriptions()).toEqual([])
  })
})

describe('free months', () => {
  test('come between two charges: the next period is charged once, and by as much later', async () => {
    await pays()
    const { anchor_at: anchor } = await subscription()
    const extended = await extend(2)
    expect(extended).toMatchObject({ status: 'active', expiration: periodEnd(anchor, 3).toISOString() })
    for (const months of [1, 2]) {
      shortlyAfter(periodEnd(anchor, months))
      await renew()
      expect(await charged()).toEqual(once(1))
      expect(await isLocked()).toBe(false)
    }
    shortlyAfter(periodEnd(anchor, 3))
    await renew()
    await renew()
    expect(await charged()).toEqual(once(2))
    expect((await subscription()).current_period_end).toEqual(periodEnd(anchor, 4))
    expect(await isLocked()).toBe(false)
    expect(await subjects()).toEqual(
      expect.arrayContaining([expect.stringContaining('Free time on “Patrons”')]),
    )
  })

  test('are announced before their end, once more', async () => {
    await pays()
    const { current_period_end: end } = await subscription()
    moveTo(new Date(end.getTime() - DAY_MS))
    const remind = () => harness.server.jobs['renewals.remind']({}, run)
    const renews = async () => (await subjects()).filter((subject) => subject.includes('renews')).length
    await remind()
    expect(await renews()).toBe(1)
    const { expiration } = await extend(1)
    await remind()
    expect(await renews()).toBe(1)
    moveTo(new Date(new Date(expiration).getTime() - DAY_MS))
    await remind()
    await remind()
    expect(await renews()).toBe(2)
  })

  test('leave a canceled subscription canceled', async () => {
    await pays()
    const { id, anchor_at: anchor } = await subscription()
    await (await api(fan)).call(routes.cancelSubscription, { body: { subscriptionId: id } })
    await extend(1)
    shortlyAfter(periodEnd(anchor, 1))
    await renew()
    expect(await isLocked()).toBe(false)
    shortlyAfter(periodEnd(anchor, 2))
    await renew()
    await expire()
    expect(await isLocked()).toBe(true)
    expect(await charged()).toEqual(once(1))
  })

  test('are refused while a renewal is owed, or under way', async () => {
    await pays()
    const { anchor_at: anchor } = await subscription()
    let refused: unknown = null
    meanwhile = async () => {
      refused = await extend(1).catch((error: unknown) => error)
    }
    shortlyAfter(periodEnd(anchor, 1))
    await renew()
    expect(refused).toMatchObject({ code: 'renewal_in_progress' })
    expect(await charged()).toEqual(once(2))
    expect((await subscription()).current_period_end).toEqual(periodEnd(anchor, 2))
    const { db } = harness.context
    await db.updateTable('subscriptions').set({ status: 'past_due' }).where('fan_id', '=', fan.id).execute()
    await expect(extend(3)).rejects.toMatchObject({ code: 'renewal_unpaid' })
    expect((await subscription()).extended_months).toBe(0)
  })

  test('and a renewal at the same moment: either comes first, and the period is charged once', async () => {
    await pays()
    const { anchor_at: anchor } = await subscription()
    shortlyAfter(periodEnd(anchor, 1))
    const [, extension] = await Promise.allSettled([renew(), extend(1)])
    const months = extension.status === 'fulfilled' ? 1 : 0
    const { periods } = await charged()
    expect(periods.length).toBeLessThanOrEqual(2)
    expect((await subscription()).current_period_end).toEqual(periodEnd(anchor, periods.length + months))
    await renew()
    expect(await charged()).toEqual(once(periods.length))
  })

  test('an operator gives them with a reason, which is written down', async () => {
    await pays()
    const operator = await buildUser(harness, { role: 'superadmin' })
    const stranger = await buildFan(harness)
    await (await api(operator)).call(routes.extendSubscription, {
      body: { ...ids(fan), months: 1, reason: 'Two days of outage' },
    })
    await giveDays(7, { by: operator, to: stranger })
    const log = await harness.context.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'reason', 'detail'])
      .where('actor_id', '=', operator.id)
      .orderBy('id')
      .execute()
    const action = 'subscription.extended'
    expect(log).toMatchObject([
      { action, reason: 'Two days of outage', detail: { subscriberId: fan.id, months: 1 } },
      { action, reason: 'No reason given', detail: { subscriberId: stranger.id, days: 7 } },
    ])
    await extend(1)
    expect((await subscription()).extended_months).toBe(2)
  })

  test.each([29, 30, 31])('from %i January over a leap year no month is charged twice', async (day) => {
    const year = harness.clock.now().getUTCFullYear() + 1
    moveTo(new Date(Date.UTC(year, 0, day, 10)))
    await pays()
    const { anchor_at: anchor } = await subscription()
    let [periods, months] = [1, 1]
    for (const step of [1, 0, 2, 0, 0, 3, 1, 0, 2, 2, 0] as const) {
      if (step === 0) {
        shortlyAfter(periodEnd(anchor, months))
        await renew()
        ;[periods, months] = [periods + 1, months + 1]
      } else {
        await extend(step)
        months += step
        moveTo(new Date(periodEnd(anchor, months).getTime() - MINUTE_MS))
        await renew()
      }
      expect(await charged()).toEqual(once(periods))
      expect((await subscription()).current_period_end).toEqual(periodEnd(anchor, months))
      expect(await isLocked()).toBe(false)
    }
  })
})
