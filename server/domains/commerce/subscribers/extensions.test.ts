import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan, buildUser } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'
import { buildScene, once, type Scene } from '../../../testing/subscribers.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let scene: Scene
/** The action between the gateway's answer to a renewal and its record. */
let meanwhile: (() => Promise<unknown>) | null = null
beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === 'renewal.gateway-answered') await meanwhile?.()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  scene = await buildScene(harness)
})
afterEach(() => {
  meanwhile = null
})

const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const expire = () => harness.server.jobs['subscriptions.expire']({}, run)
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
const shortlyAfter = (moment: Date) => moveTo(new Date(moment.getTime() + MINUTE_MS))

describe('free months', () => {
  test('come between two charges: the next period is charged once, and by as much later', async () => {
    await scene.pays()
    const { anchor_at: anchor } = await scene.subscription()
    const extended = await scene.extend(2)
    expect(extended).toMatchObject({ status: 'active', expiration: periodEnd(anchor, 3).toISOString() })
    for (const months of [1, 2]) {
      shortlyAfter(periodEnd(anchor, months))
      await renew()
      expect(await scene.charged()).toEqual(once(1))
      expect(await scene.isLocked()).toBe(false)
    }
    shortlyAfter(periodEnd(anchor, 3))
    await renew()
    await renew()
    expect(await scene.charged()).toEqual(once(2))
    expect((await scene.subscription()).current_period_end).toEqual(periodEnd(anchor, 4))
    expect(await scene.isLocked()).toBe(false)
    expect(await scene.subjects()).toEqual(
      expect.arrayContaining([expect.stringContaining('Free time on “Patrons”')]),
    )
  })

  test('are announced before their end, once more', async () => {
    await scene.pays()
    const { current_period_end: end } = await scene.subscription()
    moveTo(new Date(end.getTime() - DAY_MS))
    const remind = () => harness.server.jobs['renewals.remind']({}, run)
    const renews = async () => (await scene.subjects()).filter((subject) => subject.includes('renews')).length
    await remind()
    expect(await renews()).toBe(1)
    const { expiration } = await scene.extend(1)
    await remind()
    expect(await renews()).toBe(1)
    moveTo(new Date(new Date(expiration).getTime() - DAY_MS))
    await remind()
    await remind()
    expect(await renews()).toBe(2)
  })

  test('leave a canceled subscription canceled', async () => {
    await scene.pays()
    const { id, anchor_at: anchor } = await scene.subscription()
    await (await scene.api(scene.fan)).call(routes.cancelSubscription, { body: { subscriptionId: id } })
    await scene.extend(1)
    shortlyAfter(periodEnd(anchor, 1))
    await renew()
    expect(await scene.isLocked()).toBe(false)
    shortlyAfter(periodEnd(anchor, 2))
    await renew()
    await expire()
    expect(await scene.isLocked()).toBe(true)
    expect(await scene.charged()).toEqual(once(1))
  })

  test('end with the paid period that they were given on top of, once it is refunded, and can be given anew', async () => {
    const { _id: transactionId } = await scene.pays()
    await scene.extend(2)
    const operator = await buildUser(harness, { role: 'finance' })
    await refundPayment(await reauthenticatedApi(harness, operator), { transactionId, amount: '$7' })
    expect((await scene.subscription()).status).toBe('expired')
    expect(await scene.isLocked()).toBe(true)
    await scene.giveDays(60)
    expect(await scene.isLocked()).toBe(false)
  })

  test('are refused while a renewal is owed, or under way', async () => {
    await scene.pays()
    const { anchor_at: anchor } = await scene.subscription()
    let refused: unknown = null
    meanwhile = async () => {
      refused = await scene.extend(1).catch((error: unknown) => error)
    }
    shortlyAfter(periodEnd(anchor, 1))
    await renew()
    expect(refused).toMatchObject({ code: 'renewal_in_progress' })
    expect(await scene.charged()).toEqual(once(2))
    expect((await scene.subscription()).current_period_end).toEqual(periodEnd(anchor, 2))
    const { db } = harness.context
    await db
      .updateTable('subscriptions')
      .set({ status: 'past_due' })
      .where('fan_id', '=', scene.fan.id)
      .execute()
    await expect(scene.extend(3)).rejects.toMatchObject({ code: 'renewal_unpaid' })
    expect((await scene.subscription()).extended_months).toBe(0)
  })

  test('and a renewal at the same moment: either comes first, and the period is charged once', async () => {
    await scene.pays()
    const { anchor_at: anchor } = await scene.subscription()
    shortlyAfter(periodEnd(anchor, 1))
    const [, extension] = await Promise.allSettled([renew(), scene.extend(1)])
    const months = extension.status === 'fulfilled' ? 1 : 0
    const { periods } = await scene.charged()
    expect(periods.length).toBeLessThanOrEqual(2)
    expect((await scene.subscription()).current_period_end).toEqual(
      periodEnd(anchor, periods.length + months),
    )
    await renew()
    expect(await scene.charged()).toEqual(once(periods.length))
  })

  test('an operator gives them with a reason, which is written down', async () => {
    await scene.pays()
    const operator = await buildUser(harness, { role: 'superadmin' })
    const stranger = await buildFan(harness)
    await (await scene.api(operator)).call(routes.extendSubscription, {
      body: { ...scene.ids(scene.fan), months: 1, reason: 'Two days of outage' },
    })
    await scene.giveDays(7, { by: operator, to: stranger })
    const log = await harness.context.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'reason', 'detail'])
      .where('actor_id', '=', operator.id)
      .orderBy('id')
      .execute()
    const action = 'subscription.extended'
    expect(log).toMatchObject([
      { action, reason: 'Two days of outage', detail: { subscriberId: scene.fan.id, months: 1 } },
      { action, reason: 'No reason given', detail: { subscriberId: stranger.id, days: 7 } },
    ])
    await scene.extend(1)
    expect((await scene.subscription()).extended_months).toBe(2)
  })

  test('nor days are given of what a suspended creator sells, by an operator either', async () => {
    await scene.giveDays(5)
    const operator = await buildUser(harness, { role: 'superadmin' })
    const before = await scene.subscriptions()
    await harness.context.db
      .updateTable('users')
      .set({ suspended_at: harness.clock.now(), suspension_reason: 'Looking into it' })
      .where('id', '=', scene.creator.id)
      .execute()
    const refused = { status: 404, code: 'item_not_found' }
    await expect(scene.giveDays(7, { by: operator })).rejects.toMatchObject(refused)
    await expect(scene.extend(1, { by: operator })).rejects.toMatchObject(refused)
    expect(await scene.subscriptions()).toEqual(before)
  })

  test.each([29, 30, 31])('from %i January over a leap year no month is charged twice', async (day) => {
    const year = harness.clock.now().getUTCFullYear() + 1
    moveTo(new Date(Date.UTC(year, 0, day, 10)))
    await scene.pays()
    const { anchor_at: anchor } = await scene.subscription()
    let [periods, months] = [1, 1]
    for (const step of [1, 0, 2, 0, 0, 3, 1, 0, 2, 2, 0] as const) {
      if (step === 0) {
        shortlyAfter(periodEnd(anchor, months))
        await renew()
        ;[periods, months] = [periods + 1, months + 1]
      } else {
        await scene.extend(step)
        months += step
        moveTo(new Date(periodEnd(anchor, months).getTime() - MINUTE_MS))
        await renew()
      }
      expect(await scene.charged()).toEqual(once(periods))
      expect((await scene.subscription()).current_period_end).toEqual(periodEnd(anchor, months))
      expect(await scene.isLocked()).toBe(false)
    }
  })
})
