import { afterAll, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Api } from '../api.ts'
import { buildBankDetails, buildCreator, buildFan, buildUser, type Person } from '../builders.ts'
import { type Harness, startHarness } from '../harness.ts'
import { insertPurchase } from '../purchases.ts'
import { reauthenticatedApi } from '../security.ts'

const DAY_MS = 24 * 3600 * 1000

/** Payouts of what a creator sold to a fan, as an operator decides them; the creator anew for each test. */
export function payouts() {
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    finance: undefined as unknown as Api,
  }
  beforeAll(async () => {
    scene.harness = await startHarness()
    scene.fan = await buildFan(scene.harness)
    const operator = await buildUser(scene.harness, { role: 'finance' })
    scene.finance = await reauthenticatedApi(scene.harness, operator)
  })
  afterAll(() => scene.harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(scene.harness)
    await buildBankDetails(scene.harness, scene.creator.id)
  })

  /** A sale of the creator's so many days ago, of which 80% are theirs. */
  async function sell(grossCents: number, daysAgo: number): Promise<string> {
    const { harness, fan, creator } = scene
    const now = new Date(harness.clock.now().getTime() - daysAgo * DAY_MS)
    const { orderId } = await insertPurchase(harness.context.db, {
      buyer_id: fan.id,
      creator_id: creator.id,
      kind: 'single',
      item_id: crypto.randomUUID(),
      amount_cents: grossCents,
      status: 'captured',
      created_at: now,
    })
    return orderId
  }

  async function request(amount: string, key: string = crypto.randomUUID(), api?: Api) {
    const asked = api ?? (await reauthenticatedApi(scene.harness, scene.creator))
    return asked.call(routes.requestPayout, { body: { amount } }, { idempotencyKey: key })
  }
  const decide = (
    payoutId: string,
    decision: 'approve' | 'cancel' | 'paid' | 'failed',
    by: Api = scene.finance,
    reason = 'Checked',
  ) => by.call(routes.decidePayout, { body: { payoutId, decision, reason } })
  const exportAll = () =>
    scene.finance.call(
      routes.exportPayouts,
      { body: { reason: 'For the bank' } },
      { idempotencyKey: crypto.randomUUID() },
    )

  return Object.assign(scene, { sell, request, decide, exportAll })
}
