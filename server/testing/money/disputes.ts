import { afterAll, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { findBooks } from '../../domains/commerce/ledger/books/data.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../builders.ts'
import { cardToken } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { buildItem, type OfferedKind } from '../purchases.ts'
import { askedOf } from '../refunds.ts'

/** The traces of an order that was sold, and of one that is disputed. */
export const SOLD = {
  ...{ payment: 'captured', access: 1, lost: false, discrepancies: 0 },
  ...{ pending: '$8', available: '$0', reserved: '$0' },
}
export const DISPUTED = { ...SOLD, payment: 'disputed', access: 0, pending: '$0', reserved: '$8' }

export type Answer = { status: number; body: { _id: string; openedAt: string; code?: string } }
type Change = { by?: Person; key?: string; amount?: string; caseNumber?: string; respondBy?: string }

/** Disputes of what a fan bought of a creator, as an operator records them; all three anew for each test. */
export function disputes() {
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    operator: undefined as unknown as Person,
  }
  beforeAll(async () => {
    scene.harness = await startHarness()
  })
  afterAll(() => scene.harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(scene.harness)
    scene.fan = await buildFan(scene.harness)
    const operator = await buildUser(scene.harness, { role: 'finance' })
    scene.operator = { ...operator, token: await recentSession(operator) }
  })

  const recentSession = ({ id }: Person) =>
    buildSession(scene.harness, id, { reauthenticatedAt: scene.harness.clock.now() })

  /** Buys something of $9.99, of which the creator's share is $8; answers the order and what it was of. */
  async function buy(kind: OfferedKind = 'single', itemId?: string) {
    const item = itemId ?? (await buildItem(scene.harness, scene.creator, kind))
    const body = { kind, itemId: item, ...(await cardToken(scene.harness)) }
    const answer = await scene.harness.api.as(scene.fan).send('POST', '/users/purchase', { body })
    const { _id: orderId, code } = answer.body as { _id: string; code?: string }
    return { status: answer.status, orderId, itemId: item, code }
  }

  async function dispute(transactionId: string, change: Change = {}): Promise<Answer> {
    const {
      by = scene.operator,
      key = crypto.randomUUID(),
      amount = '$9.99',
      caseNumber = key,
      respondBy,
    } = change
    const { status, body } = await scene.harness.api.as(by).send('POST', '/admin/disputes', {
      body: {
        ...{ transactionId, amount, fee: '$15', cause: 'fraud', caseNumber, respondBy },
        reason: 'By the bank’s letter',
      },
      headers: { 'idempotency-key': key },
    })
    return { status, body } as Answer
  }

  async function decide(disputeId: string, outcome: 'won' | 'lost', by = scene.operator): Promise<Answer> {
    const body = { disputeId, outcome, reason: 'The bank’s decision' }
    return (await scene.harness.api.as(by).send('POST', '/admin/disputes/decide', { body })) as Answer
  }

  async function refund(transactionId: string, amount: string) {
    const operator = scene.harness.api.as(scene.operator)
    return operator.send('POST', '/admin/refund', {
      body: await askedOf(operator, { transactionId, amount }),
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
  }

  /** The gateway settles, so that what was charged can be refunded in parts. */
  async function settle(): Promise<void> {
    await fetch(`${scene.harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  }

  /** How an order stands, for its buyer, its creator and in the books. */
  async function traces(orderId: string) {
    const { db } = scene.harness.context
    const order = await db
      .selectFrom('orders')
      .innerJoin('payments', 'payments.id', 'paid_by')
      .select(['payments.status', 'refunded_at', 'subscription_id'])
      .where('orders.id', '=', orderId)
      .executeTakeFirstOrThrow()
    const access = await db
      .selectFrom('entitlements')
      .select('id')
      .where('source_id', 'in', [orderId, order.subscription_id ?? orderId])
      .where('revoked_at', 'is', null)
      .execute()
    const { pending, available, reserved } = await scene.harness.api
      .as(scene.creator)
      .call(routes.balance, { query: {} })
    const { discrepancies } = await findBooks(db)
    return {
      ...{ payment: order.status, access: access.length, lost: order.refunded_at !== null },
      ...{ pending, available, reserved, discrepancies: discrepancies.length },
    }
  }

  /** Balances of the platform's accounts, in cents. */
  async function accounts(): Promise<Record<string, number>> {
    const { totals } = await findBooks(scene.harness.context.db)
    return Object.fromEntries(totals.map(({ kind, cents }) => [kind, cents]))
  }

  return Object.assign(scene, { recentSession, buy, dispute, decide, refund, settle, traces, accounts })
}
