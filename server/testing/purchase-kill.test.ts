import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Checkpoint } from '../context.ts'
import { createApi } from './api.ts'
import { buildCreator, buildFan, type Person } from './builders.ts'
import { cardToken, gatewayCaptures, gatewayTransactions } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildItem, OFFERED_KINDS, type OfferedKind } from './purchases.ts'
import { prepareVictims, type Victims } from './victims.ts'

const CHECKPOINTS: Checkpoint[] = [
  'purchase.before-intent',
  'purchase.intent-committed',
  'purchase.submitting-committed',
  'purchase.gateway-answered',
  'purchase.before-capture-commit',
  'purchase.capture-committed',
]
/** The process dies when the first, second or third of its concurrent purchases comes to the checkpoint. */
const CRASH_COUNTS = [1, 2, 3]
/** The run that docs/security.md quotes: every count at every step of every kind, instead of one count for each in turn. */
const EVERY_COUNT = process.env.PURCHASE_KILLS === 'all'
const FANS = 3
/** Servers that live, and die, at the same time. */
const LANES = 2
const MINUTE_MS = 60_000

let harness: Harness
let victims: Victims
let items: Record<OfferedKind, string>

beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
  const creator = await buildCreator(harness)
  items = {
    single: await buildItem(harness, creator, 'single', 333),
    bundle: await buildItem(harness, creator, 'bundle', 1001),
    singles: await buildItem(harness, creator, 'singles', 555),
    subscription: await buildItem(harness, creator, 'subscription', 999),
  }
})
afterAll(async () => {
  await victims.dispose()
  await harness.stop()
})

type Wanted = { fan: Person; body: object; key: string }

/** Buys; a server that dies meanwhile answers nothing, which is null. */
async function buy(
  origin: string,
  { fan, body, key }: Wanted,
): Promise<{ status: number; body: unknown } | null> {
  const headers = { 'idempotency-key': key }
  return createApi(origin, fan.token)
    .send('POST', '/users/purchase', { body, headers })
    .catch(() => null)
}

async function want(kind: OfferedKind, fan: Person): Promise<Wanted> {
  const body = { kind, itemId: items[kind], ...(await cardToken(harness)) }
  return { fan, body, key: crypto.randomUUID() }
}

/** Money at the gateway, money here, what it granted and the ledger, compared payment by payment. */
async function inconsistencies(): Promise<{ rows: object[]; ledger: number; strays: string[] }> {
  const { db } = harness.context
  const captures = await gatewayCaptures(harness)
  const charged = JSON.stringify(
    captures.map((one) => ({ reference: one.invoiceNumber, cents: one.amountCents })),
  )
  const { rows } = await sql<object>`
    with charged as (select reference, sum(cents) as cents, count(*) as times
      from jsonb_to_recordset(${charged}::jsonb) as one (reference text, cents bigint) group by reference)
    select payments.reference, orders.kind, orders.status as order, payments.status, charged.times, charged.cents,
      (select count(*) from entitlements where revoked_at is null and source_id in (orders.id, orders.subscription_id)) as granted,
      (select count(*) from order_items where order_id = orders.id) as agreed,
      (select count(*) from entitlements join entitlement_media on entitlement_id = entitlements.id
        join order_items using (media_id, version_id)
        where source_id = orders.id and order_items.order_id = orders.id) as delivered,
      (select count(*) from journals where source_id = payments.id) as sales,
      (select coalesce(sum(amount_cents), 0) from postings join journals on journals.id = journal_id
        where source_id = payments.id and amount_cents > 0) as posted,
      (select count(*) from subscriptions join entitlements on source_id = subscriptions.id
        where subscriptions.id = orders.subscription_id) as subscriptions,
      (select count(*) from offer_redemptions where order_id = orders.id and redeemed_at is not null) as redeemed
    from payments join orders on orders.id = payments.order_id left join charged using (reference)`.execute(
    db,
  )
  const wrong = rows.filter((row) => {
    const {
      kind,
      order,
      status,
      times,
      cents,
      granted,
      agreed,
      delivered,
      sales,
      posted,
      subscriptions,
      redeemed,
    } = row as Record<string, unknown>
    const sold = [times, granted, sales].map((count) => count === 1)
    const whole = delivered === agreed && Number(agreed) > 0 === (kind !== 'subscription')
    // Of an attempt that failed, the order may have been paid by a later one.
    const none = times === null && sales === 0 && Number(posted) === 0 && (order === 'paid' || granted === 0)
    const complete = sold.every(Boolean) && Number(posted) === Number(cents)
    const taken = redeemed === (kind === 'singles' && order === 'paid' ? 1 : 0)
    const started = subscriptions === (kind === 'subscription' ? 1 : 0)
    if (!taken) return true
    return status === 'captured' ? !(complete && whole && started) : !(none && status === 'refused')
  })
  const known = new Set(rows.map((row) => (row as { reference: string }).reference))
  const total = await sql<{
    cents: number
  }>`select coalesce(sum(amount_cents), 0)::bigint as cents from postings`.execute(db)
  return {
    rows: wrong,
    ledger: total.rows[0]?.cents ?? Number.NaN,
    strays: captures.map(({ invoiceNumber }) => invoiceNumber).filter((reference) => !known.has(reference)),
  }
}

