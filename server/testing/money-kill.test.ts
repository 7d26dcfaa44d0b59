import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { NotificationKind } from '../../contract/notifications.ts'
import type { Checkpoint } from '../context.ts'
import { findBooks } from '../domains/commerce/ledger/books/data.ts'
import { createApi } from './api.ts'
import { buildBankDetails, buildCreator, buildFan, buildSession, buildUser, type Person } from './builders.ts'
import { cardToken, gatewayTransactions } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildItem } from './purchases.ts'
import { askedOf } from './refunds.ts'
import { prepareVictims, type Victims } from './victims.ts'
import { differences, violations } from './year/accounts.ts'

const REFUNDING: Checkpoint[] = [
  'refund.intent-committed',
  'refund.submitting-committed',
  'refund.gateway-answered',
  'refund.before-record-commit',
  'refund.recorded',
]
const RECOVERING: Checkpoint[] = ['refund.before-record-commit', 'refund.recorded']
const ANSWERING: Checkpoint[] = ['call.before-commit', 'call.committed']
const SETTLING: Checkpoint[] = ['settlement.before-commit', 'settlement.committed']
/** How often each kill is done, the next time when another of its calls comes to the checkpoint. */
const ROUNDS = Number(process.env.MONEY_KILLS ?? 1)
/** Servers that live, and die, at the same time. */
const LANES = 2
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Of which the creator has $24. */
const PRICE_CENTS = 3000

let harness: Harness
let victims: Victims
let operator: string

beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
})
beforeEach(async () => {
  // The only operator, so that no second approval is needed.
  await harness.context.db.updateTable('users').set({ role: null }).where('role', 'is not', null).execute()
  operator = await confirmed((await buildUser(harness, { role: 'finance' })).id)
})
afterAll(async () => {
  await victims.dispose()
  await harness.stop()
})

const confirmed = (personId: string) =>
  buildSession(harness, personId, { reauthenticatedAt: harness.clock.now() })

type Sale = { orderId: string; creator: Person }

/** Sells items, each to a fan and by a creator whom nobody else knows. */
async function sell(count: number): Promise<Sale[]> {
  const sales: Sale[] = []
  for (let sold = 0; sold < count; sold++) {
    const creator = await buildCreator(harness)
    const itemId = await buildItem(harness, creator, 'single', PRICE_CENTS)
    const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
    const key = { idempotencyKey: crypto.randomUUID() }
    const { _id } = await harness.api.as(await buildFan(harness)).call(routes.purchase, { body }, key)
    sales.push({ orderId: _id, creator })
  }
  return sales
}

async function settle(): Promise<void> {
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
}

/** A call that is repeated with one key until it is answered. */
type Call = { path: string; body: object; token: string; key: string }
type Answer = { status: number; body: Record<string, string> }

const callBy = (token: string, path: string, body: object): Call => ({
  ...{ token, path, body, key: crypto.randomUUID() },
})
const make = (origin: string, { path, body, token, key }: Call) =>
  createApi(origin, token).send('POST', path, {
    body,
    headers: { 'idempotency-key': key },
  }) as Promise<Answer>

/** Makes a call that nothing interrupts. */
async function done(call: Call): Promise<Answer['body']> {
  const { status, body } = await make(harness.server.address, call)
  expect({ call, status, body }).toMatchObject({ status: 200 })
  return body
}

/** Has a server make these calls, which dies meanwhile, and makes them again at another one; answers how those end. */
async function kill(crashAt: Checkpoint, crashCount: number, calls: Call[]): Promise<Answer[]> {
  const victim = victims.start({ crashAt, crashCount, job: null })
  const origin = await victim.address
  await Promise.all(calls.map((call) => make(origin, call).catch(() => null)))
  // One that survived ends by another signal.
  victim.end()
  expect({ crashAt, crashCount, signal: await victim.ended }).toMatchObject({ signal: 'SIGKILL' })
  const again = (call: Call) =>
    // The database may not have noticed yet that the first call is gone.
    vi.waitFor(
      async () => {
        const answer = await make(harness.server.address, call)
        expect(answer.body.code).not.toBe('request_in_flight')
        return answer
      },
      { timeout: 150_000 },
    )
  return Promise.all(calls.map(again))
}

