import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import type { AccountKind, CommerceTables } from '../../../db/tables/commerce.ts'
import { AppError } from '../../../errors.ts'
import { findAvailable, findDuePending, findEntries, findOrderBalance } from './data.ts'
import {
  commissionCanceledEntries,
  disputeLostEntries,
  disputeOpenedEntries,
  disputeWonEntries,
  type Entry,
  type OrderBalance,
  payoutEntries,
  payoutPaidEntries,
  refundEntries,
  releaseEntries,
  reversed,
  type Sale,
  saleEntries,
} from './rules.ts'

type Journal = Pick<CommerceTables['journals'], 'kind' | 'order_id' | 'source_type' | 'source_id'>

/**
 * Posts the sale that a captured payment is. The database refuses a second one of the same payment
 * (`journals_source_key`), as it refuses any journal that doesn't sum to zero.
 */
export async function postSale(
  db: Tx,
  { paymentId, orderId, now, ...sale }: Sale & { paymentId: string; orderId: string; now: Date },
): Promise<void> {
  const journal = { kind: 'sale', order_id: orderId, source_type: 'payment', source_id: paymentId } as const
  await post(db, journal, saleEntries(sale, now), now)
}

/**
 * Gives back so many cents of an order, in proportion, once the gateway has. Parts are cumulative: all of them together
 * leave nobody a cent. Throws when it is more than what is left.
 */
export async function postRefund(
  db: Tx,
  refund: { refundId: string; orderId: string; cents: number; now: Date },
): Promise<void> {
  const { refundId, orderId, cents, now } = refund
  const { order, funds } = await lockOrder(db, orderId, now)
  const journal = { kind: 'refund', order_id: orderId, source_type: 'refund', source_id: refundId } as const
  await post(db, journal, refundEntries(order, cents, funds, now), now)
}

type Dispute = { disputeId: string; orderId: string; now: Date }

