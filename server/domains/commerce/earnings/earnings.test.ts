import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Kind } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { runAdmin } from '../../../start/admin.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { postRefund } from '../ledger/actions.ts'
import { spansOf } from './rules.ts'

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

type Sale = { kind?: Kind; cents?: number; at?: string; by?: Person; itemId?: string; title?: string }

/** A sale of the creator's; 20% of it is the platform's fee. */
async function sell(sale: Sale = {}, commissions: { referrerId: string; cents: number }[] = []) {
  const { kind = 'single', cents = 1000, at = '2026-11-10T12:00:00Z', by = fan } = sale
  const { orderId } = await insertPurchase(harness.context.db, {
    buyer_id: by.id,
    creator_id: creator.id,
    kind,
    item_id: sale.itemId ?? crypto.randomUUID(),
    title: sale.title ?? 'A purchase',
    amount_cents: cents,
    status: 'captured',
    created_at: new Date(at),
    commissions,
  })
  return orderId
}

type Asked = { from?: string; to?: string; timeZone?: string; userId?: string }
const breakdownOf = (person: Person, query: Asked = {}) =>
  harness.api.as(person).call(routes.earningsBreakdown, { query })
const inTx = <T>(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) =>
  harness.context.db.transaction().execute(work) as Promise<T>

test('earnings stand by source, with commissions, and by the items and fans that brought the most', async () => {
  const other = await buildFan(harness)
  const referrer = await buildCreator(harness)
  const itemId = crypto.randomUUID()
  await sell({ kind: 'bundle', cents: 2000, itemId, title: 'Old name' })
  await sell({
    kind: 'bundle',
    cents: 2000,
    itemId,
    title: 'New name',
    by: other,
    at: '2026-11-11T12:00:00Z',
  })
  await sell({ kind: 'tip', cents: 500 }, [{ referrerId: referrer.id, cents: 35 }])
  await sell({ kind: 'single', cents: 1000, title: 'Quiet lake' })
  const { sources, items, fans } = await breakdownOf(creator)
  expect(sources).toEqual([
    { source: 'bundle', sales: 2, gross: '$40', fee: '$8', share: '$32' },
    { source: 'single', sales: 1, gross: '$10', fee: '$2', share: '$8' },
    { source: 'tip', sales: 1, gross: '$5', fee: '$1', share: '$4' },
  ])
  // A tip is no item.
  expect(items).toMatchObject([
    { _id: itemId, kind: 'bundle', title: 'New name', sales: 2, gross: '$40', share: '$32' },
    { kind: 'single', title: 'Quiet lake', sales: 1, share: '$8' },
  ])
  expect(fans).toEqual([
    { fan: { _id: fan.id, username: fan.username }, sales: 3, gross: '$35', share: '$28' },
    { fan: { _id: other.id, username: other.username }, sales: 1, gross: '$20', share: '$16' },
  ])
  expect(await breakdownOf(referrer)).toEqual({
    sources: [{ source: 'commission', sales: 1, gross: '$0.35', fee: '$0', share: '$0.35' }],
    items: [],
    fans: [],
  })
})

test('a refund changes nothing of what was sold; a fan who is gone is a deleted user', async () => {
  const orderId = await sell()
  const refund = { refundId: crypto.randomUUID(), orderId, cents: 400, now: harness.clock.now() }
  await inTx((tx) => postRefund(tx, refund))
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: new Date() })
    .where('id', '=', fan.id)
    .execute()
  expect(await breakdownOf(creator)).toMatchObject({
    sources: [{ sales: 1, share: '$8' }],
    fans: [{ fan: { username: 'Deleted User' }, share: '$8' }],
  })
})