type Job = 'refunds.recover' | 'payments.compare'
const run = (job: Job) => harness.server.jobs[job]({}, { attempt: 1, lastAttempt: false })
async function killJob(crashAt: Checkpoint, job: Job): Promise<void> {
  const signal = await victims.start({ crashAt, crashCount: 1, job }).ended
  expect({ crashAt, signal }).toEqual({ crashAt, signal: 'SIGKILL' })
}

const refundOf = async ({ orderId }: Sale, amount: string) =>
  callBy(
    operator,
    '/admin/refund',
    await askedOf(harness.api.as({ token: operator }), { transactionId: orderId, amount }),
  )
const disputeOf = ({ orderId }: Sale) =>
  callBy(operator, '/admin/disputes', {
    ...{ transactionId: orderId, amount: '$30', fee: '$15', cause: 'fraud' },
    ...{ caseNumber: orderId, reason: 'By the bank’s letter' },
  })
const outcomeOf = (disputeId: string, outcome: 'won' | 'lost') =>
  callBy(operator, '/admin/disputes/decide', { disputeId, outcome, reason: 'The bank’s decision' })
const requestOf = async ({ creator }: Sale) =>
  callBy(await confirmed(creator.id), '/users/payouts', { amount: '$24' })
const stepOf = (payoutId: string, decision: string) =>
  callBy(operator, '/admin/payouts/decide', { payoutId, decision, reason: 'As the bank says' })
const exportOf = () => callBy(operator, '/admin/payouts/export', { reason: 'For the bank' })

/** Where a creator's $24 is. */
async function balanceOf({ creator }: Sale): Promise<string> {
  const api = harness.api.as({ token: await confirmed(creator.id) })
  const balance = await api.call(routes.balance, { query: {} })
  const { pending, available, reserved, onTheWay, paidOut } = balance
  return Object.entries({ pending, available, reserved, onTheWay, paidOut })
    .flatMap(([where, amount]) => (amount === '$0' ? [] : `${amount} ${where}`))
    .join(', ')
}

/** How often the creator of a sale was told something. */
async function timesTold(kind: NotificationKind, { creator }: Sale): Promise<number> {
  const told = await harness.context.db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', creator.id)
    .where('kind', '=', kind)
    .execute()
  return told.length
}

/** Every cent is accounted for, here and at the gateway. */
async function expectConsistent(): Promise<void> {
  expect((await findBooks(harness.context.db)).discrepancies).toEqual([])
  expect(await violations(harness)).toEqual({})
  expect(await differences(harness)).toEqual({ onlyAtGateway: [], onlyHere: [], otherAmount: [] })
  expect((await harness.api.as({ token: operator }).call(routes.findings, {})).items).toEqual([])
}

/** Every kill, the next time when another of its calls comes to the checkpoint. */
const planOf = (checkpoints: Checkpoint[], calls: number) =>
  Array.from({ length: ROUNDS }, (_, round) =>
    checkpoints.map((crashAt, step) => ({ crashAt, crashCount: 1 + ((round + step) % calls) })),
  ).flat()

