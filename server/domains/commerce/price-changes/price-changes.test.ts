import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { JobPayload } from '../../../jobs/catalogue.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, planFault } from '../../../testing/gateway.ts'
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
/** What happens between the gateway's answer to a renewal and its record, and before its capture is committed. */
let meanwhile: (() => Promise<unknown>) | null = null
let beforeCommit: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === 'renewal.gateway-answered') await meanwhile?.()
      if (name === 'purchase.before-capture-commit') await beforeCommit?.()
    },
  })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  meanwhile = null
  beforeCommit = null
  moveTo(new Date(harness.clock.now().getTime() + 20 * DAY_MS))
  await renew()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator)
  planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 1000 })
})

const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })
const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const remind = () => harness.server.jobs['renewals.remind']({}, run)
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
const justAfter = (moment: Date) => moveTo(new Date(moment.getTime() + MINUTE_MS))
const inDays = (days: number) => moveTo(new Date(harness.clock.now().getTime() + days * DAY_MS))

type Edit = { askSubscribers?: boolean; title?: string; terms?: { months: 3; discountPercent: number }[] }
const saves = async (price: string, more: Edit = {}) =>
  (await api(creator)).call(routes.editSubscription, {
    body: { subscriptionId: planId, title: 'All', price, chatEnabled: false, mediaIds: [mediaId], ...more },
  })
/** Saves a price, and everybody is told who is to be. */
async function edits(...edit: Parameters<typeof saves>) {
  await saves(...edit)
  await harness.runJobs()
}
const asks = (price: string) => edits(price, { askSubscribers: true })
const answers = async () => (await api(creator)).call(routes.priceChange, { params: { id: planId } })

async function subscribes(months: TermMonths = 1): Promise<Date> {
  const body = { kind: 'subscription' as const, itemId: planId, months }
  await (await api()).call(routes.purchase, { body: { ...body, ...(await cardToken(harness)) } })
  return new Date((await own()).startedAt)
}
async function own(showing: 'current' | 'ended' = 'current') {
  const { items } = await (await api()).call(routes.ownSubscriptions, { query: { showing } })
  if (!items[0]) throw new Error('no subscription')
  return items[0]
}
async function says(agree: boolean, price: string) {
  const { _id: subscriptionId } = await own()
  return (await api()).call(routes.answerPriceChange, { body: { subscriptionId, agree, price } })
}
const paid = async () =>
  (await (await api()).call(routes.receipts, { query: {} })).items.map(({ amount }) => amount)
const subjects = async () => (await emailsTo(harness, fan.email)).map(({ subject }) => subject)

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
  await expect(says(true, '$14')).rejects.toMatchObject({ status: 409, code: 'price_changed' })
  expect(await says(true, '$15')).toMatchObject({
    price: '$10',
    renews: true,
    priceChange: { answer: 'agreed' },
  })
  expect(await answers()).toMatchObject({ change: { agreed: 1, waiting: 0 } })
  justAfter(periodEnd(start, 1))
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
  justAfter(periodEnd(start, 2))
  await Promise.all([renew(), renew()])
  expect(await paid()).toEqual(['$15', '$10', '$10'])
  expect(await own()).toMatchObject({ price: '$15', priceChange: null })
  const [consent] = await harness.context.db
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
  const last = await harness.context.db
    .selectFrom('orders')
    .select('consented_at')
    .where('buyer_id', '=', fan.id)
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
    const texts = (await emailsTo(harness, fan.email)).map(({ text }) => text)
    expect(texts.some((text) => text.includes(ends))).toBe(true)
  },
)

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
  const mails = await emailsTo(harness, fan.email)
  const mail = mails.find(({ subject }) => /^“All” ends /.test(subject))
  expect(mail?.text).toContain('you won’t be charged again')
  expect(mail?.text).toContain('You can resume it in your billing until then. It would renew for $10.')
  justAfter(ends)
  await renew()
  await harness.server.jobs['subscriptions.expire']({}, run)
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

