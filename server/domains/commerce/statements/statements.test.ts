import fc from 'fast-check'
import { sql } from 'kysely'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Kind } from '../../../../contract/orders.ts'
import type { Tx } from '../../../db/client.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { postDisputeLost, postDisputeOpened, postRefund } from '../ledger/actions.ts'
import { findBalances } from '../ledger/data.ts'
import { postPayout, postPayoutReturned } from '../ledger/payouts/actions.ts'
import { finishedMonths, statementOf } from './rules.ts'

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

const inTx = (work: (tx: Tx) => Promise<unknown>) => harness.context.db.transaction().execute(work)

/** The middle of a month, so many months before the one that is now. */
function inMonth(ago: number): Date {
  const now = harness.clock.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 15, 12))
}
const monthOf = (date: Date) => date.toISOString().slice(0, 7)

async function sell(kind: Kind, cents: number, at: Date): Promise<string> {
  const { orderId } = await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind, item_id: crypto.randomUUID(), amount_cents: cents },
    ...{ status: 'captured', created_at: at },
  })
  return orderId
}

async function statementText(person: Person, month: string): Promise<string> {
  const answer = await harness.api.as(person).send('GET', `/users/statements/${month}`)
  return textOf(answer)
}
async function textOf({ status, headers, body }: { status: number; headers: Headers; body: unknown }) {
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(body as Buffer)), {
    mergePages: true,
  })
  return text.replace(/\s+/g, ' ')
}

test('a statement says what a month began with, what moved it, and what was left, to the cent of the ledger', async () => {
  const [before, month, after] = [inMonth(3), inMonth(2), inMonth(1)]
  await sell('single', 10_000, before)
  await sell('message', 1001, month)
  await sell('tip', 500, month)
  const refunded = await sell('bundle', 2000, month)
  const disputed = await sell('single', 3000, month)
  await inTx((tx) =>
    postRefund(tx, { refundId: crypto.randomUUID(), orderId: refunded, cents: 1000, now: month }),
  )
  const dispute = { disputeId: crypto.randomUUID(), orderId: disputed, now: month }
  await inTx((tx) => postDisputeOpened(tx, { ...dispute, cents: 3000, feeCents: 1500, isUndelivered: false }))
  await inTx((tx) => postDisputeLost(tx, { ...dispute, deliveredBy: null, isSent: false }))
  const payout = { payoutId: crypto.randomUUID(), userId: creator.id, now: month }
  await inTx((tx) => postPayout(tx, { ...payout, cents: 5000 }))
  await inTx((tx) => postPayoutReturned(tx, { ...payout, now: after }))
  // Somebody whom the creator referred.
  const other = await buildCreator(harness)
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: other.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 1000, status: 'captured', created_at: month },
    commissions: [{ referrerId: creator.id, cents: 70 }],
  })

  const text = await statementText(creator, monthOf(month))
  for (const line of [
    `${new Date(`${monthOf(month)}-01`).toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' })} 1 – `,
    'Opening balance $80.00',
    'Sales Count Gross Platform fee Net',
    'Bundles 1 $20.00 -$4.00 $16.00',
    'Singles 1 $30.00 -$6.00 $24.00',
    'Messages 1 $10.01 -$2.00 $8.01',
    'Tips 1 $5.00 -$1.00 $4.00',
    'Total sales $52.01',
    'Refunds Count Gross Platform fee Net Bundles 1 -$10.00 $2.00 -$8.00 Total refunds -$8.00',
    'Disputes Count Gross Platform fee Net Singles 1 -$30.00 $6.00 -$24.00 Total disputes -$24.00',
    // Neither has a fee.
    'Commissions Count Net Referral commissions 1 $0.70 Total commissions $0.70',
    'Payouts Count Net Requested 1 -$50.00 Total payouts -$50.00',
    'Closing balance $50.71',
    `@${creator.username}`,
    'Sandbox: no real money moved.',
  ])
    expect(text).toContain(line)
  for (const { id, username } of [fan, other])
    expect([text.includes(id), text.includes(username)]).toEqual([false, false])
  expect(await statementText(creator, monthOf(after))).toMatch(
    /Opening balance \$50\.71.*Returned 1 \$50\.00.*Closing balance \$100\.71/,
  )

  const { items } = await harness.api.as(creator).call(routes.statements, { query: {} })
  expect(items).toEqual([
    { month: monthOf(after), change: '$50', closing: '$100.71' },
    { month: monthOf(month), change: '-$29.29', closing: '$50.71' },
    { month: monthOf(before), change: '$80', closing: '$80' },
  ])
  const balances = Object.values(await findBalances(harness.context.db, creator.id))
  expect(balances.reduce((sum, cents) => sum + cents, 0)).toBe(10_071)
  // The same ledger makes the same file.
  const [one, same] = await Promise.all(
    [1, 2].map(() => harness.api.as(creator).send('GET', `/users/statements/${monthOf(month)}`)),
  )
  expect(one?.body).toBeInstanceOf(Buffer)
  expect(one?.body).toEqual(same?.body)
})