const disputeJournal = (kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost', dispute: Dispute) =>
  ({ kind, order_id: dispute.orderId, source_type: 'dispute', source_id: dispute.disputeId }) as const

/** A bank has charged so many cents of an order back, and its own fee; the creator's part is reserved. */
export async function postDisputeOpened(
  db: Tx,
  dispute: Dispute & { cents: number; feeCents: number },
): Promise<void> {
  const { order } = await lockOrder(db, dispute.orderId, dispute.now)
  const entries = disputeOpenedEntries(order, dispute, dispute.now)
  await post(db, disputeJournal('dispute_opened', dispute), entries, dispute.now)
}

/** The bank has decided for the seller: what was charged back is there again. */
export async function postDisputeWon(db: Tx, dispute: Dispute): Promise<void> {
  const { order } = await lockOrder(db, dispute.orderId, dispute.now)
  await post(db, disputeJournal('dispute_won', dispute), disputeWonEntries(order, dispute.now), dispute.now)
}

/** The bank has decided for the buyer: everybody gives back their part. */
export async function postDisputeLost(db: Tx, dispute: Dispute): Promise<void> {
  const { order, funds } = await lockOrder(db, dispute.orderId, dispute.now)
  const entries = disputeLostEntries(order, funds, dispute.now)
  await post(db, disputeJournal('dispute_lost', dispute), entries, dispute.now)
}

/** Sets aside what a person asked to be paid. Throws `payout_exceeds_balance`. */
export async function postPayout(
  db: Tx,
  payout: { payoutId: string; userId: string; cents: number; now: Date },
): Promise<void> {
  const { payoutId, userId, cents, now } = payout
  await lockPeople(db, [userId])
  await releaseDue(db, userId, now)
  const entries = payoutEntries(userId, await findAvailable(db, userId), cents)
  if (!entries) throw new AppError('payout_exceeds_balance')
  await post(db, payoutJournal('payout', payoutId), entries, now)
}

/** The bank has paid it out. */
export async function postPayoutPaid(
  db: Tx,
  { payoutId, cents, now }: { payoutId: string; cents: number; now: Date },
): Promise<void> {
  await post(db, payoutJournal('payout_paid', payoutId), payoutPaidEntries(cents), now)
}

/** It was canceled, or the bank failed to pay it: the money is available again. */
export async function postPayoutReturned(
  db: Tx,
  { payoutId, now }: { payoutId: string; now: Date },
): Promise<void> {
  const setAside = await findEntries(db, { source_type: 'payout', source_id: payoutId, kind: 'payout' })
  await post(db, payoutJournal('payout_returned', payoutId), reversed(setAside), now)
}

const payoutJournal = (kind: 'payout' | 'payout_paid' | 'payout_returned', payoutId: string) =>
  ({ kind, order_id: null, source_type: 'payout', source_id: payoutId }) as const

/**
 * Takes all pending commissions of a person back to the platform's fees, each once. Returns how many and how much, in
 * cents. What an open dispute holds stays with its order.
 */
export async function postCommissionsCanceled(
  db: Tx,
  { referrerId, now }: { referrerId: string; now: Date },
): Promise<{ count: number; cents: number }> {
  await lockPeople(db, [referrerId])
  const pending = await db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .select(['postings.id', 'journals.order_id'])
    .where('ledger_accounts.user_id', '=', referrerId)
    .where('ledger_accounts.kind', '=', 'referrer_pending')
    .where('ledger_accounts.livemode', '=', sql<boolean>`installation_livemode()`)
    .where('journals.kind', '=', 'sale')
    .where('postings.available_at', '>', now)
    .orderBy('journals.id')
    .execute()
  const canceled = { count: 0, cents: 0 }
  for (const { id: source_id, order_id } of pending) {
    if (order_id === null) continue
    const entries = commissionCanceledEntries(await findOrderBalance(db, order_id), referrerId, now)
    const [own] = entries
    if (!own) continue
    await post(db, { kind: 'adjustment', order_id, source_type: 'adjustment', source_id }, entries, now)
    canceled.count += 1
    canceled.cents += own.amountCents
  }
  return canceled
}

/** Makes available what is due of a person's pending shares; a second call at the same time finds nothing left. */
export async function releaseDue(db: Tx, userId: string, now: Date): Promise<void> {
  await lockPeople(db, [userId])
  for (const { accountId, role, cents } of await findDuePending(db, userId, now)) {
    const { id: source_id } = await db
      .insertInto('ledger_releases')
      .values({ account_id: accountId, released_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const journal = { kind: 'release', order_id: null, source_type: 'release', source_id } as const
    await post(db, journal, releaseEntries(role, userId, cents), now)
  }
}

/** What an order comes to, once nothing else can be posted for it or its people, and what is due was released. */
async function lockOrder(
  db: Tx,
  orderId: string,
  now: Date,
): Promise<{ order: OrderBalance; funds: (userId: string) => number }> {
  // The rows of journals themselves can't be locked, as the server may not change them.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`journals of ${orderId}`}, 0))`.execute(db)
  // A sale holds its fan before it posts: in the same order here, so that no two wait for each other.
  await sql`
    select from fans where (creator_id, fan_id) = (select creator_id, buyer_id from orders where id = ${orderId})
    for update`.execute(db)
  const { parties } = await findOrderBalance(db, orderId)
  const people = [...new Set(parties.map(({ userId }) => userId))].sort()
  await lockPeople(db, people)
  for (const userId of people) await releaseDue(db, userId, now)
  const available = new Map<string, number>()
  for (const userId of people) available.set(userId, (await findAvailable(db, userId)).referrerCents)
  const order = await findOrderBalance(db, orderId)
  return { order, funds: (userId) => available.get(userId) ?? 0 }
}

/** In the order in which every posting locks them, so that no two wait for each other. */
async function lockPeople(db: Tx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await db
    .selectFrom('ledger_balances')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .select('account_id')
    .where('user_id', 'in', userIds)
    .orderBy('account_id')
    .forUpdate('ledger_balances')
    .execute()
}

async function post(db: Tx, journal: Journal, entries: Entry[], now: Date): Promise<void> {
  const { id: journalId } = await db
    .insertInto('journals')
    .values({ ...journal, occurred_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = []
  for (const { kind, userId, amountCents, availableAt } of entries) {
    if (amountCents === 0) continue
    const account_id = await accountId(db, kind, userId)
    lines.push({ journal_id: journalId, account_id, amount_cents: amountCents, available_at: availableAt })
  }
  await db.insertInto('postings').values(lines).execute()
}

/** The account of this kind, opened when it is first needed; two who open it at once get the same one. */
async function accountId(db: Tx, kind: AccountKind, userId: string | null): Promise<string> {
  const known = await findAccount(db, kind, userId)
  if (known) return known
  await db
    .insertInto('ledger_accounts')
    .values({ kind, user_id: userId })
    .onConflict((conflict) => conflict.constraint('ledger_accounts_key').doNothing())
    .execute()
  const opened = await findAccount(db, kind, userId)
  if (!opened) throw new Error(`no ledger account ${kind}`)
  return opened
}

async function findAccount(db: Db, kind: AccountKind, userId: string | null): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('id')
    .where('kind', '=', kind)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('currency', '=', 'usd')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirst()
  return row?.id
}