test('who was told that it ends unless they agree hears that it goes on, and is reminded of the renewal', async () => {
  const start = await subscribes()
  inDays(5)
  await asks('$15')
  await harness.runJobs()
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
  await harness.runJobs()
  inDays(1)
  await asks('$8')
  const told = await subjects()
  expect(told.filter((subject) => subject.includes('stays at'))).toEqual([])
  expect(told.filter((subject) => subject.includes('costs less'))).toHaveLength(1)
})

test('a creator who changes the price twenty times a day sends two emails, and the newest price a day later', async () => {
  await subscribes()
  const about = async () =>
    (await subjects()).filter((subject) => /costs less|cost more|stays at/.test(subject))
  for (let hour = 0; hour < 10; hour++) {
    await asks(`$${20 + hour}`)
    await edits('$12')
    moveTo(new Date(harness.clock.now().getTime() + 60 * MINUTE_MS))
  }
  expect(await about()).toEqual([
    '“All” stays at $10 · Fanfare',
    '“All” will cost more. Do you agree? · Fanfare',
  ])
  await asks('$18')
  inDays(1)
  await harness.runJobs()
  expect(await about()).toHaveLength(3)
  expect((await about())[0]).toContain('will cost more')
  expect((await own()).priceChange).toMatchObject({ price: '$18' })
})

test('of lower prices of one day the first is told at once, and the last a day later', async () => {
  await subscribes()
  for (const price of ['$9', '$8', '$7', '$6']) {
    await edits(price)
    moveTo(new Date(harness.clock.now().getTime() + 60 * MINUTE_MS))
  }
  const mails = async () =>
    (await emailsTo(harness, fan.email)).filter(({ subject }) => subject.includes('costs less'))
  expect(await mails()).toHaveLength(1)
  expect(await own()).toMatchObject({ next: { price: '$6' } })
  inDays(1)
  await harness.runJobs()
  const [last, first] = await mails()
  expect(await mails()).toHaveLength(2)
  expect(first?.text).toMatch(/renews for \$9 from .*, instead of \$10/)
  expect(last?.text).toMatch(/renews for \$6 from .*, instead of \$9/)
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
    const returnsAt = new Date(harness.clock.now().getTime() + hours * 60 * MINUTE_MS)
    // What was put off until then finds nobody to tell.
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
  expect(await says(false, '$15')).toMatchObject({ renews: false })
  justAfter(periodEnd(start, 3))
  await renew()
  expect(await own('ended')).toMatchObject({ status: 'expired' })
  expect((await subjects()).filter((subject) => subject.includes('will cost more'))).toEqual([])
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

/** Subscribes, agrees to $15, and is charged it for the first time, with all this prepared. */
async function isChargedTheNewPrice(prepare: () => Promise<unknown>): Promise<void> {
  const start = await subscribes()
  await asks('$15')
  await says(true, '$15')
  const on = new Date((await own()).priceChange?.on ?? 0)
  for (let period = 1; periodEnd(start, period) < on; period++) {
    justAfter(periodEnd(start, period))
    await renew()
  }
  await isChargedAt(on, prepare)
}

/** The renewal at this end is charged, with all this prepared, and none that other tests left due. */
async function isChargedAt(end: Date, prepare: () => Promise<unknown>): Promise<void> {
  moveTo(new Date(end.getTime() - MINUTE_MS))
  await renew()
  await prepare()
  justAfter(end)
  await renew()
}
const isDeclined = () => planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })

test('what is being charged can’t be declined, and what wasn’t charged after all can', async () => {
  let refused: unknown
  await isChargedTheNewPrice(async () => {
    meanwhile = async () => {
      meanwhile = null
      refused = await says(false, '$15').catch(({ status, code }) => ({ status, code }))
    }
    await isDeclined()
  })
  await expect.poll(() => refused).toEqual({ status: 409, code: 'price_change_charging' })
  await expect.poll(async () => (await own()).status).toBe('past_due')
  expect(await says(false, '$15')).toMatchObject({ renews: false })
})

