import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Role } from '../../../../contract/permissions.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { findBooks } from '../ledger/books/data.ts'

let harness: Harness
let first: Operator
let second: Operator
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  // Operators of other tests aren't there in this one.
  await harness.context.db.updateTable('users').set({ role: null }).where('role', 'is not', null).execute()
  first = await operator()
  second = await operator()
})

type Operator = Person & { api: Api }
async function operator(role: Role = 'finance'): Promise<Operator> {
  const person = await buildUser(harness, { role })
  const token = await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() })
  return { ...person, api: harness.api.as({ token }) }
}

type Account = 'bank' | 'gateway' | 'processor_fees' | 'dispute_fees' | 'suspense'
const bill = (
  more: Partial<{ from: Account; to: Account; amount: string; reference: string; date: string }> = {},
) => ({
  ...{
    from: 'bank' as Account,
    to: 'processor_fees' as Account,
    amount: '$41.17',
    reason: 'The processor’s bill',
  },
  ...{
    alone: false,
    reference: `INV-${crypto.randomUUID()}`,
    date: harness.clock.now().toISOString().slice(0, 10),
  },
  ...more,
})
const propose = (by: Operator, body = bill()) =>
  by.api.call(routes.proposeAdjustment, { body }, { idempotencyKey: crypto.randomUUID() })
const decide = (by: Operator, adjustmentId: string, decision: 'approve' | 'decline' = 'approve') =>
  by.api.call(routes.decideAdjustment, {
    body: { adjustmentId, decision, reason: 'Compared with the paper' },
  })
const books = (by = second) => by.api.call(routes.books, {})
const send = async (body: object, api = first.api) => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await api.send('POST', '/admin/adjustments', { body, headers })
  const { code, details } = answer.body as { code?: string; details?: Record<string, string> }
  return { status: answer.status, code, details }
}
const auditOf = (id: string) =>
  harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'detail'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()

test('what one operator enters is in the books once another has approved it', async () => {
  const before = await books()
  const body = bill()
  const { _id, ...proposed } = await propose(first, body)
  const terms = {
    from: 'bank',
    to: 'processor_fees',
    amount: '$41.17',
    reference: body.reference,
    date: body.date,
  }
  expect(proposed).toMatchObject({
    ...{ ...terms, status: 'proposed', reason: 'The processor’s bill' },
    ...{ proposedBy: { _id: first.id, username: first.username }, decidedBy: null, decisionReason: null },
  })
  expect(await books()).toEqual(before)
  const open = () => second.api.call(routes.adjustments, { query: { showing: 'open' } })
  expect((await open()).items).toEqual([{ _id, ...proposed }])

  await expect(decide(first, _id)).rejects.toMatchObject({ code: 'own_adjustment' })
  expect(await books()).toEqual(before)
  const posted = await decide(second, _id)
  expect(posted).toMatchObject({
    ...{ _id, ...terms, status: 'posted', decidedBy: { _id: second.id } },
    decisionReason: 'Compared with the paper',
  })
  expect(await books()).toMatchObject({ bank: '-$41.17', processorFees: '$41.17' })
  expect((await open()).items).toEqual([])
  await expect(decide(second, _id)).rejects.toMatchObject({ code: 'adjustment_decided' })
  expect(await auditOf(_id)).toMatchObject([
    {
      action: 'adjustment.proposed',
      actor_id: first.id,
      reason: 'The processor’s bill',
      detail: { cents: 4117 },
    },
    { action: 'adjustment.posted', actor_id: second.id, detail: { cents: 4117, proposedBy: first.id } },
  ])

  const file = await second.api.send('GET', '/admin/adjustments/csv')
  expect(String(file.body).split('\r\n')).toContain(
    `"${body.date}","${body.reference}","bank","processor_fees","41.17","USD","posted","The processor’s bill","${first.username}","${proposed.proposedAt}","${second.username}","${posted.decidedAt}","Compared with the paper"`,
  )
  expect((await findBooks(harness.context.db)).discrepancies).toEqual([])
})

test('nobody but who may adjust the books sees or changes them, and a change takes a fresh password', async () => {
  const { _id: adjustmentId } = await propose(first)
  const stranger = harness.api.visitor()
  const calls = (api: Api) => [
    api.send('GET', '/admin/books'),
    api.send('GET', '/admin/adjustments'),
    api.send('GET', '/admin/adjustments/csv'),
    api.send('POST', '/admin/adjustments', { body: bill() }),
    api.send('POST', '/admin/adjustments/decide', {
      body: { adjustmentId, decision: 'approve', reason: 'Checked' },
    }),
  ]
  const statuses = async (api: Api) => (await Promise.all(calls(api))).map(({ status }) => status)
  expect(await statuses(stranger)).toEqual([401, 401, 401, 401, 401])
  for (const person of [await operator('support'), await operator('reviewer'), await buildCreator(harness)])
    expect(await statuses(harness.api.as(person))).toEqual([403, 403, 403, 403, 403])
  const stale = await buildSession(harness, second.id)
  expect(await statuses(harness.api.as({ token: stale }))).toEqual([200, 200, 200, 403, 403])
  const { items } = await second.api.call(routes.adjustments, { query: { showing: 'open' } })
  expect(items).toMatchObject([{ _id: adjustmentId, status: 'proposed' }])
})

