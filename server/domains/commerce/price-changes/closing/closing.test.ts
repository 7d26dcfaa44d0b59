import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { DAY_MS, priceChanges } from '../../../../testing/money/price-changes.ts'
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
  edits,
  asks,
  answers,
  subscribes,
  own,
  says,
  paid,
  subjects,
  recover,
  isChargedUnseenAt,
  attempts,
} = scene

test('a new price takes the place of what was asked before, also of who agreed', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(true, '$15')
  await edits('$12')
  expect(await own()).toMatchObject({ price: '$10', priceChange: null, next: null })
  await expect(says(true, '$15')).rejects.toMatchObject({ code: 'price_change_over' })
  await asks('$14')
  expect(await own()).toMatchObject({ priceChange: { price: '$14', answer: null } })
  // The same question again is the same question.
  const before = await answers()
  await asks('$14')
  expect(await answers()).toEqual(before)
  const { items } = await (await api()).call(routes.ownSubscriptions, { query: {} })
  expect(items.length).toBe(1)
  for (const period of [1, 2, 3]) {
    justAfter(periodEnd(start, period))
    await renew()
  }
  expect((await paid()).every((amount) => amount === '$10')).toBe(true)
})

test('who declined is charged nothing more when what was asked is dropped, and can resume', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(false, '$15')
  await edits('$14')
  const ends = periodEnd(start, 1)
  expect(await own()).toMatchObject({
    ...{ status: 'canceled', renews: false, canResume: true, priceChange: null },
    expiration: ends.toISOString(),
  })
  const mails = await emailsTo(scene.harness, scene.fan.email)
  const mail = mails.find(({ subject }) => /^“All” ends /.test(subject))
  expect(mail?.text).toContain('you won’t be charged again')
  expect(mail?.text).toContain('You can resume it in your billing until then. It would renew for $10.')
  justAfter(ends)
  await renew()
  await scene.harness.server.jobs['subscriptions.expire']({}, run)
  expect(await own('ended')).toMatchObject({ status: 'expired' })
  expect(await paid()).toEqual(['$10'])
})

test('who declined and resumes keeps the old price', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(false, '$15')
  await asks('$14')
  const { _id: subscriptionId, priceChange } = await own()
  expect(priceChange).toBeNull()
  await (await api()).call(routes.resumeSubscription, { body: { subscriptionId } })
  justAfter(periodEnd(start, 1))
  await renew()
  expect(await own()).toMatchObject({ status: 'active', priceChange: null })
  expect(await paid()).toEqual(['$10', '$10'])
})

test('a charge of who declined is given back when it shows up after what was asked was dropped', async () => {
  const start = await subscribes()
  inDays(5)
  await asks('$15')
  await says(false, '$15')
  await isChargedUnseenAt(periodEnd(start, 1))
  await edits('$12')
  await recover()
  expect(await attempts()).toEqual({ statuses: ['captured', 'voided'], captures: 1 })
  await scene.harness.server.jobs['subscriptions.expire']({}, run)
  expect(await own('ended')).toMatchObject({ status: 'expired' })
  expect(await paid()).toEqual(['$10'])
})

test('who was told that it ends unless they agree hears that it goes on, and is reminded of the renewal', async () => {
  const start = await subscribes()
  inDays(5)
  await asks('$15')
  await scene.harness.runJobs()
  justAfter(periodEnd(start, 1))
  await renew()
  moveTo(new Date(periodEnd(start, 2).getTime() - DAY_MS))
  await remind()
  expect(await subjects()).toContainEqual(expect.stringMatching(/ unless you agree to its new price/))
  await edits('$14')
  await remind()
  const told = await subjects()
  expect(told).toContainEqual('“All” stays at $10 · Fanfare')
  expect(told.filter((subject) => subject.startsWith('“All” renews '))).toHaveLength(1)
  justAfter(periodEnd(start, 2))
  await renew()
  expect(await paid()).toEqual(['$10', '$10', '$10'])
})

test('whom the new price is lower for, or who is asked anew, hears that alone', async () => {
  await subscribes()
  await asks('$15')
  await asks('$14')
  await scene.harness.runJobs()
  inDays(1)
  await asks('$8')
  const told = await subjects()
  expect(told.filter((subject) => subject.includes('stays at'))).toEqual([])
  expect(told.filter((subject) => subject.includes('costs less'))).toHaveLength(1)
})

test('a term that is new leaves open what is asked for the others', async () => {
  await subscribes()
  await asks('$15')
  await says(true, '$15')
  await edits('$15', { terms: [{ months: 3, discountPercent: 10 }] })
  expect(await own()).toMatchObject({ priceChange: { price: '$15', answer: 'agreed' } })
  await edits('$15', { askSubscribers: true, terms: [{ months: 3, discountPercent: 20 }] })
  expect(await own()).toMatchObject({ priceChange: { price: '$15', answer: null } })
})

test('of two changes at once one is open, and everybody is asked for that one', async () => {
  await subscribes()
  await Promise.all([asks('$15'), asks('$16')])
  const { db } = scene.harness.context
  const open = await db
    .selectFrom('price_changes')
    .innerJoin('subscription_plans as plan', 'plan.id', 'plan_id')
    .select(['price_changes.price_cents', 'plan.price_cents as planCents'])
    .where('plan_id', '=', scene.planId)
    .where('closed_at', 'is', null)
    .execute()
  expect(open.length).toBe(1)
  expect(open[0]?.price_cents).toBe(open[0]?.planCents)
  expect((await own()).priceChange?.price).toBe(`$${(open[0]?.price_cents ?? 0) / 100}`)
})
