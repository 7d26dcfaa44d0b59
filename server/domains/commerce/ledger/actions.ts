import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import type { AdjustedAccount } from '../../../db/tables/commerce/ledger.ts'
import {
  accountKey,
  findAvailable,
  findDisputedCents,
  findDuePending,
  findLastRelease,
  findOrderBalance,
  findOrderBalances,
  findRefundedTwice,
  type Owned,
} from './data.ts'
import { accountIds, post, postEach } from './posting/actions.ts'
import {
  commissionCanceledEntries,
  type Decided,
  disputeLostEntries,
  disputeOpenedEntries,
  disputeWonEntries,
  duplicateRefundEntries,
  type ReferrerFunds,
  refundAloneEntries,
  refundEntries,
  sendingBegunEntries,
  sendingEndedEntries,
} from './reversals/rules.ts'
import {
  adjustmentEntries,
  affiliateEntries,
  type Entry,
  heldEntries,
  type OrderBalance,
  refundableCents,
  releaseEntries,
  type Sale,
  saleEntries,
  settlementEntries,
  shareCanceledEntries,
} from './rules.ts'

/**
 * Posts the sale that a captured payment is. The database refuses a second one of the same payment
 * (`journals_source_key`), as it refuses any journal that doesn't sum to zero.
 */
export async function postSale(db: Tx, { now, ...sale }: PaidSale & { now: Date }): Promise<void> {
  await postSales(db, [sale], now)
}

type PaidSale = Sale & { paymentId: string; orderId: string }

/** Posts several sales, each in a journal of its own, as `postSale` does. */
export async function postSales(db: Tx, sales: PaidSale[], now: Date): Promise<void> {
  const journals = sales.map(({ paymentId, orderId, ...sale }) => ({
    journal: { kind: 'sale', order_id: orderId, source_type: 'payment', source_id: paymentId } as const,
    entries: saleEntries(sale, now),
  }))
  await postEach(db, journals, now)
}

/**
 * Gives back so many cents of an order, in proportion, once the gateway has. Parts are cumulative: all of them together
 * leave nobody a cent. Answers how many cents of it the creator gave. Throws when it is more than what is left, unless a bank
 * took that before the refund turned up.
 */
export async function postRefund(
  db: Tx,
  refund: { refundId: string; orderId: string; cents: number; now: Date },
): Promise<number> {
  const { refundId, orderId, cents } = refund
  const { order, funds, now } = await lockOrder(db, orderId, refund.now)
  const journal = { kind: 'refund', order_id: orderId, source_type: 'refund', source_id: refundId } as const
  const excess = cents - refundableCents(order)
  const isDuplicate = excess > 0 && excess <= (await findDisputedCents(db, orderId))
  const entries = (isDuplicate ? duplicateRefundEntries : refundEntries)(order, cents, funds, now)
  await post(db, journal, entries, now)
  return creatorsPart(entries)
}

/** How much of what is given back the creator gives, in cents. */
const creatorsPart = (entries: Entry[]): number =>
  entries
    .filter(({ kind }) => kind.startsWith('creator_'))
    .reduce((sum, { amountCents }) => sum + amountCents, 0)

type Dispute = { disputeId: string; orderId: string; now: Date }