test('a month with more than a page holds goes on on the next one, each line once', async () => {
  const month = monthOf(inMonth(1))
  const kinds = Object.entries({
    ...{ subscription: 'Subscriptions', bundle: 'Bundles', single: 'Singles', singles: 'Offered singles' },
    ...{ message: 'Messages', tip: 'Tips', donation: 'Tips for the site', custom: 'Custom requests' },
  })
  const parts = [
    { movement: 'sale', title: 'Sales' },
    { movement: 'refund', title: 'Refunds' },
    { movement: 'dispute_lost', title: 'Disputes' },
    { movement: 'adjustment', title: 'Adjustments' },
  ]
  const moved = parts.flatMap(({ movement, title }, part) =>
    (title === 'Adjustments' ? [['platform', 'adjustment'] as const] : kinds).map(
      ([source, label], index) => {
        const cents = 100 * (1000 * (part + 1) + index)
        return { source, movement, label, cents }
      },
    ),
  )
  const others = [
    { source: 'commission', movement: 'sale', label: 'Referral commissions', cents: 900_100 },
    { source: 'commission', movement: 'refund', label: 'Taken back', cents: 900_200 },
    { source: 'payout', movement: 'payout', label: 'Requested', cents: 900_000_300 },
    { source: 'payout', movement: 'payout_returned', label: 'Returned', cents: 900_400 },
    ...Array.from({ length: 20 }, (_, index) => {
      const movement = `correction_${String.fromCharCode(97 + index)}`
      return { source: 'platform', movement, label: movement.replace('_', ' '), cents: 950_000 + 100 * index }
    }),
  ]
  const lines = [...moved, ...others]
  await sql`
    insert into ledger_months (user_id, month, source, movement, entries, gross_cents, fee_cents, net_cents)
    select ${creator.id}, ${`${month}-01`}::date, source, movement, 1, cents, 0, cents
    from json_to_recordset(${JSON.stringify(lines)}::json) as line (source text, movement text, cents bigint)`.execute(
    harness.context.db,
  )
  const { status, body } = await harness.api.as(creator).send('GET', `/users/statements/${month}`)
  expect(status).toBe(200)
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(body as Buffer)))
  expect(totalPages).toBe(2)
  const whole = text.join(' ').replace(/\s+/g, ' ')
  for (const { label, cents } of lines)
    expect(whole.split(`${label} 1 ${formatMoney(cents)}`).length, label).toBe(2)
  // A long total isn't broken.
  expect(whole).toContain('Total payouts $9,009,007.00')
  expect(whole.match(/Closing balance/g)).toHaveLength(1)
  expect(text[1]).toMatch(/Closing balance .* when it’s requested\./s)
})