const consistent = { rows: [], ledger: 0, strays: [] }

test('killed at every step of a purchase, captures at the gateway = captures here = entitlements', async () => {
  const plan = CHECKPOINTS.flatMap((crashAt, step) =>
    OFFERED_KINDS.flatMap((kind, place) =>
      CRASH_COUNTS.filter((_, turn) => EVERY_COUNT || turn === (step + place) % CRASH_COUNTS.length).map(
        (crashCount) => ({ crashAt, kind, crashCount }),
      ),
    ),
  )
  const attempts: Wanted[] = []
  const signals: (NodeJS.Signals | null)[] = []

  async function killOne({ crashAt, kind, crashCount }: (typeof plan)[number]): Promise<void> {
    const victim = victims.start({ crashAt, crashCount, job: null })
    const wanted = await Promise.all(
      Array.from({ length: FANS }, async () => want(kind, await buildFan(harness))),
    )
    attempts.push(...wanted)
    const origin = await victim.address
    await Promise.all(wanted.map((one) => buy(origin, one)))
    // One that survived ends by another signal, which the test then sees.
    victim.end()
    signals.push(await victim.ended)
    // What every client does at once: ask again with the same key, here at another server of the same database.
    await Promise.all(wanted.map((one) => buy(harness.server.address, one)))
  }

  async function killInRecovery(crashAt: Checkpoint): Promise<void> {
    const victim = victims.start({ crashAt, crashCount: 1, job: 'purchases.recover' })
    signals.push(await victim.ended)
  }

  const queue = [...plan]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await killOne(next)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  harness.clock.advance(2 * MINUTE_MS)
  for (let round = 0; round < 2; round++) {
    await killInRecovery('purchase.before-capture-commit')
    await killInRecovery('purchase.capture-committed')
  }
  expect(signals).toEqual(signals.map(() => 'SIGKILL'))
  expect(signals).toHaveLength(plan.length + 4)

  harness.clock.advance(20 * MINUTE_MS)
  const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
  for (let run = 0; run < 4; run++) await recover()
  expect(await inconsistencies()).toEqual(consistent)

  // The same keys again: told how it ended, and charged for nothing.
  const before = await gatewayTransactions(harness)
  const replies = await Promise.all(attempts.map((one) => buy(harness.server.address, one)))
  expect([...new Set(replies.map((reply) => reply?.status))].sort()).toEqual([200, 402])
  expect(await gatewayTransactions(harness)).toEqual(before)

  // Fans without it buy it again; in the end each has been charged once and has it once.
  const again = attempts.filter((_, index) => replies[index]?.status === 402)
  for (const { fan, body } of again) {
    const { kind } = body as { kind: OfferedKind }
    expect(await buy(harness.server.address, await want(kind, fan))).toMatchObject({ status: 200 })
  }
  expect(await inconsistencies()).toEqual(consistent)
  expect(await gatewayCaptures(harness)).toHaveLength(attempts.length)
}, 1_200_000)
