import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { idIn, type PageRequest, skipOf } from '../../../db/cursor.ts'
import { findBalances, findDuePending } from '../ledger/data.ts'
import type { Referral } from './rules.ts'

/**
 * The referrers of these people; for a shared code, its members. Leaves out hidden referrers, and people without any
 * other.
 */
export async function findReferrals(db: Db, userIds: string[]): Promise<Map<string, Referral>> {
  const { rows } = await sql<{
    id: string
    since: Date
    own: string | null
    shared: string | null
    sharers: string[]
  }>`
    select users.id, users.created_at as since, referrer.id as own, users.referred_by_shared as shared,
      array(
        select participant.user_id from shared_code_participants participant
          join users sharer on sharer.id = participant.user_id
        where participant.code_id = users.referred_by_shared and accepted_at is not null and sharer.hidden_at is null
        order by place
      ) as sharers
    from users left join users referrer on referrer.id = users.referred_by and referrer.hidden_at is null
    where users.id = any(${userIds}::uuid[])`.execute(db)
  return new Map(
    rows.flatMap(({ id, since, own, shared, sharers }): [string, Referral][] => {
      if (own) return [[id, { by: own, people: [own], sharedCodeId: null, since }]]
      if (shared) return [[id, { by: shared, people: sharers, sharedCodeId: shared, since }]]
      return []
    }),
  )
}

/**
 * The commissions agreed for the referrers of these orders, in cents, and whether each may still earn. The lock, as foreign
 * keys take it, keeps a suspension waiting and waits for one, but not for other changes; it is taken in the order of ids.
 */
export function lockAgreed(db: Tx, orderIds: string[]) {
  return db
    .selectFrom('order_commissions')
    .innerJoin('users as referrer', 'referrer.id', 'referrer_id')
    .select(['order_id as orderId', 'referrer_id as referrerId', 'cents'])
    .select(['suspended_at as suspendedAt', 'hidden_at as hiddenAt'])
    .where('order_id', '=', sql<string>`any(${orderIds}::uuid[])`)
    .orderBy('referrer_id')
    .orderBy('order_id')
    .forKeyShare('referrer')
    .execute()
}

export type CommissionRow = Awaited<ReturnType<typeof listCommissions>>[number]

/** One row more than the page of what a person earned as a referrer, newest first, what of each was taken back or is reserved, and until when a dispute put it off. */
export function listCommissions(db: Db, userId: string, page: PageRequest) {
  const { cursor } = page
  return db
    .selectFrom('postings')
    .innerJoin('journals', 'journals.id', 'journal_id')
    .innerJoin('order_commissions', (join) =>
      join.onRef('order_commissions.order_id', '=', 'journals.order_id').on('referrer_id', '=', userId),
    )
    .leftJoin('shared_codes', 'shared_codes.id', 'shared_code_id')
    .select(['postings.id', 'postings.id as position', 'side', 'occurred_at', 'available_at'])
    .select(['shared_codes.title as sharedCode', 'order_commissions.cents'])
    .innerJoinLateral(
      sql<{ returnedCents: number; reservedCents: number; putOffUntil: Date | null }>`(
        select coalesce(sum(back.amount_cents), 0)::bigint as "returnedCents",
          coalesce(-sum(back.amount_cents) filter (where own.kind = 'referrer_reserve'), 0)::bigint as "reservedCents",
          max(back.available_at) as "putOffUntil"
        from journals given
          join postings back on back.journal_id = given.id
          join ledger_accounts own on own.id = back.account_id
        where given.order_id = journals.order_id and given.kind <> 'sale' and own.user_id = ${userId}
          and own.kind in ('referrer_pending', 'referrer_available', 'referrer_reserve')
      )`.as('later'),
      (join) => join.onTrue(),
    )
    .select(['returnedCents', 'reservedCents', 'putOffUntil'])
    .select(
      sql<boolean>`exists (select from journals canceled where canceled.source_type = 'adjustment' and source_id = postings.id)`.as(
        'isCanceled',
      ),
    )
    .where('account_id', '=', (eb) =>
      eb
        .selectFrom('ledger_accounts')
        .select('ledger_accounts.id')
        .where('user_id', '=', userId)
        .where('ledger_accounts.kind', '=', 'referrer_pending')
        .where('currency', '=', 'usd')
        .where('livemode', '=', sql<boolean>`installation_livemode()`),
    )
    .where('journals.kind', '=', 'sale')
    .$if(cursor !== undefined, (query) => query.where('postings.id', '<', idIn(cursor ?? '')))
    .orderBy('postings.id', 'desc')
    .offset(skipOf(page))
    .limit(page.limit + 1)
    .execute()
}

