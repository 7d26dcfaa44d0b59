import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'
import { postDisputeOpened, postRefund } from '../ledger/actions.ts'
import { findBooks } from '../ledger/books/data.ts'
import { findMovements } from '../statements/data.ts'

const DAY_MS = 24 * 3600 * 1000
let harness: Harness
let creator: Person
let finance: Api
beforeAll(async () => {
  harness = await startHarness()
  finance = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
})

/** A session that was just confirmed. */
const decide = (
  payoutId: string,
  decision: 'approve' | 'cancel' | 'paid' | 'failed' | 'returned',
  by: Api = finance,
  reason = 'The account was closed',
) => by.call(routes.decidePayout, { body: { payoutId, decision, reason } })

/** A payout of all that the creator earned by a sale of $100, up to this state. */
async function payOut(until: 'in_transit' | 'paid'): Promise<string> {
  const { db } = harness.context
  await insertPurchase(db, {
    ...{ buyer_id: (await buildFan(harness)).id, creator_id: creator.id, kind: 'single' },
    ...{ item_id: crypto.randomUUID(), amount_cents: 10_000, status: 'captured' },
    created_at: new Date(harness.clock.now().getTime() - 8 * DAY_MS),
  })
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const { _id } = await (await reauthenticatedApi(harness, creator)).call(
    routes.requestPayout,
    { body: { amount: '$80' } },
    key(),
  )
  await decide(_id, 'approve')
  await finance.call(routes.exportPayouts, { body: { reason: 'For the bank' } }, key())
  if (until === 'paid') await decide(_id, 'paid')
  return _id
}