test('killed at every step of a refund, each is made once', async () => {
  const plan = planOf(REFUNDING, 2)
  const parts = await sell(plan.length)
  await settle()
  const wholes = await sell(plan.length)
  const queue = plan.map((one, index) => ({
    ...one,
    part: parts[index] as Sale,
    whole: wholes[index] as Sale,
  }))
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { crashAt, crashCount, part, whole } = next
      const answers = await kill(crashAt, crashCount, [
        await refundOf(part, '$10'),
        await refundOf(whole, '$30'),
      ])
      for (const { status } of answers) expect([200, 202]).toContain(status)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  harness.clock.advance(3 * MINUTE_MS)
  for (const crashAt of RECOVERING) await killJob(crashAt, 'refunds.recover')
  harness.clock.advance(20 * MINUTE_MS)
  for (let time = 0; time < 4; time++) await run('refunds.recover')

  // What was never sent is requested again.
  operator = await confirmed((await buildUser(harness, { role: 'finance' })).id)
  const made = () =>
    harness.context.db
      .selectFrom('refunds')
      .select(['order_id', 'status', 'reference', 'gateway_transaction_id'])
      .where('status', 'in', ['refunded', 'voided'])
      .where(
        'order_id',
        'in',
        [...parts, ...wholes].map(({ orderId }) => orderId),
      )
      .execute()
  const before = await made()
  const isMade = (sale: Sale) => before.some(({ order_id }) => order_id === sale.orderId)
  for (const part of parts) if (!isMade(part)) await done(await refundOf(part, '$10'))
  for (const whole of wholes) if (!isMade(whole)) await done(await refundOf(whole, '$30'))

  const after = await made()
  expect(after.map(({ order_id }) => order_id).sort()).toEqual(
    [...parts, ...wholes].map(({ orderId }) => orderId).sort(),
  )
  const sent = (await gatewayTransactions(harness)).filter(({ type }) => type === 'refundTransaction')
  const refunded = after.filter(({ status }) => status === 'refunded')
  expect(sent.map(({ transId }) => transId).sort()).toEqual(
    refunded.map(({ gateway_transaction_id }) => gateway_transaction_id).sort(),
  )
  for (const part of parts) expect(await balanceOf(part)).toBe('$16 pending')
  for (const whole of wholes) expect(await balanceOf(whole)).toBe('')
  for (const sale of [...parts, ...wholes]) expect(await timesTold('sale.refunded', sale)).toBe(1)
  await expectConsistent()
}, 1_200_000)

test('killed while a dispute is recorded, won or lost, each is recorded once', async () => {
  const sales: [Sale, Sale, Sale][] = []
  for (const { crashAt, crashCount } of planOf(ANSWERING, 3)) {
    const [open, won, lost] = (await sell(3)) as [Sale, Sale, Sale]
    const [wonId = '', lostId = ''] = [(await done(disputeOf(won)))._id, (await done(disputeOf(lost)))._id]
    const calls = [disputeOf(open), outcomeOf(wonId, 'won'), outcomeOf(lostId, 'lost')]
    const answers = await kill(crashAt, crashCount, calls)
    for (const { status, body } of answers) expect([200, 'dispute_decided']).toContain(body.code ?? status)
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'open' } })
    sales.push([open, won, lost])
  }
  for (const three of sales) {
    const disputes = await harness.context.db
      .selectFrom('disputes')
      .select(['order_id', 'status'])
      .where(
        'order_id',
        'in',
        three.map(({ orderId }) => orderId),
      )
      .execute()
    const statusOf = ({ orderId }: Sale) =>
      disputes.flatMap(({ order_id, status }) => (order_id === orderId ? [status] : []))
    expect(three.map(statusOf)).toEqual([['open'], ['won'], ['lost']])
    expect(await Promise.all(three.map(balanceOf))).toEqual(['$24 reserved', '$24 pending', ''])
    expect(await Promise.all(three.map((sale) => timesTold('sale.disputed', sale)))).toEqual([1, 2, 2])
  }
  await expectConsistent()
}, 1_200_000)

