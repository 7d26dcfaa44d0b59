import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildUser, type Person, US_ACCOUNT } from '../../../testing/builders.ts'
import { payouts } from '../../../testing/money/payouts.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'
import { postRefund } from '../ledger/actions.ts'

const scene = payouts()
const { sell, request, decide, exportAll } = scene

const balanceOf = (person: Person) => scene.harness.api.as(person).call(routes.balance, { query: {} })
const payoutsOf = async (person: Person) =>
  (await scene.harness.api.as(person).call(routes.payouts, { query: {} })).items
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
  expect(await balanceOf(scene.creator)).toEqual(EMPTY)
  await sell(10_000, 8)
  await sell(5000, 1)
  expect(await balanceOf(scene.creator)).toEqual({ ...EMPTY, pending: '$40', available: '$80' })
  const { _id, ...requested } = await request('$50')
  expect(requested).toMatchObject({ amount: '$50', status: 'requested', reason: null })
  const onTheWay = { ...EMPTY, pending: '$40', available: '$30', onTheWay: '$50' }
  expect(await balanceOf(scene.creator)).toEqual(onTheWay)
  await decide(_id, 'approve')
  const { csv, count, total } = await exportAll()
  expect([count, total]).toEqual([1, '$50'])
  expect(csv.split('\r\n')).toEqual([
    `"Payout","Username","Name","Email","Amount","Currency","Requested","Account holder","Bank country","IBAN","SWIFT code","Routing number","Account number"`,
    `"${_id}","${scene.creator.username}","Test","${scene.creator.email}","50.00","USD","${requested.requestedAt}","Test Person","US","","","${US_ACCOUNT.routingNumber}","${US_ACCOUNT.accountNumber}"`,
    '',
  ])
  expect(await balanceOf(scene.creator)).toEqual(onTheWay)
  await decide(_id, 'paid')
  expect(await balanceOf(scene.creator)).toEqual({
    ...EMPTY,
    pending: '$40',
    available: '$30',
    paidOut: '$50',
  })
  expect(await payoutsOf(scene.creator)).toMatchObject([{ _id, status: 'paid', reason: null }])
  // Nothing is exported twice.
  expect(await exportAll()).toMatchObject({ count: 0, total: '$0' })

  const { db } = scene.harness.context
  const events = await db
    .selectFrom('payout_events')
    .select(['status', 'actor_id'])
    .where('payout_id', '=', _id)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  expect(events.map(({ status }) => status)).toEqual(['requested', 'approved', 'in_transit', 'paid'])
  expect(events[0]?.actor_id).toBe(scene.creator.id)
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
    await decide(_id, decision, scene.finance, 'The account is closed')
    expect(await balanceOf(scene.creator)).toEqual({ ...EMPTY, available: '$80' })
    expect(await payoutsOf(scene.creator)).toMatchObject([{ reason: 'The account is closed' }])
    await request('$80')
    expect(await balanceOf(scene.creator)).toEqual({ ...EMPTY, onTheWay: '$80' })
    // So that the next test exports its own alone.
    for (const payout of await payoutsOf(scene.creator))
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
  const stale = scene.harness.api.as(scene.creator)
  await expect(request('$50', crypto.randomUUID(), stale)).rejects.toMatchObject({
    code: 'reauthentication_required',
  })
  expect(await payoutsOf(scene.creator)).toEqual([])
  expect(await balanceOf(scene.creator)).toEqual({ ...EMPTY, pending: '$80', available: '$80' })
})

test('50 requests for the whole balance at once: one; and one key asks once', async () => {
  await sell(10_000, 8)
  const api = await reauthenticatedApi(scene.harness, scene.creator)
  const all = await codes(Array.from({ length: 50 }, () => request('$80', crypto.randomUUID(), api)))
  expect(all.filter((code) => code === 'done')).toHaveLength(1)
  expect(new Set(all)).toEqual(new Set(['done', 'payout_exceeds_balance']))
  expect(await payoutsOf(scene.creator)).toHaveLength(1)
  await sell(10_000, 8)
  const key = crypto.randomUUID()
  const answers = [await request('$40', key, api), await request('$40', key, api)]
  expect(answers[0]).toEqual(answers[1])
  expect(await payoutsOf(scene.creator)).toHaveLength(2)
  expect(await balanceOf(scene.creator)).toEqual({ ...EMPTY, available: '$40', onTheWay: '$120' })
})

test('nothing is approved or exported while our payments differ from the gateway’s', async () => {
  await sell(10_000, 8)
  const [first, second] = [await request('$40'), await request('$40')]
  await decide(first._id, 'approve')
  const { db, clock } = scene.harness.context
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
  const held = await payoutsOf(scene.creator)
  expect(held.map(({ status }) => status).sort()).toEqual(['approved', 'requested'])
  const hold = { why: 'differences', since: now.toISOString(), until: null }
  expect(held.map((payout) => payout.hold)).toEqual([hold, hold])
  await db.updateTable('findings').set({ resolved_at: now }).where('id', '=', finding.id).execute()
  expect((await payoutsOf(scene.creator)).map((payout) => payout.hold)).toEqual([null, null])
  expect(await codes([decide(second._id, 'approve'), exportAll()])).toEqual(['done', 'done'])
})