const shown = async () => {
  const { available, onTheWay, paidOut } = await harness.api.as(creator).call(routes.balance, { query: {} })
  const { items } = await harness.api.as(creator).call(routes.payouts, { query: {} })
  return { available, onTheWay, paidOut, payouts: items.map(({ status, reason }) => `${status} ${reason}`) }
}
const PAID = { available: '$0', onTheWay: '$0', paidOut: '$80', payouts: ['paid null'] }
const RETURNED = {
  ...{ available: '$80', onTheWay: '$0', paidOut: '$0' },
  payouts: ['returned The account was closed'],
}
const bank = async () => {
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(amount_cents), 0)::bigint as cents
    from postings join ledger_accounts on ledger_accounts.id = account_id where kind = 'bank'`.execute(
    harness.context.db,
  )
  return rows[0]?.cents
}

test('what comes back from the bank after it was paid is available again, and its person is told', async () => {
  const before = await bank()
  const payoutId = await payOut('paid')
  expect(await shown()).toEqual(PAID)
  await decide(payoutId, 'returned')
  expect(await shown()).toEqual(RETURNED)
  expect(await bank()).toBe(before)

  const { db, clock } = harness.context
  const audited = await db
    .selectFrom('audit_log')
    .select('reason')
    .where('target_id', '=', payoutId)
    .where('action', '=', 'payout.returned')
    .execute()
  expect(audited).toEqual([{ reason: 'The account was closed' }])
  const { items } = await harness.api.as(creator).call(routes.notifications, { query: {} })
  expect(items[0]?.event).toMatchObject({
    kind: 'payout.changed',
    data: { amount: '$80', state: 'returned', reason: 'The account was closed', cut: null },
  })
  const movements = await findMovements(db, creator.id, clock.now().toISOString().slice(0, 7))
  expect(
    movements.flatMap(({ source, movement, netCents }) =>
      source === 'payout' ? [[movement, netCents]] : [],
    ),
  ).toEqual([
    ['payout', -8000],
    ['payout_returned', 8000],
  ])
  expect((await findBooks(db)).discrepancies).toEqual([])
  // It can be asked for again.
  const again = await (await reauthenticatedApi(harness, creator)).call(
    routes.requestPayout,
    { body: { amount: '$80' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  expect(again.status).toBe('requested')
})

test('of commissions that were refunded or disputed meanwhile their person is told what is back and what isn’t', async () => {
  const { db, clock } = harness.context
  const referrer = await buildFan(harness)
  await buildBankDetails(harness, referrer.id)
  const sell = () =>
    insertPurchase(db, {
      ...{ buyer_id: referrer.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
      ...{ amount_cents: 10_000, status: 'captured', commissions: [{ referrerId: referrer.id, cents: 700 }] },
      created_at: new Date(clock.now().getTime() - 8 * DAY_MS),
    })
  const [refunded, disputed] = [await sell(), await sell(), await sell()]
  const asking = await reauthenticatedApi(harness, referrer)
  const key = { idempotencyKey: crypto.randomUUID() }
  const { _id } = await asking.call(routes.requestPayout, { body: { amount: '$21' } }, key)
  const given = { now: clock.now(), orderId: refunded.orderId, cents: 5000 }
  await db.transaction().execute((tx) => postRefund(tx, { ...given, refundId: crypto.randomUUID() }))
  const taken = { ...given, orderId: disputed.orderId, cents: 10_000, feeCents: 1500, isUndelivered: false }
  await db.transaction().execute((tx) => postDisputeOpened(tx, { ...taken, disputeId: crypto.randomUUID() }))
  await decide(_id, 'cancel')
  expect((await asking.call(routes.balance, { query: {} })).available).toBe('$10.50')
  const { items } = await asking.call(routes.notifications, { query: {} })
  expect(items[0]?.event.data).toMatchObject({
    ...{ amount: '$21', state: 'canceled', cut: { back: '$10.50', taken: '$3.50', held: '$7' } },
  })
  const [email] = await emailsTo(harness, referrer.email)
  expect(email?.text).toContain(
    '$10.50 of it is back in your balance. We took back $3.50 of it for refunds and lost disputes. $7 of it is on hold until the bank decides on a dispute.',
  )
})

test('of two operators who record it at once one does', async () => {
  const payoutId = await payOut('paid')
  const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const both = await Promise.allSettled([decide(payoutId, 'returned'), decide(payoutId, 'returned', second)])
  expect(both.map((one) => (one.status === 'rejected' ? one.reason.code : 'done')).sort()).toEqual([
    'done',
    'payout_changed',
  ])
  expect(await shown()).toEqual(RETURNED)
})

test('what was not paid can’t come back, nor a second time', async () => {
  const payoutId = await payOut('in_transit')
  await expect(decide(payoutId, 'returned')).rejects.toMatchObject({ code: 'payout_changed' })
  await decide(payoutId, 'paid')
  await decide(payoutId, 'returned')
  await expect(decide(payoutId, 'returned')).rejects.toMatchObject({ code: 'payout_changed' })
  await expect(decide(payoutId, 'paid')).rejects.toMatchObject({ code: 'payout_changed' })
  expect(await shown()).toEqual(RETURNED)
})

test('nobody records it without permission, without a confirmation of just now, or of their own payout', async () => {
  const payoutId = await payOut('paid')
  const support = await reauthenticatedApi(harness, await buildUser(harness, { role: 'support' }))
  await expect(decide(payoutId, 'returned', support)).rejects.toMatchObject({ code: 'permission_required' })
  const stale = harness.api.as(await buildUser(harness, { role: 'finance' }))
  await expect(decide(payoutId, 'returned', stale)).rejects.toMatchObject({
    code: 'reauthentication_required',
  })
  await expect(decide(payoutId, 'returned', finance, '')).rejects.toMatchObject({ code: 'invalid_input' })
  const { db } = harness.context
  await db.updateTable('users').set({ role: 'finance' }).where('id', '=', creator.id).execute()
  await expect(
    decide(payoutId, 'returned', await reauthenticatedApi(harness, creator)),
  ).rejects.toMatchObject({
    code: 'own_payout',
  })
  expect(await shown()).toEqual(PAID)
})

test('nobody calls their own payout failed, which the bank may have paid', async () => {
  const payoutId = await payOut('in_transit')
  const { db } = harness.context
  await db.updateTable('users').set({ role: 'finance' }).where('id', '=', creator.id).execute()
  await expect(decide(payoutId, 'failed', await reauthenticatedApi(harness, creator))).rejects.toMatchObject({
    code: 'own_payout',
  })
  expect(await shown()).toMatchObject({ available: '$0', onTheWay: '$80' })
})

describe.each(['failed', 'returned'] as const)('who recorded that a payout %s', (outcome) => {
  const request = async () =>
    (
      await (
        await reauthenticatedApi(harness, creator)
      ).call(routes.requestPayout, { body: { amount: '$80' } }, { idempotencyKey: crypto.randomUUID() })
    )._id
  const openOf = async (payoutId: string, by: Api) => {
    const { items } = await by.call(routes.allPayouts, { query: { showing: 'open' } })
    return items.find(({ _id }) => _id === payoutId)
  }
  const recoveredOf = async (payoutId: string, by: Api) => (await openOf(payoutId, by))?.recovered
  const needsAnotherOf = async (payoutId: string, by: Api) => (await openOf(payoutId, by))?.needsAnother
  /** How many payouts wait for each of them. */
  const waitingFor = (...people: Api[]) =>
    Promise.all(
      people.map(async (api) => {
        const { items } = await api.call(routes.waiting, {})
        return items.find(({ kind }) => kind === 'payout')?.count ?? 0
      }),
    )
  let first: Person
  let operator: Api
  beforeEach(async () => {
    // Nobody of another test could be the second person of this one.
    await harness.context.db.updateTable('users').set({ role: null }).where('role', '=', 'finance').execute()
    first = await buildUser(harness, { role: 'finance' })
    operator = await reauthenticatedApi(harness, first)
    finance = operator
    const payoutId = await payOut(outcome === 'failed' ? 'in_transit' : 'paid')
    await decide(payoutId, outcome)
  })

  test('doesn’t pay the money out again alone: another operator is told of it, and approves that', async () => {
    const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
    const before = await waitingFor(operator, second)
    const again = await request()
    expect([await needsAnotherOf(again, operator), await needsAnotherOf(again, second)]).toEqual([
      'recovery',
      null,
    ])
    await expect(decide(again, 'approve')).rejects.toMatchObject({ code: 'own_recovery' })
    expect(await shown()).toMatchObject({ available: '$0', onTheWay: '$80' })
    expect(await waitingFor(operator, second)).toEqual([before[0], (before[1] ?? 0) + 1])
    expect(await recoveredOf(again, second)).toMatchObject([
      { amount: '$80', status: outcome, by: { _id: first.id }, reason: 'The account was closed' },
    ])
    await decide(again, 'approve', second)
    expect(await recoveredOf(again, second)).toEqual([])

    // Somebody else stood behind it, so that the next one is like any other.
    await decide(again, 'cancel', second)
    const next = await request()
    expect(await recoveredOf(next, operator)).toEqual([])
    await decide(next, 'approve')
  })

  test('approves the next one where all who could have recorded one, which are all shown', async () => {
    const lost = await payOut(outcome === 'failed' ? 'in_transit' : 'paid')
    const other = await buildUser(harness, { role: 'finance' })
    const second = await reauthenticatedApi(harness, other)
    await decide(lost, outcome, second)
    const again = await request()
    const shownTo = (await recoveredOf(again, operator)) ?? []
    expect(shownTo.map(({ by }) => by._id)).toEqual([other.id, first.id])
    await decide(again, 'approve')
    // Somebody else stood behind what the other one said.
    await decide(again, 'cancel')
    const next = await request()
    await decide(next, 'approve', second)
  })

  test('approves the next one where nobody else could, or of somebody else', async () => {
    const other = await buildCreator(harness)
    await decide(await request(), 'approve')

    await buildUser(harness, { role: 'finance' })
    creator = other
    await buildBankDetails(harness, creator.id)
    await payOut('paid')
    expect(await shown()).toEqual(PAID)
  })
})