test('a decline that comes while the charge is recorded is told that it came too late', async () => {
  let late: Promise<unknown> | undefined
  const waits = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.context.db)
    return rows[0]?.count
  }
  await isChargedTheNewPrice(async () => {
    beforeCommit = async () => {
      beforeCommit = null
      late = says(false, '$15').catch(({ status, code }) => ({ status, code }))
      await expect.poll(waits, { timeout: 20_000 }).toBeGreaterThan(0)
    }
  })
  await expect.poll(() => late).toBeDefined()
  expect(await late).toEqual({ status: 409, code: 'price_change_over' })
  expect((await paid())[0]).toBe('$15')
})

test('who agreed, was declined, and hears that the price stays is charged what they hear', async () => {
  await isChargedTheNewPrice(isDeclined)
  const { status, expiration } = await own()
  expect(status).toBe('past_due')
  const old = await paid()
  await edits('$16')
  expect(await subjects()).toContainEqual('“All” stays at $10 · Fanfare')
  moveTo(new Date(new Date(expiration).getTime() + DAY_MS + MINUTE_MS))
  await renew()
  await expect.poll(paid).toEqual(['$10', ...old])
  expect(await own()).toMatchObject({ status: 'active', price: '$10', priceChange: null, next: null })
})

test('who is being charged what they agreed to isn’t told otherwise by a change that comes meanwhile', async () => {
  await isChargedTheNewPrice(async () => {
    meanwhile = async () => {
      meanwhile = null
      await edits('$12')
    }
  })
  await expect.poll(async () => (await own()).price).toBe('$15')
  expect(await own()).toMatchObject({ status: 'active', next: { price: '$12' }, priceChange: null })
  expect((await subjects()).filter((subject) => subject.includes('stays at'))).toEqual([])
  expect(await subjects()).toContainEqual(expect.stringMatching(/^“All” costs less from /))
})

test('a lower price of who is past due is what they pay when the next one comes', async () => {
  const start = await subscribes()
  await isChargedAt(periodEnd(start, 1), isDeclined)
  expect(await own()).toMatchObject({ status: 'past_due' })
  await edits('$8')
  await edits('$9')
  expect((await subjects()).filter((subject) => subject.includes('costs less'))).toHaveLength(1)
  moveTo(new Date(periodEnd(start, 1).getTime() + DAY_MS + MINUTE_MS))
  await renew()
  expect(await own()).toMatchObject({ status: 'active', price: '$10', next: { price: '$8' } })
})

test('of two changes at once one is open, and everybody is asked for that one', async () => {
  await subscribes()
  await Promise.all([asks('$15'), asks('$16')])
  const { db } = harness.context
  const open = await db
    .selectFrom('price_changes')
    .innerJoin('subscription_plans as plan', 'plan.id', 'plan_id')
    .select(['price_changes.price_cents', 'plan.price_cents as planCents'])
    .where('plan_id', '=', planId)
    .where('closed_at', 'is', null)
    .execute()
  expect(open.length).toBe(1)
  expect(open[0]?.price_cents).toBe(open[0]?.planCents)
  expect((await own()).priceChange?.price).toBe(`$${(open[0]?.price_cents ?? 0) / 100}`)
})

test.each([1, 2, 3])(
  'consent and the renewal it is for at once, round %i: charged as agreed, or ended unpaid',
  async () => {
    const start = await subscribes()
    await asks('$15')
    for (let period = 1; periodEnd(start, period) < new Date((await own()).priceChange?.on ?? 0); period++) {
      justAfter(periodEnd(start, period))
      await renew()
    }
    const old = await paid()
    justAfter(new Date((await own()).priceChange?.on ?? 0))
    const [agreed] = await Promise.all([says(true, '$15').catch(({ code }) => code), renew(), renew()])
    await renew()
    if (typeof agreed === 'string') {
      expect(agreed).toBe('price_change_over')
      expect(await paid()).toEqual(old)
      expect((await own('ended')).status).toBe('expired')
    }
    // The harness renews by itself, too, and may be charging this one.
    else await expect.poll(paid, { timeout: 20_000 }).toEqual(['$15', ...old])
  },
)