test('of two operators who decide at once one does', async () => {
  await sell(10_000, 8)
  const { _id } = await request('$80')
  const second = await reauthenticatedApi(scene.harness, await buildUser(scene.harness, { role: 'finance' }))
  expect(await codes([decide(_id, 'approve'), decide(_id, 'approve', second)])).toEqual([
    'done',
    'payout_changed',
  ])
  expect(await codes([decide(_id, 'cancel'), decide(_id, 'cancel', second), exportAll()])).toContain('done')
  const [payout] = await payoutsOf(scene.creator)
  const { available, onTheWay } = await balanceOf(scene.creator)
  const isCanceled = payout?.status === 'canceled'
  expect([available, onTheWay]).toEqual(isCanceled ? ['$80', '$0'] : ['$0', '$80'])
  if (!isCanceled) await decide(_id, 'failed')
})

test('a refund at the time of a payout leaves a debt that the next shares pay first', async () => {
  const orderId = await sell(10_000, 8)
  const { db, clock } = scene.harness.context
  const refund = () =>
    db
      .transaction()
      .execute((tx) =>
        postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 10_000, now: clock.now() }),
      )
  const [payout] = await Promise.allSettled([request('$80'), refund()])
  const paid = payout?.status === 'fulfilled'
  expect(await balanceOf(scene.creator)).toEqual({
    ...EMPTY,
    ...(paid ? { available: '-$80', onTheWay: '$80' } : { available: '$0' }),
  })
  await sell(12_500, 8)
  expect((await balanceOf(scene.creator)).available).toBe(paid ? '$20' : '$100')
  expect(await codes([request('$100.01')])).toEqual(['payout_exceeds_balance'])
})

test('nobody sees the payouts of others, decides without permission, or approves their own', async () => {
  await sell(10_000, 8)
  const { _id } = await request('$80')
  const stranger = await buildCreator(scene.harness)
  expect(await payoutsOf(stranger)).toEqual([])
  await expect(
    decide(_id, 'approve', await reauthenticatedApi(scene.harness, stranger)),
  ).rejects.toMatchObject({
    code: 'permission_required',
  })
  await expect(decide(crypto.randomUUID(), 'approve')).rejects.toMatchObject({ code: 'payout_not_found' })
  for (const decision of ['paid', 'failed'] as const)
    await expect(decide(_id, decision)).rejects.toMatchObject({ code: 'payout_changed' })
  await scene.harness.context.db
    .updateTable('users')
    .set({ role: 'finance' })
    .where('id', '=', scene.creator.id)
    .execute()
  const own = await reauthenticatedApi(scene.harness, scene.creator)
  await expect(decide(_id, 'approve', own)).rejects.toMatchObject({ code: 'own_payout' })
  const { items: seen } = await own.call(routes.allPayouts, { query: {} })
  expect(seen.map((payout) => [payout._id, payout.needsAnother])).toContainEqual([_id, 'own'])
  expect(await payoutsOf(scene.creator)).toMatchObject([{ status: 'requested' }])
  const { items } = await scene.finance.call(routes.allPayouts, { query: {} })
  expect(items.find((payout) => payout._id === _id)).toMatchObject({
    person: { _id: scene.creator.id, username: scene.creator.username },
  })
  await decide(_id, 'cancel')
  const open = await scene.finance.call(routes.allPayouts, { query: {} })
  expect(open.items.filter((payout) => payout._id === _id)).toEqual([])
})

test('operators see what has waited longest first, page by page, and all payouts newest first', async () => {
  const asked: string[] = []
  for (let count = 0; count < 3; count++) {
    await sell(10_000, 8)
    asked.push((await request('$20'))._id)
    scene.harness.clock.advance(1000)
  }
  const listed = async (showing: 'open' | 'all') => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await scene.finance.call(routes.allPayouts, { query: { showing, limit: 2, cursor } })
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
  const { db } = scene.harness.context
  await db.updateTable('installation').set({ livemode: true }).execute()
  try {
    expect(await balanceOf(scene.creator)).toEqual(EMPTY)
    expect(await codes([request('$20')])).toEqual(['payout_exceeds_balance'])
    expect(await exportAll()).toMatchObject({ count: 0 })
    await expect(decide(_id, 'cancel')).rejects.toMatchObject({ code: 'payout_not_found' })
  } finally {
    await db.updateTable('installation').set({ livemode: false }).execute()
  }
  expect(await payoutsOf(scene.creator)).toMatchObject([{ status: 'approved' }])
})

describe('the database refuses', () => {
  test('every step that is not one of a payout’s, another amount, and to forget one', async () => {
    await sell(10_000, 8)
    const { _id } = await request('$80')
    const { db } = scene.harness.context
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
    expect(await payoutsOf(scene.creator)).toMatchObject([{ amount: '$80', status: 'requested' }])
  })
})
