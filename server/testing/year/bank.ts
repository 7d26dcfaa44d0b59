import { sql } from 'kysely'
import { routes } from '../../../contract/index.ts'
import { centsOf, formatMoney } from '../../../contract/money.ts'
import { cardToken, gatewayTransactions } from '../gateway.ts'
import type { Harness } from '../harness.ts'
import { reauthenticatedApi } from '../security.ts'
import { type Business, dollars } from './business.ts'

type Account = 'bank' | 'gateway' | 'processor_fees' | 'dispute_fees' | 'suspense'
type Document = { from: Account; to: Account; cents: number; reference: string; reason: string }

/** Takes what a document says into the books, by one operator and another. */
async function enter(business: Business, { cents, ...document }: Document): Promise<void> {
  const [operator, other] = [
    await reauthenticatedApi(business.harness, business.finance),
    await reauthenticatedApi(business.harness, business.second),
  ]
  const date = business.harness.clock.now().toISOString().slice(0, 10)
  const body = { ...document, amount: formatMoney(cents), date }
  const once = { idempotencyKey: crypto.randomUUID() }
  const { _id: adjustmentId } = await operator.call(routes.proposeAdjustment, { body }, once)
  await other.call(routes.decideAdjustment, {
    body: { adjustmentId, decision: 'approve', reason: 'Compared with the paper' },
  })
}

/** The bank moves money by itself, and says so in a document. */
export async function bankMoves(business: Business, document: Document): Promise<void> {
  business.bank.cents += document.to === 'bank' ? document.cents : -document.cents
  await enter(business, document)
}

/** The processor takes its bill from the bank account, and what banks took back or gave back since the last one. */
export async function bill(business: Business): Promise<void> {
  const { harness, bank } = business
  bank.bills += 1
  const cents = centsOf(dollars(business, 2000, 3000))
  const reference = `BILL-${bank.bills}`
  await bankMoves(business, {
    ...{ from: 'bank', to: 'processor_fees', cents, reference, reason: 'The processor’s bill' },
  })
  const { rows } = await sql<{ reference: string; cents: number; won: boolean }>`
    select letter.* from disputes cross join lateral (values
      ('Case ' || case_number, amount_cents + fee_cents, false, true),
      ('Won ' || case_number, amount_cents, true, status = 'won')
    ) as letter (reference, cents, won, written)
    where written and not exists (select from adjustments where adjustments.reference = letter.reference)
    order by opened_at, reference`.execute(harness.context.db)
  for (const { reference, cents, won } of rows)
    await bankMoves(business, {
      ...(won ? { from: 'gateway', to: 'bank' } : { from: 'bank', to: 'gateway' }),
      ...{ cents: Number(cents), reference, reason: 'By the bank’s letter' },
    })
}

/** Somebody charges a card at the gateway's own terminal, which nobody here knows of. */
export async function chargeByHand(business: Business): Promise<void> {
  const { harness, strays } = business
  const reference = `by-hand-${strays.length}`
  strays.push(reference)
  await harness.context.payments.charge({
    reference,
    amountCents: 1234,
    description: 'At the terminal',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: crypto.randomUUID().slice(0, 20), email: 'nobody@example.test' },
  })
}

/** An operator finds out where a charge came from that nobody here knows. */
export async function resolveStrays(business: Business): Promise<void> {
  const api = await reauthenticatedApi(business.harness, business.finance)
  const { items } = await api.call(routes.findings, {})
  for (const { _id: findingId, kind } of items)
    if (kind === 'unknown_charge')
      await api.call(routes.resolveFinding, { body: { findingId, reason: 'Made at the terminal' } })
}

/** Money that isn't ours is sent back. */
export async function emptySuspense(business: Business): Promise<void> {
  const api = await reauthenticatedApi(business.harness, business.finance)
  const { suspense, suspenseHeld } = await api.call(routes.books, {})
  const cents = centsOf(suspenseHeld) - centsOf(suspense)
  if (cents === 0) return
  const reference = `TRANSFER-${business.harness.clock.now().toISOString()}`
  await bankMoves(business, { from: 'bank', to: 'suspense', cents, reference, reason: 'Sent back' })
}

/** What the bank account of the business holds by all that happened outside, in cents; none of it is read from the ledger. */
export async function bankStatement({ harness, bank }: Business): Promise<number> {
  let settled = 0
  for (const { status, amountCents } of await gatewayTransactions(harness)) {
    if (status === 'settledSuccessfully') settled += amountCents
    if (status === 'refundSettledSuccessfully') settled -= amountCents
  }
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payouts where status = 'paid'`.execute(
    harness.context.db,
  )
  return settled + bank.cents - (rows[0]?.cents ?? 0)
}

/** What the ledger says that these accounts hold, in cents. */
export async function ledgerAccounts({ context }: Harness): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; cents: number }>`
    select kind, coalesce(sum(amount_cents), 0)::bigint as cents
    from ledger_accounts left join postings on account_id = ledger_accounts.id
    where kind in ('bank', 'gateway', 'suspense') group by kind`.execute(context.db)
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]))
}
