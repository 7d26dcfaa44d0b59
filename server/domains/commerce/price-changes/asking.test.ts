import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { PRICE_NOTICE_DAYS } from '../../../../contract/subscriptions.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { DAY_MS, MINUTE_MS, priceChanges } from '../../../testing/money/price-changes.ts'
import { emailsTo } from '../../../testing/security.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const scene = priceChanges()
const {
  api,
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
} = scene

test('a higher price is for new subscribers alone, unless its creator asks the others', async () => {
  const start = await subscribes()
  await edits('$12')
  expect(await own()).toMatchObject({ price: '$10', next: null, priceChange: null })
  expect(await answers()).toEqual({ change: null })
  justAfter(periodEnd(start, 1))
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
})

test('a lower price is passed on at the next renewal, and told', async () => {
  const start = await subscribes()
  await edits('$8')
  expect(await own()).toMatchObject({ price: '$10', next: { price: '$8', months: 1 } })
  expect(await subjects()).toContainEqual(expect.stringMatching(/^“All” costs less from /))
  justAfter(periodEnd(start, 1))
  await renew()
  expect(await own()).toMatchObject({ price: '$8', next: null })
  expect(await paid()).toEqual(['$8', '$10'])
  await edits('$8', { title: 'Everything' })
  expect((await subjects()).filter((subject) => subject.includes('costs less')).length).toBe(1)
})

test('only a raise asks: at the price of now, or a lower one, nobody who pays less is asked', async () => {
  await subscribes()
  await edits('$20')
  await asks('$20')
  expect([await answers(), (await own()).priceChange]).toEqual([{ change: null }, null])
  await asks('$15')
  expect([await answers(), (await own()).priceChange]).toEqual([{ change: null }, null])
  await asks('$16')
  expect(await own()).toMatchObject({ priceChange: { price: '$16' } })
  // A requested price may still become lower.
  await asks('$14')
  expect(await own()).toMatchObject({ priceChange: { price: '$14' } })
})

test('who leaves without an answer is counted as that, and waited for once they resume', async () => {
  await subscribes()
  await asks('$15')
  const body = { subscriptionId: (await own())._id }
  await (await api()).call(routes.cancelSubscription, { body })
  expect(await answers()).toMatchObject({ change: { agreed: 0, declined: 0, waiting: 0, left: 1 } })
  await (await api()).call(routes.resumeSubscription, { body })
  expect(await answers()).toMatchObject({ change: { agreed: 0, declined: 0, waiting: 1, left: 0 } })
})

test('who is asked and agrees pays as before for 30 days, and the new price from the renewal after that', async () => {
  const start = await subscribes()
  inDays(5)
  await asks('$15')
  const on = periodEnd(start, 2).toISOString()
  expect(await own()).toMatchObject({
    price: '$10',
    priceChange: { price: '$15', months: 1, on, answer: null },
  })
  expect(await answers()).toMatchObject({ change: { price: '$15', agreed: 0, declined: 0, waiting: 1 } })
  expect(await subjects()).toContainEqual('“All” will cost more. Do you agree? · Fanfare')
  const waiting = async () => (await (await api()).call(routes.waiting, {})).items
  expect(await waiting()).toMatchObject([{ kind: 'price_change', count: 1, due: on }])
  await expect(says(true, '$14')).rejects.toMatchObject({ status: 409, code: 'price_changed' })
  expect(await says(true, '$15')).toMatchObject({
    price: '$10',
    renews: true,
    priceChange: { answer: 'agreed' },
  })
  expect(await waiting()).toEqual([])
  expect(await answers()).toMatchObject({ change: { agreed: 1, waiting: 0 } })
  justAfter(periodEnd(start, 1))
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
  justAfter(periodEnd(start, 2))
  await Promise.all([renew(), renew()])
  expect(await paid()).toEqual(['$15', '$10', '$10'])
  expect(await own()).toMatchObject({ price: '$15', priceChange: null })
  const [consent] = await scene.harness.context.db
    .selectFrom('subscription_agreements')
    .selectAll()
    .where('subscription_id', '=', (await own())._id)
    .execute()
  expect(consent).toMatchObject({
    price_cents: 1500,
    terms_version: expect.any(String),
    consented_at: expect.any(Date),
    consent_network: '127.0.0.0/24',
    applied_at: expect.any(Date),
  })
  const last = await scene.harness.context.db
    .selectFrom('orders')
    .select('consented_at')
    .where('buyer_id', '=', scene.fan.id)
    .where('period', '=', 3)
    .executeTakeFirstOrThrow()
  expect(last.consented_at).toEqual(consent?.consented_at)
})

