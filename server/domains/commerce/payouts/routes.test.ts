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
  US_ACCOUNT,
} from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { leave, reauthenticatedApi } from '../../../testing/security.ts'
import { postRefund } from '../ledger/actions.ts'

const DAY_MS = 24 * 3600 * 1000
let harness: Harness
let creator: Person
let fan: Person
let finance: Api
beforeAll(async () => {
  harness = await startHarness()
  fan = await buildFan(harness)
  finance = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
})

/** A sale of the creator's so many days ago, of which 80% are theirs. */
async function sell(grossCents: number, daysAgo: number): Promise<string> {
  const { db } = harness.context
  const now = new Date(harness.clock.now().getTime() - daysAgo * DAY_MS)
  const { orderId } = await insertPurchase(db, {
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

const balanceOf = (person: Person) => harness.api.as(person).call(routes.balance, { query: {} })
async function request(amount: string, key: string = crypto.randomUUID(), api?: Api) {
  const asked = api ?? (await reauthenticatedApi(harness, creator))
  return asked.call(routes.requestPayout, { body: { amount } }, { idempotencyKey: key })
}
const decide = (
  payoutId: string,
  decision: 'approve' | 'cancel' | 'paid' | 'failed',
  by: Api = finance,
  reason = 'Checked',
) => by.call(routes.decidePayout, { body: { payoutId, decision, reason } })
const exportAll = () =>
  finance.call(
    routes.exportPayouts,
    { body: { reason: 'For the bank' } },
    { idempotencyKey: crypto.randomUUID() },
  )
const payoutsOf = async (person: Person) =>
  (await harness.api.as(person).call(routes.payouts, { query: {} })).items
const codes = async (calls: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(calls)
  return settled
    .map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code))
    .sort()
}
const EMPTY = {
  pending: '$0',
  available: '$0',
  reserved: '$0',
  onTheWay: '$0',
  paidOut: '$0',
  minimum: '$20',
}

test('a share is pending, then available, then on its way, then paid out', async () => {
  expect(await balanceOf(creator)).toEqual(EMPTY)
  await sell(10_000, 8)
  await sell(5000, 1)
  expect(await balanceOf(creator)).toEqual({ ...EMPTY, pending: '$40', available: '$80' })
  const { _id, ...requested } = await request('$50')
  expect(requested).toMatchObject({ amount: '$50', status: 'requested', reason: null })
  const onTheWay = { ...EMPTY, pending: '$40', available: '$30', onTheWay: '$50' }
  expect(await balanceOf(creator)).toEqual(onTheWay)
  await decide(_id, 'approve')
  const { csv, count, total } = await exportAll()
  expect([count, total]).toEqual([1, '$50'])
  expect(csv.split('\r\n')).toEqual([
    `"Payout","Username","Name","Email","Amount","Currency","Requested","Account holder","Bank country","IBAN","SWIFT code","Routing number","Account number"`,
    `"${_id}","${creator.username}","Test","${creator.email}","50.00","USD","${requested.requestedAt}","Test Person","US","","","${US_ACCOUNT.routingNumber}","${US_ACCOUNT.accountNumber}"`,
    '',
  ])
  expect(await balanceOf(creator)).toEqual(onTheWay)
  await decide(_id, 'paid')
  expect(await balanceOf(creator)).toEqual({ ...EMPTY, pending: '$40', available: '$30', paidOut: '$50' })
  expect(await payoutsOf(creator)).toMatchObject([{ _id, status: 'paid', reason: null }])
  // Nothing is exported twice.
  expect(await exportAll()).toMatchObject({ count: 0, total: '$0' })

  const { db } = harness.context
  const events = await db
    .selectFrom('payout_events')
    .select(['status', 'actor_id'])
    .where('payout_id', '=', _id)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  expect(events.map(({ status }) => status)).toEqual(['requested', 'approved', 'in_transit', 'paid'])
  expect(events[0]?.actor_id).toBe(creator.id)
  const audited = await db
    .selectFrom('audit_log')
    .select(['action', 'reason'])
    .where('target_id', '=', _id)
    .orderBy('id')
    .execute()
  expect(audited).toEqual([
    { action: 'payout.approved', reason: 'Checked' },
    { action: 'payout.in_transit', reason: 'For the bank' },
    { action: 'payout.paid', reason: 'Checked' },
  ])
})

test.each<['cancel' | 'failed']>([['cancel'], ['failed']])(
  'after %s the money is available again, and the reason is told',
  async (decision) => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    await decide(_id, 'approve')
    if (decision === 'failed') await exportAll()
    await decide(_id, decision, finance, 'The account is closed')
    expect(await balanceOf(creator)).toEqual({ ...EMPTY, available: '$80' })
    expect(await payoutsOf(creator)).toMatchObject([{ reason: 'The account is closed' }])
    await request('$80')
    expect(await balanceOf(creator)).toEqual({ ...EMPTY, onTheWay: '$80' })
    // So that the next test exports its own alone.
    for (const payout of await payoutsOf(creator))
      if (payout.status === 'requested') await decide(payout._id, 'cancel')
  },
)

