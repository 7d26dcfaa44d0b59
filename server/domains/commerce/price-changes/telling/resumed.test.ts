import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let creator: Person
let fan: Person
let planId: string
let mediaId: string
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator)
  planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 1000 })
})

const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
async function renewsAfter(moment: Date): Promise<void> {
  moveTo(new Date(moment.getTime() + MINUTE_MS))
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
}

type Terms = { months: 3; discountPercent: number }[]
const saves = async (price: string, more: { askSubscribers?: boolean; terms?: Terms } = {}) =>
  (await api(creator)).call(routes.editSubscription, {
    body: { subscriptionId: planId, title: 'All', price, chatEnabled: false, mediaIds: [mediaId], ...more },
  })

async function subscribes(months: 1 | 3): Promise<Date> {
  const body = { kind: 'subscription' as const, itemId: planId, months }
  await (await api()).call(routes.purchase, { body: { ...body, ...(await cardToken(harness)) } })
  return new Date((await own())?.startedAt ?? '')
}
const own = async (showing: 'current' | 'ended' = 'current') =>
  (await (await api()).call(routes.ownSubscriptions, { query: { showing } })).items[0]
const body = async () => ({ subscriptionId: (await own())?._id ?? '' })
const leaves = async () => (await api()).call(routes.cancelSubscription, { body: await body() })
const resumes = async () => (await api()).call(routes.resumeSubscription, { body: await body() })
const says = async (agree: boolean, price: string) =>
  (await api()).call(routes.answerPriceChange, { body: { ...(await body()), agree, price } })
const paid = async () =>
  (await (await api()).call(routes.receipts, { query: {} })).items.map(({ amount }) => amount)

describe('who left before they were told of a higher price, and resumes ten days before their renewal', () => {
  let end: Date
  let next: Date
  beforeEach(async () => {
    await saves('$10', { terms: [{ months: 3, discountPercent: 10 }] })
    const start = await subscribes(3)
    ;[end, next] = [periodEnd(start, 3), periodEnd(start, 6)]
    await saves('$20', { askSubscribers: true })
    await leaves()
    await harness.runJobs()
    moveTo(new Date(end.getTime() - 10 * DAY_MS))
    await resumes()
  })
  const asked = (answer: 'agreed' | 'declined' | null) => ({
    ...{ price: '$27', renews: true, expiration: end.toISOString() },
    priceChange: { price: '$54', months: 3, on: next.toISOString(), answer },
  })

  test('is promised the renewal after next, before they are told and after', async () => {
    expect(await own()).toMatchObject(asked(null))
    await harness.runJobs()
    expect(await own()).toMatchObject(asked(null))
    await renewsAfter(end)
    await renewsAfter(next)
    expect([await paid(), (await own('ended'))?.status]).toEqual([['$27', '$27'], 'expired'])
  })

  test('and agrees at once, is charged it at that renewal', async () => {
    expect(await says(true, '$54')).toMatchObject(asked('agreed'))
    await harness.runJobs()
    await renewsAfter(end)
    expect(await paid()).toEqual(['$27', '$27'])
    await renewsAfter(next)
    expect(await paid()).toEqual(['$54', '$27', '$27'])
  })

  test('and declines at once, is renewed until that day', async () => {
    expect(await says(false, '$54')).toMatchObject(asked('declined'))
    await renewsAfter(end)
    expect(await paid()).toEqual(['$27', '$27'])
    await renewsAfter(next)
    expect([await paid(), (await own('ended'))?.status]).toEqual([['$27', '$27'], 'expired'])
  })
})

test('who leaves and resumes again and again is told by one job, also where it waits for the next day', async () => {
  const waiting = async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'prices.tell'`.execute(harness.context.db)
    return rows.length
  }
  await subscribes(1)
  // Told of one price today, they are told of the next one tomorrow.
  await saves('$8')
  await harness.runJobs()
  await saves('$20', { askSubscribers: true })
  for (let time = 0; time < 3; time++) {
    await leaves()
    await resumes()
  }
  expect(await waiting()).toBe(1)
  for (let time = 0; time < 3; time++) {
    await leaves()
    await resumes()
    await harness.runJobs()
  }
  expect(await waiting()).toBe(1)
  harness.clock.advance(DAY_MS)
  await harness.runJobs()
  expect(await waiting()).toBe(0)
  const { items } = await (await api()).call(routes.notifications, { query: {} })
  expect(items.filter(({ event }) => event.kind === 'subscription.price-changed')).toHaveLength(2)
})
