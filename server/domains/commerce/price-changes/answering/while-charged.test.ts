import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { cardToken, planFault } from '../../../../testing/gateway.ts'
import { DAY_MS, MINUTE_MS, priceChanges } from '../../../../testing/money/price-changes.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = priceChanges()
const {
  api,
  renew,
  moveTo,
  justAfter,
  edits,
  asks,
  subscribes,
  own,
  says,
  paid,
  subjects,
  isChargedTheNewPrice,
  isChargedAt,
  isDeclined,
  isUnreachableAt,
  attempts,
} = scene

test('what is being charged can’t be declined, and what wasn’t charged after all can', async () => {
  let refused: unknown
  await isChargedTheNewPrice(async () => {
    scene.meanwhile = async () => {
      scene.meanwhile = null
      refused = await says(false, '$15').catch(({ status, code }) => ({ status, code }))
    }
    await isDeclined()
  })
  await expect.poll(() => refused).toEqual({ status: 409, code: 'price_change_charging' })
  await expect.poll(async () => (await own()).status).toBe('past_due')
  expect(await says(false, '$15')).toMatchObject({ renews: false })
})

test('who declines what couldn’t be charged and agrees again is charged by the consent that they gave last', async () => {
  let end = new Date()
  await isChargedTheNewPrice(async () => {
    end = new Date((await own()).expiration)
    await isDeclined()
  })
  const before = await paid()
  await says(false, '$15')
  scene.harness.clock.advance(MINUTE_MS)
  await says(true, '$15')
  const agreedAt = scene.harness.clock.now()
  moveTo(new Date(end.getTime() + DAY_MS + MINUTE_MS))
  await renew()
  await expect.poll(paid).toEqual(['$15', ...before])
  const { consented_at } = await scene.harness.context.db
    .selectFrom('orders')
    .select('consented_at')
    .where('buyer_id', '=', scene.fan.id)
    .orderBy('period', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(agreedAt.getTime() - (consented_at?.getTime() ?? 0)).toBeLessThan(MINUTE_MS)
})

test('who declines what couldn’t be charged and subscribes at that price as anybody renews, as the dialog says', async () => {
  await isChargedTheNewPrice(isDeclined)
  const before = await paid()
  await says(false, '$15')
  const fan = await api()
  const query = { kind: 'subscription' as const, itemId: scene.planId }
  expect(await fan.call(routes.openPurchase, { query })).toMatchObject({ owed: null })
  const card = await cardToken(scene.harness)
  await fan.call(routes.purchase, { body: { ...query, price: '$15', ...card } })
  const bought = await own()
  expect(bought).toMatchObject({ status: 'active', price: '$15', renews: true, priceChange: null })
  justAfter(new Date(bought.expiration))
  await renew()
  await expect.poll(paid).toEqual(['$15', '$15', ...before])
})

test('a decline that comes while the charge is recorded is told that it came too late', async () => {
  let late: Promise<unknown> | undefined
  const waits = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(scene.harness.context.db)
    return rows[0]?.count
  }
  await isChargedTheNewPrice(async () => {
    scene.beforeCommit = async () => {
      scene.beforeCommit = null
      late = says(false, '$15').catch(({ status, code }) => ({ status, code }))
      await expect.poll(waits).toBeGreaterThan(0)
    }
  })
  await expect.poll(() => late).toBeDefined()
  expect(await late).toEqual({ status: 409, code: 'price_change_over' })
  expect((await paid())[0]).toBe('$15')
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
    const { _id: subscriptionId, priceChange } = await own()
    justAfter(new Date(priceChange?.on ?? 0))
    const fan = await api()
    const body = { subscriptionId, agree: true, price: '$15' }
    const agrees = fan.call(routes.answerPriceChange, { body }).catch(({ code }) => code)
    const [agreed] = await Promise.all([agrees, renew(), renew()])
    await renew()
    if (typeof agreed === 'string') {
      expect(agreed).toBe('price_change_over')
      expect(await paid()).toEqual(old)
      expect((await own('ended')).status).toBe('expired')
    }
    // The server renews by itself, too, and may hold this one just now.
    else
      await expect
        .poll(async () => {
          await renew()
          return paid()
        })
        .toEqual(['$15', ...old])
  },
)

test('a renewal while its price is raised is charged as it was agreed', async () => {
  const start = await subscribes()
  justAfter(periodEnd(start, 1))
  await Promise.all([asks('$15'), renew()])
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
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

test('a card that must not be tried again isn’t at the price of before either', async () => {
  const effect = 'lostOrStolen'
  await isChargedTheNewPrice(() => planFault(scene.harness, { call: 'createTransactionRequest', effect }))
  const { status, expiration } = await own()
  expect(status).toBe('past_due')
  await edits('$16')
  const before = await attempts()
  for (const day of [1, 3, 7, 13]) {
    moveTo(new Date(new Date(expiration).getTime() + day * DAY_MS + MINUTE_MS))
    await renew()
    expect((await own()).status).toBe('past_due')
  }
  expect(await attempts()).toEqual(before)
})

test('who is being charged what they agreed to isn’t told otherwise by a change that comes meanwhile', async () => {
  await isChargedTheNewPrice(async () => {
    scene.meanwhile = async () => {
      scene.meanwhile = null
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

test('a lower price that waited until a renewal was sent is for the next one', async () => {
  const start = await subscribes()
  const { db } = scene.harness.context
  let edited: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    // The edit is of the time before the renewal, and goes on after it.
    const edits = `plans ${scene.creator.id}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${edits}, 0))`.execute(tx)
    moveTo(new Date(periodEnd(start, 1).getTime() - MINUTE_MS))
    edited = scene.saves('$8')
    await expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
        return rows[0]?.count
      })
      .toBe(1)
    await isUnreachableAt(periodEnd(start, 1))
  })
  await edited
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
  expect(await own()).toMatchObject({ next: { price: '$8' } })
  justAfter(periodEnd(start, 2))
  await renew()
  expect(await paid()).toEqual(['$8', '$10', '$10'])
})