test('more than is available, less than the minimum, and what is no session of just now are refused', async () => {
  await sell(10_000, 8)
  await sell(10_000, 6)
  expect(await codes([request('$80.01'), request('$19.99'), request('$0')])).toEqual([
    'payout_below_minimum',
    'payout_below_minimum',
    'payout_exceeds_balance',
  ])
  const stale = harness.api.as(creator)
  await expect(request('$50', crypto.randomUUID(), stale)).rejects.toMatchObject({
    code: 'reauthentication_required',
  })
  expect(await payoutsOf(creator)).toEqual([])
  expect(await balanceOf(creator)).toEqual({ ...EMPTY, pending: '$80', available: '$80' })
})

test('50 requests for the whole balance at once: one; and one key asks once', async () => {
  await sell(10_000, 8)
  const api = await reauthenticatedApi(harness, creator)
  const all = await codes(Array.from({ length: 50 }, () => request('$80', crypto.randomUUID(), api)))
  expect(all.filter((code) => code === 'done')).toHaveLength(1)
  expect(new Set(all)).toEqual(new Set(['done', 'payout_exceeds_balance']))
  expect(await payoutsOf(creator)).toHaveLength(1)
  await sell(10_000, 8)
  const key = crypto.randomUUID()
  const answers = [await request('$40', key, api), await request('$40', key, api)]
  expect(answers[0]).toEqual(answers[1])
  expect(await payoutsOf(creator)).toHaveLength(2)
  expect(await balanceOf(creator)).toEqual({ ...EMPTY, available: '$40', onTheWay: '$120' })
})

test('nothing is approved or exported while our payments differ from the gateway’s', async () => {
  await sell(10_000, 8)
  const [first, second] = [await request('$40'), await request('$40')]
  await decide(first._id, 'approve')
  const { db, clock } = harness.context
  const now = clock.now()
  const finding = await db
    .insertInto('findings')
    .values({
      ...{ kind: 'unknown_charge', gateway_transaction_id: '1' },
      ...{ charged_at: now, found_at: now, seen_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await codes([decide(second._id, 'approve'), exportAll()])).toEqual([
    'payouts_on_hold',
    'payouts_on_hold',
  ])
  const held = await payoutsOf(creator)
  expect(held.map(({ status }) => status).sort()).toEqual(['approved', 'requested'])
  const hold = { why: 'differences', since: now.toISOString(), until: null }
  expect(held.map((payout) => payout.hold)).toEqual([hold, hold])
  await db.updateTable('findings').set({ resolved_at: now }).where('id', '=', finding.id).execute()
  expect((await payoutsOf(creator)).map((payout) => payout.hold)).toEqual([null, null])
  expect(await codes([decide(second._id, 'approve'), exportAll()])).toEqual(['done', 'done'])
})

test('of two operators who decide at once one does', async () => {
  await sell(10_000, 8)
  const { _id } = await request('$80')
  const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  expect(await codes([decide(_id, 'approve'), decide(_id, 'approve', second)])).toEqual([
    'done',
    'payout_changed',
  ])
  expect(await codes([decide(_id, 'cancel'), decide(_id, 'cancel', second), exportAll()])).toContain('done')
  const [payout] = await payoutsOf(creator)
  const { available, onTheWay } = await balanceOf(creator)
  const isCanceled = payout?.status === 'canceled'
  expect([available, onTheWay]).toEqual(isCanceled ? ['$80', '$0'] : ['$0', '$80'])
  if (!isCanceled) await decide(_id, 'failed')
})

test('a refund at the time of a payout leaves a debt that the next shares pay first', async () => {
  const orderId = await sell(10_000, 8)
  const { db, clock } = harness.context
  const refund = () =>
    db
      .transaction()
      .execute((tx) =>
        postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 10_000, now: clock.now() }),
      )
  const [payout] = await Promise.allSettled([request('$80'), refund()])
  const paid = payout?.status === 'fulfilled'
  expect(await balanceOf(creator)).toEqual({
    ...EMPTY,
    ...(paid ? { available: '-$80', onTheWay: '$80' } : { available: '$0' }),
  })
  await sell(12_500, 8)
  expect((await balanceOf(creator)).available).toBe(paid ? '$20' : '$100')
  expect(await codes([request('$100.01')])).toEqual(['payout_exceeds_balance'])
})

