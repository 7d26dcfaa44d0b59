import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Checkpoint } from '../../context.ts'
import { buildCreator, buildFan, buildUser, type Person } from '../builders.ts'
import { cardToken } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { buildItem } from '../purchases.ts'
import { reauthenticatedApi } from '../security.ts'

const HOUR_MS = 3600 * 1000
const run = { attempt: 1, lastAttempt: false }

/** Batches that the gateway settles, of what a fan bought of a creator: both anew for each test. */
export function settlements() {
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    /** Where what is under way breaks down. */
    breakAt: null as Checkpoint | null,
  }
  beforeAll(async () => {
    scene.harness = await startHarness({
      checkpoint: async (name) => {
        if (name === scene.breakAt) throw new Error('broken down on purpose')
      },
    })
  })
  afterAll(() => scene.harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(scene.harness)
    scene.fan = await buildFan(scene.harness)
  })

  const compare = () => scene.harness.server.jobs['payments.compare']({}, run)
  const recover = () => scene.harness.server.jobs['purchases.recover']({}, run)
  const operator = async () =>
    reauthenticatedApi(scene.harness, await buildUser(scene.harness, { role: 'finance' }))

  /** Settles at the gateway, and goes on to when the batch is compared; the gateway's number of the batch. */
  async function settles(): Promise<string> {
    const admin = `${scene.harness.sandboxOrigin}/sandbox/authorizenet/admin`
    const answer = await fetch(`${admin}/settle`, { method: 'POST' })
    const { batchId } = (await answer.json()) as { batchId: string | null }
    if (!batchId) throw new Error('nothing was settled')
    scene.harness.clock.advance(2 * HOUR_MS)
    return batchId
  }

  async function buy(priceCents = 1000): Promise<string> {
    const { harness, creator, fan } = scene
    const itemId = await buildItem(harness, creator, 'single', priceCents)
    const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
    const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
    return (purchase as { _id: string })._id
  }

  /** A refund of an order's charge, made at the gateway itself, of which a webhook tells or not. */
  async function refundAtGateway(orderId: string, amountCents: number, isToldOf = true): Promise<void> {
    const { context, server } = scene.harness
    const { gateway_transaction_id, card_last_four } = await context.db
      .selectFrom('payments')
      .select(['gateway_transaction_id', 'card_last_four'])
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const made = await context.payments.refundCharge({
      transactionId: gateway_transaction_id ?? '',
      amountCents,
      lastFour: card_last_four ?? '',
      reference: crypto.randomUUID().slice(0, 20),
    })
    expect(made.kind).toBe('refunded')
    if (!isToldOf || made.kind !== 'refunded') return
    await server.jobs['gateway.look-up']({ transactionId: made.transactionId }, run)
  }

  const settled = async () => (await (await operator()).call(routes.settlements, { query: {} })).items
  const batch = async (batchId: string) => (await settled()).find((one) => one.batchId === batchId)
  const findingOf = async (batchId: string) =>
    (await (await operator()).call(routes.findings, {})).items.find(
      ({ kind, gatewayTransactionId }) => kind === 'settlement_differs' && gatewayTransactionId === batchId,
    )

  /** Balances of the platform's accounts, in cents. */
  async function accounts(): Promise<Record<'bank' | 'gateway' | 'suspense', number>> {
    const { rows } = await sql<{ kind: 'bank' | 'gateway' | 'suspense'; cents: number }>`
      select kind, sum(amount_cents)::bigint as cents from postings join ledger_accounts on ledger_accounts.id = account_id
      where user_id is null group by kind`.execute(scene.harness.context.db)
    const moved = Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]))
    return { bank: 0, gateway: 0, suspense: 0, ...moved }
  }

  return Object.assign(scene, {
    ...{ compare, recover, operator, settles, buy, refundAtGateway, batch, findingOf, accounts },
  })
}
