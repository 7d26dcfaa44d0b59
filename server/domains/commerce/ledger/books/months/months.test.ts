import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../../contract/index.ts'
import { centsOf } from '../../../../../../contract/money.ts'
import type { Tx } from '../../../../../db/client.ts'
import { runAdmin } from '../../../../../start/admin.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildUser,
  type Person,
} from '../../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../../testing/harness.ts'
import { insertPurchase } from '../../../../../testing/purchases.ts'
import { requestPayout } from '../../../payouts/actions.ts'
import { postDisputeLost, postDisputeOpened, postRefund } from '../../actions.ts'

const DAY_MS = 24 * 3600 * 1000
let harness: Harness
let creator: Person
let referrer: Person
let finance: Person
/** The month before the last one, the last one, the present one, and the middle of each. */
let months: { month: string; middle: Date }[]
beforeAll(async () => {
  harness = await startHarness()
  const started = harness.clock.now()
  // At noon of a 28th, so that what is done now is of the same month as what was done just before.
  harness.clock.advance(
    Date.UTC(started.getUTCFullYear(), started.getUTCMonth() + 1, 28, 12) - started.getTime(),
  )
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
  referrer = await buildFan(harness)
  finance = await buildUser(harness, { role: 'finance' })
  const now = harness.clock.now()
  months = [-2, -1, 0].map((away) => {
    const middle = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + away, 15, 12))
    return { month: middle.toISOString().slice(0, 7), middle }
  })
  await takePlace()
})
afterAll(() => harness?.stop())

const inTx = <T>(work: (tx: Tx) => Promise<T>) => harness.context.db.transaction().execute(work)
const books = (...args: string[]) =>
  runAdmin(['books', ...args], harness.context.db, harness.context.vault, harness.clock.now())
const summary = (month?: string) =>
  harness.api.as(finance).call(routes.booksMonth, { query: month === undefined ? {} : { month } })
const at = (away: number) => months[away] ?? { month: '', middle: new Date(0) }

/** A sale of $100 at that time, of which a referrer gets $7. */
async function sells(created_at: Date): Promise<string> {
  const { orderId } = await insertPurchase(harness.context.db, {
    ...{ buyer_id: (await buildFan(harness)).id, creator_id: creator.id, kind: 'single', status: 'captured' },
    ...{ item_id: crypto.randomUUID(), amount_cents: 10_000, created_at },
    commissions: [{ referrerId: referrer.id, cents: 700 }],
  })
  return orderId
}

/** The amount on a line of the printed books, in cents, by the account's name. */
function balances(output: string): Map<string, number[]> {
  const lines = output.split('\n').filter((line) => /^ {2}\S/.test(line))
  return new Map(
    lines.map((line) => [
      line.slice(0, 24).trim(),
      line
        .slice(24)
        .trim()
        .split(/\s+/)
        .map((amount) => centsOf(amount)),
    ]),
  )
}

/** Two sales in the first month; one more in the second, in which half of one is refunded and one is lost in a dispute. */
async function takePlace(): Promise<void> {
  const [first, second] = [at(0), at(1)]
  const orderId = await sells(first.middle)
  const disputed = await sells(new Date(first.middle.getTime() + DAY_MS))
  await sells(new Date(`${second.month}-01T00:00:00Z`))
  const now = second.middle
  await inTx((tx) => postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 5000, now }))
  await inTx((tx) => requestPayout(tx, { userId: creator.id, cents: 6000, now }))
  const dispute = { disputeId: crypto.randomUUID(), orderId: disputed, now }
  await inTx((tx) =>
    postDisputeOpened(tx, { ...dispute, cents: 10_000, feeCents: 1500, isUndelivered: false }),
  )
  await inTx((tx) => postDisputeLost(tx, { ...dispute, deliveredBy: null, isSent: false }))
  await sells(harness.clock.now())
}

test('the books of a month say what was earned in it, and what was owed at its end', async () => {
  const [first, second] = [at(0), at(1)]
  // Of two sales: $80 and $7 of each are people's, $13 the platform's.
  const { ok, output } = await books('--month', first.month)
  expect(ok).toBe(true)
  expect(output).toContain(
    `Books of ${first.month}, a month of UTC: from ${first.month}-01T00:00:00.000Z to ${second.month}-01T00:00:00.000Z`,
  )
  expect(output.split('\n').slice(3)).toEqual([
    'USD, sandbox                     opening          change         closing',
    '  creator pending                  $0.00        -$160.00        -$160.00',
    '    sale                                        -$160.00',
    '  gateway                          $0.00         $200.00         $200.00',
    '    sale                                         $200.00',
    '  platform fees                    $0.00         -$26.00         -$26.00',
    '    sale                                         -$26.00',
    '  referrer pending                 $0.00         -$14.00         -$14.00',
    '    sale                                         -$14.00',
    '  sum                              $0.00           $0.00           $0.00',
    '',
    'The platform earned $26: its share $26, less $0 for the processor, $0 for disputes, and $0 lost in disputes.',
    'Creators and referrers were owed $174 at the end, besides $0 of payouts that were under way.',
  ])
  expect(await summary(first.month)).toMatchObject({
    ...{ month: first.month, sold: '$200', refunded: '$0', share: '$26', processorFees: '$0' },
    ...{ disputeFees: '$0', disputeLosses: '$0', earned: '$26', owed: '$174', payouts: '$0' },
  })

  // One more sale; half of the first and all of the second are given back, and $60 set aside.
  const next = (await books('--month', second.month)).output
  expect(next).toContain(
    'The platform earned -$21.50: its share -$6.50, less $0 for the processor, $15 for disputes',
  )
  const shown = await summary(second.month)
  expect(shown).toMatchObject({
    ...{ month: second.month, sold: '$100', refunded: '$50', share: '-$6.50', processorFees: '$0' },
    ...{ disputeFees: '$15', disputeLosses: '$0', earned: '-$21.50', owed: '$70.50', payouts: '$60' },
  })
  expect(shown.months.slice(0, 3)).toEqual([at(2).month, second.month, first.month])
})

test('the books of a month are downloaded as a file', async () => {
  const { month } = at(0)
  const file = await harness.api.as(finance).send('GET', '/admin/books/month/csv', { query: { month } })
  const lines = String(file.body).split('\r\n')
  expect(lines[0]).toContain('"Month (UTC)","Currency","Account","Movement","Amount"')
  const gateway = lines.filter((line) => line.includes('"gateway"'))
  expect(gateway).toEqual([
    `"${month}","USD","gateway","opening","0.00"`,
    `"${month}","USD","gateway","sale","200.00"`,
    `"${month}","USD","gateway","closing","200.00"`,
  ])
})

test('two months’ closings follow each other, and come to nothing in all', async () => {
  const printed = await Promise.all(months.map(({ month }) => books('--month', month)))
  const [before = new Map(), ...later] = printed.map(({ output }) => balances(output))
  expect(before.size).toBeGreaterThan(3)
  let earlier = before
  for (const month of later) {
    for (const [account, [opening = 0, change = 0, closing = 0]] of month) {
      expect([account, opening]).toEqual([account, earlier.get(account)?.[2] ?? 0])
      expect([account, closing]).toEqual([account, opening + change])
    }
    expect(month.get('sum')).toEqual([0, 0, 0])
    earlier = month
  }
  // The last one closes with what the books of all time hold.
  const { output } = await books()
  for (const [account, [cents]] of balances(output)) {
    if (earlier.has(account)) expect([account, earlier.get(account)?.[2]]).toEqual([account, cents])
  }
})