test.each([
  { answer: 'silent', ends: 'because you didn’t agree' },
  { answer: 'declined', ends: 'because you didn’t agree' },
])(
  'who is $answer keeps the price until the first renewal after the notice, and is never charged the new one',
  async ({ answer, ends }) => {
    const start = await subscribes()
    inDays(5)
    await asks('$15')
    if (answer === 'declined') await says(false, '$15')
    justAfter(periodEnd(start, 1))
    await renew()
    expect(await paid()).toEqual(['$10', '$10'])
    expect(await own()).toMatchObject({ renews: false, expiration: periodEnd(start, 2).toISOString() })
    expect(await (await api()).call(routes.cards, { query: {} })).toMatchObject({ items: [{ renews: [] }] })
    moveTo(new Date(periodEnd(start, 2).getTime() - DAY_MS))
    await remind()
    const lastCall = expect.stringMatching(/^“All” ends .* unless you agree to its new price · Fanfare$/)
    const told = await subjects()
    if (answer === 'silent') expect(told).toContainEqual(lastCall)
    else expect(told).not.toContainEqual(lastCall)
    expect(told.filter((subject) => / renews /.test(subject))).toEqual([])
    justAfter(periodEnd(start, 2))
    await renew()
    expect(await own('ended')).toMatchObject({ status: 'expired' })
    expect(await paid()).toEqual(['$10', '$10'])
    const texts = (await emailsTo(scene.harness, scene.fan.email)).map(({ text }) => text)
    expect(texts.some((text) => text.includes(ends))).toBe(true)
  },
)

test('who declined and is given free months isn’t told of a charge after them', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(false, '$15')
  const { creator, fan, planId } = scene
  const given = { subscriberId: fan.id, subscriptionId: planId, months: 2 as const }
  await (await api(creator)).call(routes.extendSubscription, { body: given })
  const [mail] = (await emailsTo(scene.harness, fan.email)).filter(({ text }) => text.includes('free access'))
  expect(mail?.text).toContain('It ends automatically, and you won’t be charged.')
  expect(await own()).toMatchObject({ renews: false, expiration: periodEnd(start, 3).toISOString() })
})

test('an answer can be changed until the charge, and the last one counts', async () => {
  const start = await subscribes()
  await asks('$15')
  await says(true, '$15')
  await says(false, '$15')
  await says(true, '$15')
  await says(true, '$15')
  justAfter(periodEnd(start, 1))
  await renew()
  justAfter(periodEnd(start, 2))
  await renew()
  expect((await paid())[0]).toBe('$15')
  await expect(says(false, '$15')).rejects.toMatchObject({ status: 409, code: 'price_change_over' })
})

test('nobody is charged the new price within 30 days of the notice', async () => {
  const start = await subscribes()
  const end = periodEnd(start, 1)
  moveTo(new Date(end.getTime() - PRICE_NOTICE_DAYS * DAY_MS + MINUTE_MS))
  await asks('$15')
  await says(true, '$15')
  justAfter(end)
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
})

test('a term is asked for at its own price, and can’t be changed meanwhile', async () => {
  const { db } = scene.harness.context
  await db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: scene.planId, months: 3, discount_percent: 10 })
    .execute()
  const start = await subscribes(3)
  await asks('$20')
  const on = periodEnd(start, 3).toISOString()
  const asked = await own()
  expect(asked).toMatchObject({ price: '$27', terms: [], priceChange: { price: '$54', months: 3, on } })
  const body = { subscriptionId: asked._id, months: 1 as const, price: '$20' }
  await expect((await api()).call(routes.changeTerm, { body })).rejects.toMatchObject({
    code: 'price_change_open',
  })
  await says(true, '$54')
  justAfter(periodEnd(start, 3))
  await renew()
  expect(await own()).toMatchObject({ price: '$54', months: 3 })
})

test('a change is its creator’s to see, and an answer its fan’s to give', async () => {
  await subscribes()
  await asks('$15')
  const { _id: subscriptionId } = await own()
  const stranger = await api(await buildCreator(scene.harness))
  const body = { subscriptionId, agree: true, price: '$15' }
  await expect(stranger.call(routes.answerPriceChange, { body })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.call(routes.priceChange, { params: { id: scene.planId } })).rejects.toMatchObject({
    status: 403,
  })
})
