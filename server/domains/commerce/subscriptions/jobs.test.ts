import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, buildSession } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { endSubscriptions } from './actions.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const expire = () => harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })

test('more subscriptions than a statement has parameters end at once', async () => {
  const creator = await buildCreator(harness)
  const fan = await buildFan(harness)
  const planId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  await harness.api
    .as(fan)
    .call(routes.purchase, { body: { kind: 'subscription', itemId: planId, ...(await cardToken(harness)) } })
  const own = harness.context.db
    .selectFrom('subscriptions')
    .select(['id', 'status'])
    .where('fan_id', '=', fan.id)
  const { id } = await own.executeTakeFirstOrThrow()
  const others = Array.from({ length: 70_000 }, () => crypto.randomUUID())
  await harness.context.db
    .transaction()
    .execute((tx) => endSubscriptions(tx, [...others, id], 'void', harness.clock.now()))
  expect(await own.executeTakeFirstOrThrow()).toEqual({ id, status: 'expired' })
})

test('many subscriptions that are over end in several transactions, all of them in one run', async () => {
  const { db, clock } = harness.context
  const planId = await buildPlan(harness, await buildCreator(harness), { mediaIds: [] })
  await sql`with fans as (
      insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select code || '@example.test', left(code, 20), 'P', 'p', 'x', false, left(code, 20), ${clock.now()}
      from (select replace(gen_random_uuid()::text, '-', '') as code from generate_series(1, 1100)) as made returning id
    )
    insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
    select subscription_plans.id, fans.id, creator_id, 700, 'canceled', ${clock.now()}, ${clock.now()}, ${clock.now()}
    from fans, subscription_plans where subscription_plans.id = ${planId}`.execute(db)
  await expire()
  const { rows } = await sql<{ status: string; count: number; transactions: number }>`
    select status, count(*)::int as count, count(distinct xmin::text)::int as transactions
    from subscriptions where plan_id = ${planId} group by status`.execute(db)
  expect(rows).toEqual([{ status: 'expired', count: 1100, transactions: 3 }])
})

test('a subscription that nobody renewed gives no access after its month and three days', async () => {
  const creator = await buildCreator(harness)
  const fan = await buildFan(harness)
  const mediaId = await buildMedia(harness, creator)
  const planId = await buildPlan(harness, creator, { mediaIds: [mediaId] })
  await harness.api
    .as(fan)
    .call(routes.purchase, { body: { kind: 'subscription', itemId: planId, ...(await cardToken(harness)) } })
  const { current_period_end: periodEnd } = await harness.context.db
    .selectFrom('subscriptions')
    .select('current_period_end')
    .where('fan_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const seen = async () => {
    const api = harness.api.as({ token: await buildSession(harness, fan.id) })
    const { status, message } = await api.call(routes.subscription, { params: { id: planId } })
    const { locked } = await api.call(routes.media, { params: { mediaId } })
    return { status, message, locked }
  }

  harness.clock.advance(periodEnd.getTime() + 3 * DAY_MS - 60_000 - harness.clock.now().getTime())
  await expire()
  expect(await seen()).toEqual({ status: 'active', message: 'Already Subscribed!', locked: false })

  harness.clock.advance(61_000)
  expect(await seen()).toEqual({ status: 'active', message: 'Your subscription has ended.', locked: true })
  await expire()
  // Its renewal ends it, and may still succeed.
  expect(await seen()).toEqual({
    ...{ status: 'past_due', locked: true },
    message:
      'Your last payment hasn’t gone through. Update your card to pay the $9.99 you owe and get back your access.',
  })
})
