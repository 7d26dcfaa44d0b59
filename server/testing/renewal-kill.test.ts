import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Checkpoint } from '../context.ts'
import { buildCreator, buildFan, buildSession, type Person } from './builders.ts'
import { cardToken, gatewayCaptures } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildItem } from './purchases.ts'
import { prepareVictims, type Victims } from './victims.ts'

const CHECKPOINTS: Checkpoint[] = [
  'renewal.claimed',
  'renewal.gateway-answered',
  'purchase.before-capture-commit',
  'purchase.capture-committed',
]
const FANS = 4
const MINUTE_MS = 60_000
const MONTH_MS = 32 * 24 * 60 * MINUTE_MS

let harness: Harness
let victims: Victims
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
  creator = await buildCreator(harness)
})
afterAll(async () => {
  await victims.dispose()
  await harness.stop()
})

async function subscribe(): Promise<void> {
  const itemId = await buildItem(harness, creator, 'subscription', 999)
  for (let count = 0; count < FANS; count++) {
    const fan = await buildFan(harness)
    const api = harness.api.as({ token: await buildSession(harness, fan.id) })
    await api.call(routes.purchase, { body: { kind: 'subscription', itemId, ...(await cardToken(harness)) } })
  }
}

/** Every order of a subscription with how often it was charged at the gateway, sold and captured here. */
async function periods() {
  const captures = await gatewayCaptures(harness)
  const counts = Map.groupBy(captures, ({ invoiceNumber }) => invoiceNumber)
  const rows = await harness.context.db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .leftJoin('journals', 'journals.source_id', 'payments.id')
    .select(['subscription_id', 'period', 'payments.status', 'reference', 'journals.id as sale'])
    .execute()
  return [...Map.groupBy(rows, ({ subscription_id, period }) => `${subscription_id} ${period}`).values()].map(
    (attempts) => ({
      period: attempts[0]?.period,
      charged: attempts.reduce((sum, { reference }) => sum + (counts.get(reference)?.length ?? 0), 0),
      captured: attempts.filter(({ status }) => status === 'captured').length,
      sales: attempts.filter(({ sale }) => sale !== null).length,
    }),
  )
}

test('two schedulers killed at every step of a renewal charge each period once', async () => {
  for (const crashAt of CHECKPOINTS) {
    await subscribe()
    harness.clock.advance(MONTH_MS)
    const both = [1, 2].map((crashCount) => victims.start({ crashAt, crashCount, job: 'renewals.charge' }))
    const signals = await Promise.all(both.map(({ ended }) => ended))
    expect(signals, crashAt).toContain('SIGKILL')
    const run = { attempt: 1, lastAttempt: false }
    for (let hour = 0; hour < 6; hour++) {
      harness.clock.advance(61 * MINUTE_MS)
      await harness.server.jobs['purchases.recover']({}, run)
      await harness.server.jobs['renewals.charge']({}, run)
    }
  }
  const all = await periods()
  expect(
    all.filter(({ charged, captured, sales }) => charged !== 1 || captured !== 1 || sales !== 1),
  ).toEqual([])
  expect(all.filter(({ period }) => period === 2)).toHaveLength(FANS * CHECKPOINTS.length)
}, 600_000)