test.each([
  { what: 'an account that isn’t the platform’s own', more: { to: 'creator_available' } },
  { what: 'an account of the platform that is nobody’s to adjust', more: { from: 'platform_fees' } },
  { what: 'one account alone', more: { to: 'bank' } },
  { what: 'nothing', more: { amount: '$0' } },
  { what: 'a negative amount', more: { amount: '-$5' } },
  { what: 'no document', more: { reference: ' ' } },
  { what: 'a day that isn’t one', more: { date: '2026-02-30' } },
  { what: 'no reason', more: { reason: '' } },
])('$what is refused', async ({ more }) => {
  const [field = ''] = Object.keys(more)
  expect(await send({ ...bill(), ...more })).toMatchObject({
    ...{ status: 400, code: 'invalid_input' },
    details: { [field]: expect.any(String) },
  })
})

test('a document of tomorrow is refused', async () => {
  const date = new Date(harness.clock.now().getTime() + 48 * 3600 * 1000).toISOString().slice(0, 10)
  expect(await send(bill({ date }))).toMatchObject({ status: 400, code: 'adjustment_date' })
})

test('a document is entered once, however it is written, and again once it was declined', async () => {
  const reference = `Stmt-${crypto.randomUUID()}`
  const { _id } = await propose(first, bill({ reference }))
  const again = () => send(bill({ reference: ` ${reference.toUpperCase()} `, amount: '$5' }))
  expect(await again()).toMatchObject({ status: 409, code: 'adjustment_entered' })
  await decide(second, _id)
  expect(await again()).toMatchObject({ status: 409, code: 'adjustment_entered' })

  const other = `Stmt-${crypto.randomUUID()}`
  const { _id: wrong } = await propose(first, bill({ reference: other, amount: '$4,117' }))
  // The person who entered it may withdraw it as well.
  expect(await decide(first, wrong, 'decline')).toMatchObject({ status: 'declined' })
  await expect(decide(second, wrong)).rejects.toMatchObject({ code: 'adjustment_decided' })
  expect(await propose(first, bill({ reference: other }))).toMatchObject({ status: 'proposed' })
  expect(await auditOf(wrong)).toMatchObject([
    { action: 'adjustment.proposed' },
    { action: 'adjustment.declined', actor_id: first.id },
  ])
})

const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls))
    .map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code))
    .sort()

test('however many enter or approve a document at once, it is posted once', async () => {
  const third = await operator('superadmin')
  const before = await books()
  const body = bill({ from: 'gateway', to: 'dispute_fees', amount: '$15' })
  const entering = [first, second, third, first].map((by) => propose(by, body))
  expect(await outcomes(entering)).toEqual([
    ...['adjustment_entered', 'adjustment_entered', 'adjustment_entered', 'done'],
  ])
  const { items } = await first.api.call(routes.adjustments, { query: { showing: 'open' } })
  const { _id, proposedBy } = items.find(({ reference }) => reference === body.reference) ?? { _id: '' }
  const others = [first, second, third].filter(({ id }) => id !== proposedBy?._id)
  const approving = [...others, ...others].map((by) => decide(by, _id))
  expect(await outcomes(approving)).toEqual([
    ...['adjustment_decided', 'adjustment_decided', 'adjustment_decided', 'done'],
  ])
  expect(before.disputeFees).toBe('$0')
  expect((await books()).disputeFees).toBe('$15')
})

test('who takes themselves for the only one proposes it all the same where somebody else could approve it', async () => {
  expect(await propose(first, { ...bill(), alone: true })).toMatchObject({ status: 'proposed' })
})

test('where nobody else could approve it, one operator is enough', async () => {
  const { db } = harness.context
  const { _id: waiting } = await propose(first)
  await db.updateTable('users').set({ role: null }).where('id', '=', second.id).execute()
  // Operators with other permissions may not.
  await operator('support')
  const alone = bill()
  // Who doesn't know that nobody else looks at it is asked first, and nothing is entered.
  await expect(propose(first, alone)).rejects.toMatchObject({ status: 409, code: 'adjustment_alone' })
  const { _id, status } = await propose(first, { ...alone, alone: true })
  expect(status).toBe('posted')
  expect(await auditOf(_id)).toMatchObject([{ action: 'adjustment.posted', actor_id: first.id }])
  expect(await decide(first, waiting)).toMatchObject({ status: 'posted', decidedBy: { _id: first.id } })
})