const disputeJournal = (kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost', dispute: Dispute) =>
  ({ kind, order_id: dispute.orderId, source_type: 'dispute', source_id: dispute.disputeId }) as const

/** A bank has charged so many cents of an order back, and its own fee; everybody's part is reserved. */
export async function postDisputeOpened(
  db: Tx,
  dispute: Dispute & { cents: number; feeCents: number; isUndelivered: boolean },
): Promise<void> {
  const { order, funds, now } = await lockOrder(db, dispute.orderId, dispute.now)
  const entries = disputeOpenedEntries(order, dispute, { funds, now })
  await post(db, disputeJournal('dispute_opened', dispute), entries, now)
}

/**
 * The bank has decided for the seller: the cents that it charged back are there again. A refund of the same money that turned
 * up meanwhile is shared from now on; answers how many cents of it are, and what of them the creator gave.
 */
export async function postDisputeWon(
  db: Tx,
  dispute: Dispute & Decided & { cents: number },
): Promise<{ refundedCents: number; shareCents: number }> {
  const { disputeId, orderId, cents } = dispute
  const { order, now } = await lockOrder(db, orderId, dispute.now)
  const given = disputeWonEntries(order, cents, { ...dispute, now })
  await post(db, disputeJournal('dispute_won', dispute), given, now)
  const twice = await findRefundedTwice(db, orderId)
  if (twice === 0) return { refundedCents: 0, shareCents: 0 }
  const balance = await findOrderBalance(db, orderId)
  const refundedCents = Math.min(twice, refundableCents(balance))
  if (refundedCents === 0) return { refundedCents, shareCents: 0 }
  const entries = refundAloneEntries(balance, refundedCents, { funds: await fundsOf(db, balance), now })
  const source = { source_type: 'dispute', source_id: disputeId } as const
  await post(db, { kind: 'refund', order_id: orderId, ...source }, entries, now)
  return { refundedCents, shareCents: creatorsPart(entries) }
}

/** The bank has decided for the buyer: everybody gives back their part, of which there is none if all was given back before. */
export async function postDisputeLost(db: Tx, dispute: Dispute & Decided): Promise<void> {
  const { order, funds, now } = await lockOrder(db, dispute.orderId, dispute.now)
  const entries = disputeLostEntries(order, funds, { ...dispute, now })
  if (entries.length === 0) return
  await post(db, disputeJournal('dispute_lost', dispute), entries, now)
}

/** An operator sends a refund of an order another way that is still to be delivered: everybody's share of it is reserved. */
export async function postSendingBegun(
  db: Tx,
  { orderId, now: asked }: { orderId: string; now: Date },
): Promise<void> {
  const { order, funds, now } = await lockOrder(db, orderId, asked)
  await postMoved(db, { orderId, to: 'reserve', now }, sendingBegunEntries(order, { funds, now }))
}

/** It isn't sent anymore: what is left of the shares waits for when it is to be delivered now, unless a dispute keeps them. */
export async function postSendingEnded(
  db: Tx,
  { orderId, deliveredBy, now: asked }: { orderId: string; deliveredBy: Date | null; now: Date },
): Promise<void> {
  const { order, now } = await lockOrder(db, orderId, asked)
  await postMoved(db, { orderId, to: 'pending', now }, sendingEndedEntries(order, { deliveredBy, now }))
}

/** Moves shares of an order between the accounts of their people; a release of the first one's account stands for it. */
async function postMoved(
  db: Tx,
  { orderId, to, now }: { orderId: string; to: 'reserve' | 'pending'; now: Date },
  entries: Entry[],
): Promise<void> {
  const moved = entries.find(({ amountCents }) => amountCents !== 0)
  if (!moved) return
  const role = moved.kind.startsWith('creator_') ? 'creator' : 'referrer'
  const account: Owned = { kind: `${role}_${to}`, userId: moved.userId }
  const accounts = await accountIds(db, [account])
  const { id: source_id } = await db
    .insertInto('ledger_releases')
    .values({ account_id: accounts.get(accountKey(account)) ?? '', order_id: orderId, released_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await post(db, { kind: 'release', order_id: orderId, source_type: 'release', source_id }, entries, now)
}

/**
 * Takes all pending commissions of a person back to the platform's fees, of sales and of the subreddit program, each once.
 * Returns how many and how much, in cents.
 */
export async function postCommissionsCanceled(
  db: Tx,
  { referrerId, now: asked }: { referrerId: string; now: Date },
): Promise<{ count: number; cents: number }> {
  await lockPeople(db, [referrerId])
  const now = await notBefore(db, [referrerId], asked)
  const pending = await db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .select(['postings.id', 'journals.order_id', 'postings.amount_cents', 'postings.available_at'])
    .where('ledger_accounts.user_id', '=', referrerId)
    .where('ledger_accounts.kind', '=', 'referrer_pending')
    .where('ledger_accounts.livemode', '=', sql<boolean>`installation_livemode()`)
    // Shares put off by a dispute, or while a refund was sent another way, are pending again.
    .where('journals.kind', 'in', ['sale', 'commission', 'dispute_won', 'dispute_lost', 'release'])
    .where((eb) => eb.or([eb('postings.available_at', '>', now), isHeldUndelivered]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('journals as cancellation')
            .select('cancellation.id')
            .where('cancellation.source_type', '=', 'adjustment')
            .whereRef('cancellation.source_id', '=', 'postings.id'),
        ),
      ),
    )
    .orderBy('journals.id')
    .execute()
  const balances = await findOrderBalances(
    db,
    pending.flatMap(({ order_id }) => order_id ?? []),
  )
  const canceledOf = (orderId: string) => {
    const order = balances.get(orderId)
    // When an order pays one person on both sides, both shares are canceled as one.
    balances.delete(orderId)
    return order ? commissionCanceledEntries(order, referrerId, now) : []
  }
  const journals = pending.flatMap(({ id: source_id, order_id, amount_cents, available_at: availableAt }) => {
    const share = { userId: referrerId, cents: -amount_cents, availableAt }
    const entries = order_id === null ? shareCanceledEntries(share) : canceledOf(order_id)
    const source = { source_type: 'adjustment', source_id } as const
    return entries.length === 0
      ? []
      : [{ journal: { kind: 'adjustment' as const, order_id, ...source }, entries }]
  })
  for (let at = 0; at < journals.length; at += AT_ONCE)
    await postEach(db, journals.slice(at, at + AT_ONCE), now)
  const cents = journals.reduce((sum, { entries }) => sum - (entries.at(-1)?.amountCents ?? 0), 0)
  return { count: journals.length, cents }
}

/**
 * A dispute of something undelivered holds all shares, whatever their date, and so does its refund while it is sent another
 * way; they are pending again after that.
 */
const isHeldUndelivered = sql<boolean>`(journals.kind = 'sale' and journals.order_id in (
  select orders.id from (
    select payment_id from disputes where status = 'open'
    union all select payment_id from refunds where status = 'refused' and outside_since is not null
  ) as held join orders on orders.paid_by = held.payment_id and orders.kind = 'custom'
    join custom_requests as request on request.id = orders.item_id and request.delivered_at is null))`

/** So many journals are posted by one statement. */
const AT_ONCE = 1000

/** Moves a settled batch from the gateway to the bank account; one that comes to nothing moves nothing. */
export async function postSettlement(
  db: Tx,
  settlement: { settlementId: string; netCents: number; ownNetCents: number; now: Date },
): Promise<void> {
  const { settlementId, now } = settlement
  const entries = settlementEntries(settlement)
  if (entries.length === 0) return
  const source = { source_type: 'settlement', source_id: settlementId } as const
  await post(db, { kind: 'settlement', order_id: null, ...source }, entries, now)
}

/** Posts what an operator took from a document of outside, which the database compares with the adjustment that was approved. */
export async function postAdjustment(
  db: Tx,
  adjustment: { adjustmentId: string; from: AdjustedAccount; to: AdjustedAccount; cents: number; now: Date },
): Promise<void> {
  const source = { source_type: 'document', source_id: adjustment.adjustmentId } as const
  const journal = { kind: 'adjustment', order_id: null, ...source } as const
  await post(db, journal, adjustmentEntries(adjustment), adjustment.now)
}

/** Pays a share of the subreddit program, once for each source. */
export async function postAffiliateShare(
  db: Tx,
  share: { sourceId: string; userId: string; cents: number; from: 'platform_fees' | 'suspense'; now: Date },
): Promise<void> {
  const { sourceId: source_id, now } = share
  const journal = { kind: 'commission', order_id: null, source_type: 'commission', source_id } as const
  await post(db, journal, affiliateEntries(share, now), now)
}

/** Sets a share of the subreddit program aside until somebody has claimed it. */
export async function postHeldShare(
  db: Tx,
  { sourceId: source_id, cents, now }: { sourceId: string; cents: number; now: Date },
): Promise<void> {
  const journal = { kind: 'adjustment', order_id: null, source_type: 'commission', source_id } as const
  await post(db, journal, heldEntries(cents), now)
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

/**
 * The sums of an order, once nothing else can be posted for it or its people and shares that were due are released; and
 * the moment to post at, as `notBefore` says.
 */
async function lockOrder(
  db: Tx,
  orderId: string,
  asked: Date,
): Promise<{ order: OrderBalance; funds: ReferrerFunds; now: Date }> {
  // The rows of journals themselves can't be locked, as the server may not change them.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`journals of ${orderId}`}, 0))`.execute(db)
  // A sale holds its fan before it posts: in the same order here, so that no two wait for each other.
  await sql`
    select from fans where (creator_id, fan_id) = (select creator_id, buyer_id from orders where id = ${orderId})
    for update`.execute(db)
  const { parties } = await findOrderBalance(db, orderId)
  const people = [...new Set(parties.map(({ userId }) => userId))].sort()
  await lockPeople(db, people)
  const now = await notBefore(db, people, asked)
  for (const userId of people) await releaseDue(db, userId, now)
  const order = await findOrderBalance(db, orderId)
  return { order, funds: await fundsOf(db, order), now }
}

/** The moment to post at for people who are locked: the caller's, or that of a later release that it waited for. */
async function notBefore(db: Tx, people: string[], asked: Date): Promise<Date> {
  const released = await findLastRelease(db, people)
  return released && released > asked ? released : asked
}

/** The amounts that can be asked back from the referrers of an order, whose accounts are locked. */
async function fundsOf(db: Tx, { parties }: OrderBalance): Promise<ReferrerFunds> {
  const available = new Map<string, number>()
  for (const { userId } of parties) available.set(userId, (await findAvailable(db, userId)).referrerCents)
  return (userId) => available.get(userId) ?? 0
}

/** In the order in which every posting locks them, so that no two wait for each other. */
export async function lockPeople(db: Tx, userIds: string[]): Promise<void> {
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