test('nobody sees the payouts of others, decides without permission, or approves their own', async () => {
  await sell(10_000, 8)
  const { _id } = await request('$80')
  const stranger = await buildCreator(harness)
  expect(await payoutsOf(stranger)).toEqual([])
  await expect(decide(_id, 'approve', await reauthenticatedApi(harness, stranger))).rejects.toMatchObject({
    code: 'permission_required',
  })
  await expect(decide(crypto.randomUUID(), 'approve')).rejects.toMatchObject({ code: 'payout_not_found' })
  for (const decision of ['paid', 'failed'] as const)
    await expect(decide(_id, decision)).rejects.toMatchObject({ code: 'payout_changed' })
  await harness.context.db
    .updateTable('users')
    .set({ role: 'finance' })
    .where('id', '=', creator.id)
    .execute()
  await expect(decide(_id, 'approve', await reauthenticatedApi(harness, creator))).rejects.toMatchObject({
    code: 'own_payout',
  })
  expect(await payoutsOf(creator)).toMatchObject([{ status: 'requested' }])
  const { items } = await finance.call(routes.allPayouts, { query: {} })
  expect(items.find((payout) => payout._id === _id)).toMatchObject({
    person: { _id: creator.id, username: creator.username },
  })
  await decide(_id, 'cancel')
  const open = await finance.call(routes.allPayouts, { query: {} })
  expect(open.items.filter((payout) => payout._id === _id)).toEqual([])
})

