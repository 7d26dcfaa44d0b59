import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildOffer } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, planFault, reviewHeld } from '../../../testing/gateway.ts'
import { MINUTE_MS, priceChanges } from '../../../testing/money/price-changes.ts'
import { emailsTo } from '../../../testing/security.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const scene = priceChanges()
const { api, renew, recover, justAfter, inDays, saves, edits, asks, says, subscribes, own, paid, subjects } =
  scene

const buys = async (offerId?: string) => {
  const body = { kind: 'subscription' as const, itemId: scene.planId, offerId }
  await (await api()).call(routes.purchase, { body: { ...body, ...(await cardToken(scene.harness)) } })
}
const offersTrial = () =>
  buildOffer(scene.harness, scene.creator, { type: 'discountTrial', itemId: scene.planId, days: 10 })
const leaves = async () => {
  const { _id: subscriptionId } = await own()
  return (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
}
const resumes = async () => {
  const { _id: subscriptionId } = await own()
  return (await api()).call(routes.resumeSubscription, { body: { subscriptionId } })
}
const told = async () => (await subjects()).filter((subject) => subject.includes('costs less'))
const renewsAfter = async (end: Date) => {
  justAfter(end)
  await renew()
}

describe('who had canceled when the price fell, and resumes', () => {
  test.each([
    ['once', ['$8'], '$8'],
    ['twice', ['$9', '$8'], '$8'],
    ['and rose again in part', ['$6', '$8'], '$8'],
  ])('renews at the price of now, of which they are told once: %s', async (_, prices, price) => {
    const start = await subscribes()
    await leaves()
    for (const each of prices) await edits(each)
    // Both before they resume and after it they see what they will pay.
    expect(await own()).toMatchObject({ price: '$10', next: { months: 1, price }, renews: false })
    expect(await resumes()).toMatchObject({ price: '$10', next: { months: 1, price }, renews: true })
    await scene.harness.runJobs()
    await leaves()
    await resumes()
    await scene.harness.runJobs()
    expect(await own()).toMatchObject({ next: { months: 1, price } })
    expect(await told()).toHaveLength(1)
    await renewsAfter(periodEnd(start, 1))
    expect(await paid()).toEqual([price, '$10'])
  })

  test('pays what their own term costs now, and as before for one that isn’t sold anymore', async () => {
    await saves('$10', { terms: [{ months: 3, discountPercent: 10 }] })
    const start = await subscribes(3)
    await leaves()
    await edits('$8', { terms: [] })
    expect((await own()).next).toBeNull()
    await edits('$8', { terms: [{ months: 3, discountPercent: 50 }] })
    expect((await own()).next).toEqual({ months: 3, price: '$12' })
    await resumes()
    await renewsAfter(periodEnd(start, 3))
    expect(await paid()).toEqual(['$12', '$27'])
  })

  test('keeps a price that is lower than the one of now', async () => {
    const start = await subscribes()
    await leaves()
    await edits('$12')
    await edits('$11')
    expect((await own()).next).toBeNull()
    expect(await resumes()).toMatchObject({ price: '$10', next: null })
    await renewsAfter(periodEnd(start, 1))
    expect(await paid()).toEqual(['$10', '$10'])
    expect(await told()).toEqual([])
  })

  test('as they had declined a higher one, is told what it would renew for', async () => {
    const start = await subscribes()
    await asks('$15')
    await says(false, '$15')
    inDays(2)
    await edits('$8')
    expect(await own()).toMatchObject({ status: 'canceled', next: { price: '$8' } })
    const mails = await emailsTo(scene.harness, scene.fan.email)
    const { text } = mails.find(({ subject }) => subject.startsWith('“All” ends ')) ?? {}
    expect(text).toContain('It would renew for $8.')
    await resumes()
    await renewsAfter(periodEnd(start, 1))
    expect(await paid()).toEqual(['$8', '$10'])
  })
})

test('who leaves before they are told of a lower price is told of it once they resume', async () => {
  const start = await subscribes()
  await saves('$8')
  await leaves()
  await scene.harness.runJobs()
  expect(await told()).toEqual([])
  expect(await own()).toMatchObject({ status: 'canceled', next: { price: '$8' } })
  await resumes()
  await scene.harness.runJobs()
  expect(await told()).toHaveLength(1)
  await renewsAfter(periodEnd(start, 1))
  expect(await paid()).toEqual(['$8', '$10'])
})

describe('a price that falls while the first payment is undecided is that of the first renewal', () => {
  const buysUndecided = async (effect: 'heldForReview' | 'resetAfter', offerId?: string) => {
    await planFault(scene.harness, { call: 'createTransactionRequest', effect })
    await buys(offerId)
  }
  const isDecided = async () => {
    scene.harness.clock.advance(2 * MINUTE_MS)
    await recover()
    await scene.harness.runJobs()
  }
  const isApproved = async () => {
    const transactions = await gatewayTransactions(scene.harness)
    const held = transactions.find(({ status }) => status === 'FDSAuthorizedPendingReview')
    await reviewHeld(scene.harness, held?.transId ?? '', 'approve')
    await isDecided()
  }
  const receipt = async () =>
    (await emailsTo(scene.harness, scene.fan.email)).find(({ text }) => text.includes('It renews'))?.text

  test('unknown', async () => {
    await buysUndecided('resetAfter')
    await edits('$8')
    await isDecided()
    const { startedAt, price, next } = await own()
    expect({ price, next }).toEqual({ price: '$10', next: { months: 1, price: '$8' } })
    expect(await receipt()).toContain('$8')
    expect(await told()).toHaveLength(1)
    for (const period of [1, 2]) await renewsAfter(periodEnd(new Date(startedAt), period))
    expect(await paid()).toEqual(['$8', '$8', '$10'])
  })

  test.each(['of a subscription', 'of a discounted trial'])('held for review, %s', async (what) => {
    await buysUndecided('heldForReview', what === 'of a subscription' ? undefined : await offersTrial())
    await edits('$8')
    await isApproved()
    const { _id, expiration, next } = await own()
    expect(next).toEqual({ months: 1, price: '$8' })
    expect(await told()).toHaveLength(1)
    await renewsAfter(new Date(expiration))
    expect(await own()).toMatchObject({ _id, status: 'active', price: '$8', next: null })
  })

  test('unless it rises', async () => {
    await buysUndecided('resetAfter')
    await edits('$12')
    await isDecided()
    expect(await own()).toMatchObject({ price: '$10', next: null })
    expect(await told()).toEqual([])
  })
})

test.each(['while it runs', 'while it is canceled'])(
  'a price that falls %s below what follows a discounted trial is what follows it',
  async (when) => {
    await buys(await offersTrial())
    if (when === 'while it is canceled') await leaves()
    await edits('$8')
    if (when === 'while it is canceled') await resumes()
    const { expiration, next } = await own()
    expect(next).toEqual({ months: 1, price: '$8' })
    await renewsAfter(new Date(expiration))
    expect(await paid()).toEqual(['$8', '$2.50'])
  },
)

describe('a price that falls at the same time', () => {
  /** How many wait for a lock. */
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      scene.harness.context.db,
    )
    return rows.length
  }
  const isPassedOn = { renews: true, price: '$10', next: { months: 1, price: '$8' } }

  test('as a subscription begins is passed on to it', async () => {
    let edit: Promise<unknown> | undefined
    scene.beforeCommit = async () => {
      scene.beforeCommit = null
      edit = saves('$8')
      await expect.poll(waiting).toBe(1)
    }
    await buys()
    await edit
    expect(await own()).toMatchObject(isPassedOn)
  })

  test.each([
    // It has looked who renews, and waits for the plan.
    { when: 'before the edit is written', held: sql`subscription_plans where id =`, waits: 1 },
    { when: 'after the edit is written', held: sql`subscription_plan_media where plan_id =`, waits: 2 },
  ])('as a canceled one resumes $when is passed on to it', async ({ held, waits }) => {
    await subscribes()
    await leaves()
    const both = await scene.harness.context.db.transaction().execute(async (tx) => {
      await sql`select from ${held} ${scene.planId} for share`.execute(tx)
      const edit = saves('$8')
      await expect.poll(waiting).toBe(1)
      const resumed = resumes()
      if (waits === 1) await resumed
      else await expect.poll(waiting).toBe(waits)
      return [edit, resumed]
    })
    await Promise.all(both)
    expect(await own()).toMatchObject(isPassedOn)
  })
})