test('a range takes whole days, months and what stands before and after them', async () => {
  const itemId = crypto.randomUUID()
  const days = ['2026-08-31', '2026-09-01', '2026-09-30', '2026-10-15', '2026-11-01', '2026-11-02']
  for (const [index, day] of days.entries())
    await sell({ at: `${day}T23:59:59Z`, cents: 100 * 2 ** index, itemId, by: await buildFan(harness) })
  const grossOf = async (query: Asked) => (await breakdownOf(creator, query)).items.map(({ gross }) => gross)
  expect(await grossOf({ from: '2026-08-31', to: '2026-11-01' })).toEqual(['$31'])
  expect(await grossOf({ from: '2026-09-01', to: '2026-10-31' })).toEqual(['$14'])
  expect(await grossOf({ from: '2026-09-02' })).toEqual(['$60'])
  expect(await grossOf({ to: '2026-09-30' })).toEqual(['$7'])
  expect(await grossOf({ from: '2026-11-03' })).toEqual([])
  expect(await grossOf({ from: '2026-11-02', to: '2026-11-01' })).toEqual([])
  // Sources go by the calendar of the one who asks.
  const timeZone = 'America/New_York'
  const { sources } = await breakdownOf(creator, { timeZone, from: '2026-11-02', to: '2026-11-02' })
  expect(sources).toMatchObject([{ gross: '$32' }])
})

test('at most ten are named, and nobody sees those of others', async () => {
  for (let count = 1; count <= 12; count += 1)
    await sell({ cents: 100 * count, title: `No. ${count}`, by: await buildFan(harness) })
  const { items, fans } = await breakdownOf(creator)
  expect(items.map(({ title }) => title)).toEqual(
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((count) => `No. ${count}`),
  )
  expect(fans).toHaveLength(10)
  const stranger = await buildCreator(harness)
  expect(await breakdownOf(stranger)).toEqual({ sources: [], items: [], fans: [] })
  for (const path of ['/users/earnings/breakdown', '/users/transactions/csv'])
    expect(await harness.api.as(stranger).send('GET', path, { query: { userId: creator.id } })).toMatchObject(
      { status: 403, body: { code: 'not_yourself' } },
    )
})

const day = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('the parts of any range hold each of its days once, and no other', () => {
  fc.assert(
    fc.property(day, day, day, (from, to, asked) => {
      const spans = spansOf({ from, to })
      const parts = spans ? [spans.before, spans.months, spans.after] : []
      const held = parts.filter((part) => asked >= part.from && asked < part.until).length
      const months = spans?.months
      expect(held).toBe(asked >= from && asked <= to ? 1 : 0)
      if (months && months.from < months.until)
        expect([months.from.slice(8), months.until.slice(8)]).toEqual(['01', '01'])
    }),
  )
})

test('the books find a source, an item, a fan or a month that was changed', async () => {
  await sell()
  await inTx(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const mine = sql`= ${creator.id}`
    await sql`update ledger_source_quarter_hours set share_cents = share_cents + 1 where user_id ${mine}`.execute(
      tx,
    )
    await sql`delete from ledger_rankings where span = 'all' and side = 'fan' and creator_id ${mine}`.execute(
      tx,
    )
    await sql`update ledger_months set net_cents = net_cents + 2 where user_id ${mine}`.execute(tx)
  })
  const { context, clock } = harness
  const { output } = await runAdmin(['books'], context.db, context.vault, clock.now())
  expect(output).toContain(`Earnings by source differ: ${creator.id}, expected 800, found 801`)
  expect(output).toMatch(
    new RegExp(`Earnings by fan differ: ${creator.id} [\\da-f-]+ all, expected 800, found 0`),
  )
  expect(output).toContain(
    `Months of the statements differ from the balance: ${creator.id}, expected 800, found 802`,
  )
})