test('there is none of a month that isn’t over, or before anything moved, or of somebody else', async () => {
  await sell('single', 1000, inMonth(1))
  const statusOf = async (person: Person, month: string) => {
    const { status, body } = await harness.api.as(person).send('GET', `/users/statements/${month}`)
    return [status, (body as { code: string }).code]
  }
  const none = [404, 'statement_not_found']
  expect(await statusOf(creator, monthOf(inMonth(0)))).toEqual(none)
  expect(await statusOf(creator, monthOf(inMonth(2)))).toEqual(none)
  expect(await statusOf(fan, monthOf(inMonth(1)))).toEqual(none)
  expect(await statusOf(creator, '2026-13')).toEqual([400, 'invalid_input'])
  const body = { username: creator.username, month: monthOf(inMonth(1)), reason: 'Curious' }
  const asked = await harness.api.as(fan).send('POST', '/admin/statements', { body })
  expect(asked).toMatchObject({ status: 403, body: { code: 'permission_required' } })
})

test('a month is finished some minutes after its end, once all that was dated in it is stored', () => {
  const nets = [{ month: '2026-04', netCents: 1000 }]
  const listedAt = (now: string) => finishedMonths(nets, new Date(now)).map(({ month }) => month)
  expect(listedAt('2026-05-01T00:00:01Z')).toEqual([])
  expect(listedAt('2026-05-01T00:09:59Z')).toEqual([])
  expect(listedAt('2026-05-01T00:10:00Z')).toEqual(['2026-04'])
})

test('finance opens anybody’s after a re-authentication, and the audit log says who did and why', async () => {
  await sell('single', 1000, inMonth(1))
  const operator = await buildUser(harness, { role: 'finance' })
  const body = {
    username: creator.username.toUpperCase(),
    month: monthOf(inMonth(1)),
    reason: 'Asked by mail',
  }
  const plain = await harness.api.as(operator).send('POST', '/admin/statements', { body })
  expect(plain).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const api = harness.api.as({ token })
  expect(await textOf(await api.send('POST', '/admin/statements', { body }))).toContain(
    'Closing balance $8.00',
  )
  const audited = await harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'detail'])
    .where('target_id', '=', creator.id)
    .execute()
  expect(audited).toEqual([
    {
      action: 'statement.opened',
      actor_id: operator.id,
      reason: 'Asked by mail',
      detail: { month: body.month },
    },
  ])
})

test('names are printed with their diacritics, and what the font lacks as a box', async () => {
  await sell('single', 1000, inMonth(1))
  await harness.context.db
    .updateTable('users')
    .set({ first_name: 'Žofie Łukasz', last_name: 'Ünsal 🌊' })
    .where('id', '=', creator.id)
    .execute()
  expect(await statementText(creator, monthOf(inMonth(1)))).toContain('Žofie Łukasz Ünsal □')
})

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
const movement = fc.record({
  source: fc.constantFrom('single', 'tip', 'subscription', 'commission', 'payout', 'adjustment', 'new'),
  movement: fc.constantFrom(
    'sale',
    'refund',
    'dispute_lost',
    'payout',
    'payout_returned',
    'adjustment',
    'new',
  ),
  entries: fc.integer({ min: 1, max: 9 }),
  ...{ grossCents: cents, feeCents: cents, netCents: cents },
})

test('whatever moved, opening and all parts are the closing balance, and each month opens with what the last one left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(movement, { maxLength: 20 }), { minLength: 1, maxLength: 15 }),
      (months) => {
        const named = months.map((movements, index) => ({
          month: `${2025 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
          movements,
          netCents: movements.reduce((sum, { netCents }) => sum + netCents, 0),
        }))
        const listed = finishedMonths(named, new Date('2026-06-02T00:00:00Z')).reverse()
        let opening = 0
        for (const { month, movements, netCents } of named) {
          const statement = statementOf(month, opening, movements)
          const lines = statement.groups.flatMap((group) => group.lines)
          expect(lines.reduce((sum, line) => sum + line.netCents, opening)).toBe(statement.closingCents)
          expect(statement.closingCents).toBe(opening + netCents)
          expect(listed.find((one) => one.month === month)?.closingCents).toBe(statement.closingCents)
          opening = statement.closingCents
        }
        expect(listed.at(-1)).toMatchObject({ month: '2026-05', closingCents: opening })
      },
    ),
  )
})