describe('the payout of somebody', () => {
  const setSuspended = (suspended: boolean) =>
    harness.context.db
      .updateTable('users')
      .set({
        suspended_at: suspended ? harness.clock.now() : null,
        suspension_reason: suspended ? 'Sold what isn’t theirs' : null,
      })
      .where('id', '=', creator.id)
      .execute()
  const shown = async (payoutId: string) => {
    const { items } = await finance.call(routes.allPayouts, { query: {} })
    return items.find(({ _id }) => _id === payoutId)
  }

  test('who is suspended is neither approved nor exported, and shows whose it is', async () => {
    await sell(10_000, 8)
    const waiting = await request('$80')
    await setSuspended(true)
    expect(await shown(waiting._id)).toMatchObject({
      person: { username: creator.username },
      accountFlags: ['suspended'],
    })
    await expect(decide(waiting._id, 'approve')).rejects.toMatchObject({ code: 'payout_suspended' })
    await setSuspended(false)
    expect(await shown(waiting._id)).toMatchObject({ accountFlags: [] })
    await decide(waiting._id, 'approve')
    await setSuspended(true)
    const hold = { why: 'suspended', since: expect.any(String), until: null }
    expect(await shown(waiting._id)).toMatchObject({ accountFlags: ['suspended'], hold })
    const held = await exportAll()
    expect(held.csv).not.toContain(waiting._id)
    expect(held.held).toBeGreaterThan(0)
    await setSuspended(false)
    expect((await exportAll()).csv).toContain(waiting._id)
    await setSuspended(true)
    // Payouts that the bank already has are paid all the same.
    expect(await shown(waiting._id)).toMatchObject({ status: 'in_transit', accountFlags: [] })
    await setSuspended(false)
  })

  test('who is suspended and leaving shows both', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    await leave(harness, creator)
    await setSuspended(true)
    expect(await shown(_id)).toMatchObject({ accountFlags: ['suspended', 'leaving'] })
    await setSuspended(false)
  })

  test('who is leaving shows whose it is, and is paid', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    await leave(harness, creator)
    expect(await shown(_id)).toMatchObject({
      person: { username: creator.username },
      accountFlags: ['leaving'],
    })
    await decide(_id, 'approve')
    expect((await exportAll()).csv).toContain(_id)
  })

  test('who has come to owe something since shows how much', async () => {
    const orderId = await sell(10_000, 8)
    const { _id } = await request('$50')
    expect(await shown(_id)).toMatchObject({ owes: null })
    const { db, clock } = harness.context
    await db
      .transaction()
      .execute((tx) =>
        postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 10_000, now: clock.now() }),
      )
    expect(await shown(_id)).toMatchObject({ owes: '$50' })
    await decide(_id, 'cancel')
    const { items } = await finance.call(routes.allPayouts, { query: { showing: 'all' } })
    expect(items.find((payout) => payout._id === _id)).toMatchObject({ owes: null })
  })
})

test('operators see what has waited longest first, page by page, and all payouts newest first', async () => {
  const asked: string[] = []
  for (let count = 0; count < 3; count++) {
    await sell(10_000, 8)
    asked.push((await request('$20'))._id)
    harness.clock.advance(1000)
  }
  const listed = async (showing: 'open' | 'all') => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await finance.call(routes.allPayouts, { query: { showing, limit: 2, cursor } })
      found.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return found.filter((id) => asked.includes(id))
  }
  expect(await listed('open')).toEqual(asked)
  expect(await listed('all')).toEqual(asked.toReversed())
})

test('a live installation pays out nothing that the sandbox made', async () => {
  await sell(20_000, 8)
  const { _id } = await request('$80')
  await decide(_id, 'approve')
  const { db } = harness.context
  await db.updateTable('installation').set({ livemode: true }).execute()
  try {
    expect(await balanceOf(creator)).toEqual(EMPTY)
    expect(await codes([request('$20')])).toEqual(['payout_exceeds_balance'])
    expect(await exportAll()).toMatchObject({ count: 0 })
    await expect(decide(_id, 'cancel')).rejects.toMatchObject({ code: 'payout_not_found' })
  } finally {
    await db.updateTable('installation').set({ livemode: false }).execute()
  }
  expect(await payoutsOf(creator)).toMatchObject([{ status: 'approved' }])
})

describe('the database refuses', () => {
  test('every step that is not one of a payout’s, another amount, and to forget one', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    const { db } = harness.context
    const change = (statement: ReturnType<typeof sql>) =>
      db.transaction().execute((tx) => statement.execute(tx))
    for (const status of ['requested', 'in_transit', 'paid', 'failed'])
      await expect(change(sql`update payouts set status = ${status} where id = ${_id}`)).rejects.toThrow(
        /can't go from requested/,
      )
    await expect(
      change(sql`update payouts set amount_cents = 1, status = 'approved' where id = ${_id}`),
    ).rejects.toThrow(/only the status/)
    await expect(change(sql`delete from payouts where id = ${_id}`)).rejects.toThrow(/append-only/)
    await expect(change(sql`update payout_events set reason = 'x'`)).rejects.toThrow(/append-only/)
    await expect(change(sql`delete from payout_events`)).rejects.toThrow(/append-only/)
    expect(await payoutsOf(creator)).toMatchObject([{ amount: '$80', status: 'requested' }])
  })
})
