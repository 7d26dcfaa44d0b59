import { sql } from 'kysely'
import type { Db } from '../../../../../db/client.ts'
import type { AccountKind, JournalKind } from '../../../../../db/tables/commerce/ledger.ts'
import { boundsOf, type MonthLine } from './rules.ts'

const LINES = sql`journals join postings on journal_id = journals.id join ledger_accounts as account on account.id = account_id`

/**
 * Sums by account kind and journal kind, in a month of UTC and before it; in cents, debits positive, of the
 * installation's mode. Reads the whole ledger up to the end of the month.
 */
export async function findMonth(db: Db, month: string): Promise<MonthLine[]> {
  const { from, until } = boundsOf(month)
  const { rows } = await sql<MonthLine>`
    select currency, journals.livemode, account.kind as account, journals.kind as movement,
      coalesce(sum(amount_cents) filter (where occurred_at < ${from}), 0)::bigint as "beforeCents",
      coalesce(sum(amount_cents) filter (where occurred_at >= ${from}), 0)::bigint as cents
    from ${LINES} where journals.livemode = installation_livemode() and occurred_at < ${until}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** Sums in dollars of a month of UTC by account and journal, in cents; reads no other months' sales. */
export async function findMovements(
  db: Db,
  month: string,
): Promise<{ account: AccountKind; movement: JournalKind; cents: number }[]> {
  const { from, until } = boundsOf(month)
  const { rows } = await sql<{ account: AccountKind; movement: JournalKind; cents: number }>`
    select account.kind as account, journals.kind as movement, sum(amount_cents)::bigint as cents
    from ${LINES} where journals.livemode = installation_livemode() and currency = 'usd'
      and occurred_at >= ${from} and occurred_at < ${until}
    group by 1, 2`.execute(db)
  return rows
}

/**
 * Balances of creators and referrers in dollars at the end of a month of UTC, in cents, and the amount set aside for
 * payouts then: today's balances, less the movements since.
 */
export async function findOwed(db: Db, month: string): Promise<{ owedCents: number; payoutCents: number }> {
  const { until } = boundsOf(month)
  const { rows } = await sql<{ owedCents: number; payoutCents: number }>`
    select
      (select coalesce(sum(balance_cents), 0) from ledger_balances join ledger_accounts on ledger_accounts.id = account_id
        where livemode = installation_livemode() and currency = 'usd')::bigint
      + (select coalesce(sum(amount_cents), 0) from ${LINES} where user_id is not null and currency = 'usd'
        and journals.livemode = installation_livemode() and occurred_at >= ${until})::bigint as "owedCents",
      (select coalesce(-sum(amount_cents), 0) from ${LINES} where account.kind = 'payout_in_transit' and currency = 'usd'
        and journals.livemode = installation_livemode() and occurred_at < ${until})::bigint as "payoutCents"`.execute(
    db,
  )
  return rows[0] ?? { owedCents: 0, payoutCents: 0 }
}

/** When the first journal of the installation's mode was posted; null while there is none. */
export async function findFirstPosting(db: Db): Promise<Date | null> {
  const first = await db
    .selectFrom('journals')
    .select('occurred_at')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('occurred_at')
    .limit(1)
    .executeTakeFirst()
  return first?.occurred_at ?? null
}
