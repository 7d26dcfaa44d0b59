import { afterAll, beforeAll } from 'vitest'
import type { Tx } from '../../db/client.ts'
import { postRefund } from '../../domains/commerce/ledger/actions.ts'
import { findBalances } from '../../domains/commerce/ledger/data.ts'
import { postPayout } from '../../domains/commerce/ledger/payouts/actions.ts'
import { buildFan, type Person } from '../builders.ts'
import { type Harness, startHarness } from '../harness.ts'
import { insertPurchase } from '../purchases.ts'
import { DAY_MS, start } from './posted-order.ts'

export const after = (days: number) => new Date(start.getTime() + days * DAY_MS)

type Sold = {
  grossCents?: number
  feeBasisPoints?: number
  referrer?: Person
  commission?: number
  now?: Date
}

/** Movements of the real ledger, of what one fan bought. */
export function movements() {
  const scene = { harness: undefined as unknown as Harness, fan: undefined as unknown as Person }
  beforeAll(async () => {
    scene.harness = await startHarness()
    scene.fan = await buildFan(scene.harness)
  })
  afterAll(() => scene.harness?.stop())

  const inTx = <T>(work: (tx: Tx) => Promise<T>) => scene.harness.context.db.transaction().execute(work)
  const balancesOf = ({ id }: Person) => findBalances(scene.harness.context.db, id)

  /** An order of the creator's that was paid; the platform keeps 20%. */
  async function sell(creator: Person, sold: Sold = {}): Promise<string> {
    const { grossCents = 10_000, feeBasisPoints = 2000, referrer, commission = 0, now = start } = sold
    const { orderId } = await insertPurchase(scene.harness.context.db, {
      buyer_id: scene.fan.id,
      creator_id: creator.id,
      kind: 'single',
      item_id: crypto.randomUUID(),
      amount_cents: grossCents,
      status: 'captured',
      created_at: now,
      fee_basis_points: feeBasisPoints,
      commissions: referrer ? [{ referrerId: referrer.id, cents: commission }] : [],
    })
    return orderId
  }

  const refund = (orderId: string, cents: number, now = start, refundId: string = crypto.randomUUID()) =>
    inTx((tx) => postRefund(tx, { refundId, orderId, cents, now }))
  const payOut = (person: Person, cents: number, now: Date, payoutId: string = crypto.randomUUID()) =>
    inTx((tx) => postPayout(tx, { payoutId, userId: person.id, cents, now }))

  return Object.assign(scene, { inTx, balancesOf, sell, refund, payOut })
}