test('a renewal while its price is raised is charged as it was agreed', async () => {
  const start = await subscribes()
  justAfter(periodEnd(start, 1))
  await Promise.all([asks('$15'), renew()])
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
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
  // What is asked for already may become less.
  await asks('$14')
  expect(await own()).toMatchObject({ priceChange: { price: '$14' } })
})

test('the 30 days count from when the fan was told, not from the edit', async () => {
  const start = await subscribes()
  const end = periodEnd(start, 1)
  moveTo(new Date(end.getTime() - PRICE_NOTICE_DAYS * DAY_MS - 60 * MINUTE_MS))
  await saves('$15', { askSubscribers: true })
  expect((await own()).priceChange).toMatchObject({ on: end.toISOString() })
  moveTo(new Date(harness.clock.now().getTime() + 120 * MINUTE_MS))
  await harness.runJobs()
  const on = periodEnd(start, 2)
  expect((await own()).priceChange).toMatchObject({ on: on.toISOString() })
  const { text } =
    (await emailsTo(harness, fan.email)).find(({ subject }) => subject.includes('cost more')) ?? {}
  expect(text).toContain(on.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }))
  justAfter(end)
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
})

test.each([
  { price: '$8', askSubscribers: false, state: 'lower', next: 800 },
  { price: '$15', askSubscribers: true, state: 'asked', next: 1500 },
])(
  'many subscribers are told of $price after the edit, each once, however often the job runs',
  async ({ price, askSubscribers, state, next }) => {
    const { db } = harness.context
    const now = harness.clock.now()
    await sql`
      with fans as (
        insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
        select code || '@example.test', left(code, 20), 'P', 'p', 'x', false, left(code, 20), ${now}
        from (select replace(gen_random_uuid()::text, '-', '') as code from generate_series(1, 450)) as made returning id
      )
      insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      select ${planId}, id, ${creator.id}, 1000, 'active', ${now}, ${periodEnd(now, 1)}, ${now} from fans`.execute(
      db,
    )
    const told = () =>
      db
        .selectFrom('notifications')
        .innerJoin('subscriptions', 'fan_id', 'user_id')
        .select(['user_id', 'data'])
        .where('plan_id', '=', planId)
        .where('kind', '=', 'subscription.price-changed')
        .execute()
    await saves(price, { askSubscribers })
    // What holds is there with the edit; who is told waits for no edit, and no edit for them.
    const table = state === 'lower' ? ('subscription_agreements' as const) : ('price_change_notices' as const)
    const held = await db
      .selectFrom(table)
      .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
      .select(`${table}.price_cents`)
      .where('plan_id', '=', planId)
      .execute()
    expect([held.length, held.every(({ price_cents }) => price_cents === next)]).toEqual([450, true])
    expect(await told()).toEqual([])
    const { rows: jobs } = await sql<{ payload: JobPayload<'prices.tell'> }>`
      select payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = task_id where identifier = 'prices.tell'`.execute(
      db,
    )
    expect(jobs.length).toBe(3)
    for (const { payload } of [...jobs, ...jobs]) await harness.server.jobs['prices.tell'](payload, run)
    // Their emails are nobody's concern here.
    await sql`delete from graphile_worker._private_jobs`.execute(db)
    const all = await told()
    expect([all.length, new Set(all.map(({ user_id }) => user_id)).size]).toEqual([450, 450])
    expect(all[0]?.data).toMatchObject({ state, title: 'All', before: '$10', amount: price, months: 1 })
  },
)

test('a term is asked for at its own price, and can’t be changed meanwhile', async () => {
  const { db } = harness.context
  await db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: planId, months: 3, discount_percent: 10 })
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
  const stranger = await api(await buildCreator(harness))
  const body = { subscriptionId, agree: true, price: '$15' }
  await expect(stranger.call(routes.answerPriceChange, { body })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.call(routes.priceChange, { params: { id: planId } })).rejects.toMatchObject({
    status: 403,
  })
})