test('what somebody entered who is no operator anymore counts for nothing', async () => {
  const { _id } = await propose(first)
  await harness.context.db.updateTable('users').set({ role: null }).where('id', '=', first.id).execute()
  await expect(decide(second, _id)).rejects.toMatchObject({ code: 'adjustment_lapsed' })
  await expect(decide(second, crypto.randomUUID())).rejects.toMatchObject({ code: 'adjustment_not_found' })
  expect(await decide(second, _id, 'decline')).toMatchObject({ status: 'declined' })
})

test('the list goes on page by page', async () => {
  for (const by of [first, second, first]) await propose(by)
  const all = (await first.api.call(routes.adjustments, { query: { limit: 60 } })).items
  const read: typeof all = []
  let cursor: string | null | undefined
  do {
    const page: { items: typeof all; nextCursor: string | null } = await first.api.call(routes.adjustments, {
      query: { limit: 2, ...(cursor ? { cursor } : {}) },
    })
    read.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(read).toEqual(all)
})

/** Posts a journal for an adjustment as no code of ours would: these lines, each on an account of this id. */
function postByHand(adjustmentId: string, lines: { accountId: string; cents: number }[]): Promise<void> {
  return harness.context.db.transaction().execute(async (tx) => {
    await sql`insert into journals (kind, source_type, source_id, occurred_at)
      values ('adjustment', 'document', ${adjustmentId}, now())`.execute(tx)
    for (const { accountId, cents } of lines)
      await sql`insert into postings (journal_id, account_id, amount_cents)
        select id, ${accountId}, ${cents} from journals where source_id = ${adjustmentId}`.execute(tx)
  })
}

async function accountOf(kind: string, userId: string | null = null): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into ledger_accounts (kind, user_id) values (${kind}, ${userId})
      on conflict on constraint ledger_accounts_key do nothing returning id
    ) select id from made union all
      select id from ledger_accounts where kind = ${kind} and user_id is not distinct from ${userId}`.execute(
    harness.context.db,
  )
  return rows[0]?.id ?? ''
}

test('the database refuses an adjustment that touches a person’s account, or is other than what was approved', async () => {
  const { db } = harness.context
  const creator = await buildCreator(harness)
  const [bank, fees, theirs] = await Promise.all([
    accountOf('bank'),
    accountOf('processor_fees'),
    accountOf('creator_available', creator.id),
  ])
  const posted = async () => {
    const { _id } = await propose(first)
    // As approved, but without its journal.
    const decided = { decided_by: second.id, decided_at: harness.clock.now(), decision_reason: 'By hand' }
    await db
      .updateTable('adjustments')
      .set({ status: 'posted', ...decided })
      .where('id', '=', _id)
      .execute()
    return _id
  }
  const id = await posted()
  const other = 'is other than its adjustment'
  const line = (accountId: string, cents: number) => ({ accountId, cents })
  await expect(postByHand(id, [line(bank, -4117), line(theirs, 4117)])).rejects.toThrow(other)
  await expect(postByHand(id, [line(theirs, -4117), line(fees, 4117)])).rejects.toThrow(other)
  await expect(postByHand(id, [line(bank, 4117), line(fees, -4117)])).rejects.toThrow(other)
  await expect(postByHand(id, [line(bank, -4118), line(fees, 4118)])).rejects.toThrow(other)
  const twice = [line(bank, -4117), line(fees, 4117)]
  await expect(postByHand(id, [...twice, ...twice])).rejects.toThrow(other)
  await expect(postByHand(id, [line(bank, -4117), line(fees, 4116)])).rejects.toThrow('sums to')
  const { _id: waiting } = await propose(first)
  await expect(postByHand(waiting, twice)).rejects.toThrow(other)
  const discrepancy = { what: 'Adjustment in another state than its journal', id, expected: 4117, found: 0 }
  expect((await findBooks(db)).discrepancies).toEqual([discrepancy])
  await postByHand(id, twice)
  expect((await findBooks(db)).discrepancies).toEqual([])

  const table = db.updateTable('adjustments').where('id', '=', id)
  await expect(table.set({ amount_cents: 1 }).execute()).rejects.toThrow('decided once')
  await expect(
    db.updateTable('adjustments').where('id', '=', waiting).set({ amount_cents: 1 }).execute(),
  ).rejects.toThrow('stays as it was proposed')
  await expect(db.deleteFrom('adjustments').execute()).rejects.toThrow()
})
