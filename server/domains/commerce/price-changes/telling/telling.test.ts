import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { PRICE_NOTICE_DAYS } from '../../../../../contract/subscriptions.ts'
import type { JobPayload } from '../../../../jobs/catalogue.ts'
import { DAY_MS, MINUTE_MS, priceChanges } from '../../../../testing/money/price-changes.ts'
import { emailsTo } from '../../../../testing/security.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = priceChanges()
const {
  api,
  run,
  renew,
  remind,
  moveTo,
  justAfter,
  inDays,
  saves,
  edits,
  asks,
  subscribes,
  own,
  says,
  paid,
  subjects,
} = scene

test('a creator who changes the price twenty times a day sends two emails, and the newest price a day later', async () => {
  await subscribes()
  const about = async () =>
    (await subjects()).filter((subject) => /costs less|cost more|stays at/.test(subject))
  for (let hour = 0; hour < 10; hour++) {
    await asks(`$${20 + hour}`)
    await edits('$12')
    moveTo(new Date(scene.harness.clock.now().getTime() + 60 * MINUTE_MS))
  }
  expect(await about()).toEqual([
    '“All” stays at $10 · Fanfare',
    '“All” will cost more. Do you agree? · Fanfare',
  ])
  await asks('$18')
  inDays(1)
  await scene.harness.runJobs()
  expect(await about()).toHaveLength(3)
  expect((await about())[0]).toContain('will cost more')
  expect((await own()).priceChange).toMatchObject({ price: '$18' })
})

test('of lower prices of one day the first is told at once, and the last a day later', async () => {
  await subscribes()
  for (const price of ['$9', '$8', '$7', '$6']) {
    await edits(price)
    moveTo(new Date(scene.harness.clock.now().getTime() + 60 * MINUTE_MS))
  }
  const mails = async () =>
    (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) => subject.includes('costs less'))
  expect(await mails()).toHaveLength(1)
  expect(await own()).toMatchObject({ next: { price: '$6' } })
  inDays(1)
  await scene.harness.runJobs()
  const [last, first] = await mails()
  expect(await mails()).toHaveLength(2)
  expect(first?.text).toMatch(/renews for \$9 from .*, instead of \$10/)
  expect(last?.text).toMatch(/renews for \$6 from .*, instead of \$9/)
})

test('whose card was removed is told to add one, instead of that there is nothing to do', async () => {
  await subscribes()
  const told = async (state: string) =>
    (await emailsTo(scene.harness, scene.fan.email)).find(({ subject }) => subject.includes(state))?.text
  await edits('$9')
  expect(await told('costs less')).toContain('You don’t need to do anything.')
  const { items } = await (await api()).call(routes.cards, { query: {} })
  await (await api()).call(routes.removeCard, { body: { cardId: items[0]?._id ?? '' } })
  inDays(1)
  await edits('$8')
  await asks('$15')
  inDays(1)
  await scene.harness.runJobs()
  await edits('$8')
  for (const state of ['costs less', 'stays at']) {
    expect(await told(state)).toContain('add or choose one to keep your subscription.')
    expect(await told(state)).not.toContain('You don’t need to do anything.')
  }
})

test('the 30 days count from when the fan was told, not from the edit', async () => {
  const start = await subscribes()
  const end = periodEnd(start, 1)
  moveTo(new Date(end.getTime() - PRICE_NOTICE_DAYS * DAY_MS - 60 * MINUTE_MS))
  await saves('$15', { askSubscribers: true })
  expect((await own()).priceChange).toMatchObject({ on: end.toISOString() })
  moveTo(new Date(scene.harness.clock.now().getTime() + 120 * MINUTE_MS))
  await scene.harness.runJobs()
  const on = periodEnd(start, 2)
  expect((await own()).priceChange).toMatchObject({ on: on.toISOString() })
  const { text } =
    (await emailsTo(scene.harness, scene.fan.email)).find(({ subject }) => subject.includes('cost more')) ??
    {}
  expect(text).toContain(on.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }))
  justAfter(end)
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
})