test('killed at every step of a payout, each is set aside, handed to the bank and posted once', async () => {
  const plan = planOf(ANSWERING, 6)
  const sales = await sell(plan.length * 6)
  for (const { creator } of sales) await buildBankDetails(harness, creator.id)
  harness.clock.advance(8 * DAY_MS)
  operator = await confirmed((await buildUser(harness, { role: 'finance' })).id)
  const files: string[] = []
  const decided: { ids: string[]; six: Sale[] }[] = []
  for (const { crashAt, crashCount } of plan) {
    const six = sales.splice(0, 6)
    const ids: string[] = []
    for (const sale of six.slice(1)) ids.push((await done(await requestOf(sale)))._id ?? '')
    const [approved = '', canceled = '', paid = '', failed = '', returned = ''] = ids
    for (const id of [paid, failed, returned]) await done(stepOf(id, 'approve'))
    files.push((await done(exportOf())).csv ?? '')
    await done(stepOf(returned, 'paid'))

    const answers = await kill(crashAt, crashCount, [
      await requestOf(six[0] as Sale),
      ...[stepOf(approved, 'approve'), stepOf(canceled, 'cancel'), stepOf(paid, 'paid')],
      ...[stepOf(failed, 'failed'), stepOf(returned, 'returned')],
    ])
    for (const { status, body } of answers) expect([200, 'payout_changed']).toContain(body.code ?? status)
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'requested' } })
    const [exported] = await kill(crashAt, 1, [exportOf()])
    expect(exported).toMatchObject({ status: 200, body: { count: 1 } })
    files.push(exported?.body.csv ?? '')
    decided.push({ ids: [answers[0]?.body._id ?? '', ...ids], six })
  }
  files.push((await done(exportOf())).csv ?? '')
  const lines = files.join('\n').split('\n')
  for (const { ids, six } of decided) {
    const rows = await harness.context.db
      .selectFrom('payouts')
      .select(['id', 'user_id', 'status'])
      .where(
        'user_id',
        'in',
        six.map(({ creator }) => creator.id),
      )
      .execute()
    expect(rows).toHaveLength(6)
    expect(ids.map((id) => rows.find((row) => row.id === id)?.status)).toEqual([
      ...['requested', 'in_transit', 'canceled', 'paid', 'failed', 'returned'],
    ])
    // What was canceled, or not yet approved, was never handed to the bank, all others once.
    expect(ids.map((id) => lines.filter((line) => line.includes(id)).length)).toEqual([0, 1, 0, 1, 1, 1])
    expect(await Promise.all(six.map(balanceOf))).toEqual([
      ...['$24 onTheWay', '$24 onTheWay', '$24 available', '$24 paidOut', '$24 available', '$24 available'],
    ])
    expect(await Promise.all(six.map((sale) => timesTold('payout.changed', sale)))).toEqual([
      0, 1, 1, 2, 2, 3,
    ])
  }
  await expectConsistent()
}, 1_200_000)

test('killed while batches are posted, each is moved to the bank once', async () => {
  const [sale, other] = (await sell(2)) as [Sale, Sale]
  for (let round = 0; round < ROUNDS; round++) {
    await settle()
    harness.clock.advance(2 * 60 * MINUTE_MS)
    operator = await confirmed((await buildUser(harness, { role: 'finance' })).id)
    for (const crashAt of SETTLING) await killJob(crashAt, 'payments.compare')
    for (let time = 0; time < 2; time++) await run('payments.compare')
    for (const one of [sale, other]) await done(await refundOf(one, '$1'))
  }
  const { db, payments, clock } = harness.context
  const since = new Date(clock.now().getTime() - 30 * DAY_MS)
  const listed = await payments.listBatches({
    since,
    until: new Date(clock.now().getTime() - 60 * MINUTE_MS),
  })
  const { rows } = await sql<{ batch: string; journals: number; cents: number }>`
    select batch_id as batch, count(distinct journals.id)::int as journals,
      coalesce(sum(postings.amount_cents) filter (where account.kind = 'bank'), 0)::int as cents
    from settlements left join journals on source_type = 'settlement' and source_id = settlements.id
      left join postings on journal_id = journals.id left join ledger_accounts as account on account.id = account_id
    where posted_at is not null group by batch_id`.execute(db)
  expect(rows.sort((one, next) => Number(one.batch) - Number(next.batch))).toEqual(
    (listed.kind === 'listed' ? listed.batches : [])
      .map(({ batchId, chargedCents, refundedCents, chargedBackCents }) => {
        const cents = chargedCents - refundedCents - chargedBackCents
        return { batch: batchId, journals: cents === 0 ? 0 : 1, cents }
      })
      .sort((one, next) => Number(one.batch) - Number(next.batch)),
  )
  expect(rows.length).toBeGreaterThan(0)
  await expectConsistent()
}, 1_200_000)