/** People who signed up through a person, by their own link or by a code that they share now. */
export async function countReferred(db: Db, userId: string): Promise<{ fans: number; creators: number }> {
  const { rows } = await sql<{ fans: number; creators: number }>`
    select count(*) filter (where not is_creator)::int as fans, count(*) filter (where is_creator)::int as creators
    from (
      select is_creator from users where referred_by = ${userId}
      union all
      select is_creator from users join shared_code_participants on code_id = referred_by_shared
        where user_id = ${userId} and accepted_at is not null and users.id <> ${userId}
    ) as referred`.execute(db)
  return rows[0] ?? { fans: 0, creators: 0 }
}

/** A person's commissions in the last 12 months of UTC, in cents, oldest first, including months without any. */
export async function listMonths(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ month: string; cents: number }[]> {
  const { rows } = await sql<{ month: string; cents: number }>`
    select to_char(begins, 'YYYY-MM') as month, coalesce(cents, 0)::bigint as cents
    from generate_series(
      date_trunc('month', ${now}::timestamptz at time zone 'UTC') - interval '11 months',
      date_trunc('month', ${now}::timestamptz at time zone 'UTC'), interval '1 month'
    ) as begins left join commission_months as kept on kept.month = begins::date and referrer_id = ${userId}
    order by begins`.execute(db)
  return rows
}

/** A referrer's balances, in cents; a share that is due counts as available. */
export async function findReferrerBalance(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ pending: number; available: number; reserved: number }> {
  const kept = await findBalances(db, userId)
  const due = (await findDuePending(db, userId, now))
    .filter(({ role }) => role === 'referrer')
    .reduce((sum, { cents }) => sum + cents, 0)
  return {
    pending: (kept.referrer_pending ?? 0) - due,
    available: (kept.referrer_available ?? 0) + due,
    reserved: kept.referrer_reserve ?? 0,
  }
}

/** The commissions agreed with an order that weren't paid at its capture, and why. */
export function listWithheld(db: Db, orderId: string) {
  return withheldCommissions(db)
    .innerJoin('users as referrer', 'referrer.id', 'withheld.referrer_id')
    .select(['referrer.id', 'referrer.username', 'referrer.deletion_requested_at as leavingSince'])
    .select(['agreed.cents', 'withheld.reason', 'withheld.withheld_at as at'])
    .where('withheld.order_id', '=', orderId)
    .orderBy('referrer.id')
    .execute()
}

/** Those of all orders of this installation's money, in cents. */
export function listAllWithheld(db: Db) {
  return withheldCommissions(db)
    .innerJoin('orders', 'orders.id', 'withheld.order_id')
    .select(['withheld.order_id as orderId', 'agreed.cents'])
    .where('orders.livemode', '=', sql<boolean>`installation_livemode()`)
    .execute()
}

function withheldCommissions(db: Db) {
  return db
    .selectFrom('commissions_withheld as withheld')
    .innerJoin('order_commissions as agreed', (join) =>
      join
        .onRef('agreed.order_id', '=', 'withheld.order_id')
        .onRef('agreed.referrer_id', '=', 'withheld.referrer_id'),
    )
}