/** The indexes that the planner uses for a query with these values when sequential scans are off. */
async function planOf(query: ReturnType<typeof sql>): Promise<string> {
  return inTx<string>(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

test('each list of a creator is read by an index of its own', async () => {
  const all = await planOf(sql`
    select key from ledger_rankings where creator_id = ${creator.id} and side = 'fan' and span = 'all'
    order by share_cents desc, key limit 10`)
  expect(all).toContain('ledger_rankings_best')
  expect(all).not.toContain('Sort')
  const days = await planOf(sql`
    select key from ledger_rankings where creator_id = ${creator.id} and side = 'item' and span = 'day'
      and starts_on >= '2026-10-03'::date and starts_on < '2026-11-01'::date`)
  expect(days).toMatch(/Index Cond: .*creator_id.*side.*span.*starts_on/)
  const sources = await planOf(sql`
    select source from ledger_source_quarter_hours where user_id = ${creator.id} and starts_at >= '2026-10-03'`)
  expect(sources).toMatch(/Index Cond: .*user_id.*starts_at/)
})

const csvOf = async (person: Person, query: Asked = {}) => {
  const answer = await harness.api.as(person).send('GET', '/users/transactions/csv', { query })
  return { ...answer, lines: (answer.body as Buffer).toString('utf8').slice(1).split('\r\n').slice(0, -1) }
}

test('all transactions come as a file, in batches, with exact cents, UTC and no formulas', async () => {
  await sell({ title: '=HYPERLINK("x")', cents: 1999, at: '2026-11-10T12:00:00.5Z' })
  const { headers, lines } = await csvOf(creator)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  expect(lines).toEqual([
    '"Date (UTC)","Transaction","Direction","Type","Item","Fan","Creator","Status","Currency","Gross","Returned","Platform fee","Your share"',
    expect.stringMatching(
      new RegExp(
        `^"2026-11-10T12:00:00.500Z","[0-9a-f-]{36}","sale","single","'=HYPERLINK\\(""x""\\)","${fan.username}","${creator.username}","captured","USD","19.99","0.00","3.99","16.00"$`,
      ),
    ),
  ])
  expect((await csvOf(fan)).lines[1]).toMatch(/"purchase",.*"USD","19.99","0.00","",""$/)
})

test('more than two batches come whole, newest first and each once; a range cuts them', async () => {
  const { orderId: template } = await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 100, status: 'captured', created_at: new Date('2026-01-01T00:00:00Z') },
  })
  const COUNT = 2500
  await inTx(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      with numbered as (
        select n, uuidv7() as order_id, uuidv7() as payment_id, '2026-01-02 00:00:00+00'::timestamptz + n / 3 * interval '1 minute' as at
        from generate_series(1, ${COUNT}::int) as n
      ), paid as (
        insert into payments (id, order_id, buyer_id, amount_cents, status, source, status_at, reference, gateway_transaction_id, created_at)
        select payment_id, order_id, ${fan.id}, n, 'captured', 'live', at, 'many' || n, 'many' || n, at from numbered
      )
      insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once, status,
        created_at, tried_at, paid_by, paid_at)
      select order_id, ${fan.id}, ${creator.id}, 'single', uuidv7(), 'Many', n, 2000, true, 'paid', at, at, payment_id, at
      from numbered`.execute(tx)
  })
  const { lines } = await csvOf(creator)
  const ids = lines.slice(1).map((line) => line.split('","')[1])
  expect(new Set(ids).size).toBe(COUNT + 1)
  expect(ids.at(-1)).toBe(template)
  const times = lines.slice(1).map((line) => line.slice(1, 25))
  expect(times).toEqual([...times].sort().reverse())
  expect((await csvOf(creator, { to: '2026-01-01' })).lines).toHaveLength(2)
  // Midnight of New York is 05:00 UTC: 900 sales stand before it.
  const { lines: later } = await csvOf(creator, { from: '2026-01-02', timeZone: 'America/New_York' })
  expect(later).toHaveLength(1 + COUNT - 899)
})

test.each(['0000-01-01', '0202-01-01', '1899-12-31', '2101-01-01', '9999-12-31', '2026-02-29'])(
  '%s is no day of a range',
  async (day) => {
    for (const route of ['/users/earnings/breakdown', '/users/transactions/csv', '/users/earnings'])
      for (const query of [{ from: day }, { to: day }])
        expect(await harness.api.as(creator).send('GET', route, { query })).toMatchObject({
          status: 400,
          body: { code: 'invalid_input' },
        })
  },
)

test('the first and the last day that there are make ranges', async () => {
  for (const query of [
    { from: '1900-01-01' },
    { to: '1900-01-01' },
    { from: '2100-12-31' },
    { to: '2100-12-31' },
  ])
    for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
      await breakdownOf(creator, { ...query, timeZone })
      await csvOf(creator, { ...query, timeZone })
    }
})