test.each([
  { returns: 'on the same day', hours: 2, isEarly: true },
  { returns: 'days later', hours: 100, isEarly: false },
])(
  'who leaves before they are told what they are asked, and returns $returns, is told then, and once',
  async ({ hours, isEarly }) => {
    const start = await subscribes()
    await edits('$8')
    await asks('$15')
    const { _id: subscriptionId } = await own()
    const leaves = async () => (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
    const returns = async () => (await api()).call(routes.resumeSubscription, { body: { subscriptionId } })
    const asked = async () => (await subjects()).filter((subject) => subject.includes('will cost more'))
    await leaves()
    const returnsAt = new Date(scene.harness.clock.now().getTime() + hours * 60 * MINUTE_MS)
    // A notice that was put off until then finds nobody to tell.
    if (!isEarly) inDays(1)
    expect(await asked()).toEqual([])
    moveTo(returnsAt)
    await returns()
    if (isEarly) {
      expect(await asked()).toEqual([])
      inDays(1)
    }
    expect(await asked()).toHaveLength(1)
    await leaves()
    await returns()
    inDays(1)
    expect(await asked()).toHaveLength(1)
    const on = periodEnd(start, 2).toISOString()
    expect(await own()).toMatchObject({ renews: true, priceChange: { price: '$15', on } })
    justAfter(periodEnd(start, 1))
    await renew()
    expect(await paid()).toEqual(['$8', '$10'])
    justAfter(periodEnd(start, 2))
    await renew()
    expect(await own('ended')).toMatchObject({ status: 'expired' })
  },
)

test('nobody is ended for a price that they were never told of, unless they declined it', async () => {
  const start = await subscribes()
  await saves('$15', { askSubscribers: true })
  for (const period of [1, 2]) {
    moveTo(new Date(periodEnd(start, period).getTime() - DAY_MS))
    await remind()
    expect(await own()).toMatchObject({ renews: true, priceChange: { price: '$15', answer: null } })
    justAfter(periodEnd(start, period))
    await renew()
  }
  expect(await paid()).toEqual(['$10', '$10', '$10'])
  const { priceChange } = await says(false, '$15')
  for (const period of [3, 4]) {
    justAfter(periodEnd(start, period))
    await renew()
  }
  expect(await own('ended')).toMatchObject({ status: 'expired', expiration: priceChange?.on })
  expect((await subjects()).filter((subject) => subject.includes('will cost more'))).toEqual([])
})

test.each([
  { price: '$8', askSubscribers: false, state: 'lower', next: 800 },
  { price: '$15', askSubscribers: true, state: 'asked', next: 1500 },
])(
  'many subscribers are told of $price after the edit, each once, however often the job runs',
  async ({ price, askSubscribers, state, next }) => {
    const { db } = scene.harness.context
    const now = scene.harness.clock.now()
    await sql`
      with fans as (
        insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
        select code || '@example.test', left(code, 20), 'P', 'p', 'x', false, left(code, 20), ${now}
        from (select replace(gen_random_uuid()::text, '-', '') as code from generate_series(1, 450)) as made returning id
      )
      insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      select ${scene.planId}, id, ${scene.creator.id}, 1000, 'active', ${now}, ${periodEnd(now, 1)}, ${now} from fans`.execute(
      db,
    )
    const told = () =>
      db
        .selectFrom('notifications')
        .innerJoin('subscriptions', 'fan_id', 'user_id')
        .select(['user_id', 'data'])
        .where('plan_id', '=', scene.planId)
        .where('kind', '=', 'subscription.price-changed')
        .execute()
    await saves(price, { askSubscribers })
    // The new prices apply with the edit; notices don't wait for edits, nor edits for notices.
    const table = state === 'lower' ? ('subscription_agreements' as const) : ('price_change_notices' as const)
    const held = await db
      .selectFrom(table)
      .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
      .select(`${table}.price_cents`)
      .where('plan_id', '=', scene.planId)
      .execute()
    expect([held.length, held.every(({ price_cents }) => price_cents === next)]).toEqual([450, true])
    expect(await told()).toEqual([])
    const { rows: jobs } = await sql<{ payload: JobPayload<'prices.tell'> }>`
      select payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = task_id where identifier = 'prices.tell'`.execute(
      db,
    )
    expect(jobs.length).toBe(3)
    for (const { payload } of [...jobs, ...jobs]) await scene.harness.server.jobs['prices.tell'](payload, run)
    // Their emails don't matter here.
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const all = await told()
    expect([all.length, new Set(all.map(({ user_id }) => user_id)).size]).toEqual([450, 450])
    expect(all[0]?.data).toMatchObject({ state, title: 'All', before: '$10', amount: price, months: 1 })
  },
)
