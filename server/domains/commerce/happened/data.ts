import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Something that happened by itself: how often, and how much of it in cents, null where no money moved. */
export type Happening = { what: string; count: number; cents: number | null }

/** Renewals, released shares and settled batches after `from`, up to and including `until`. */
export async function listHappened(
  db: Db,
  { from, until }: { from: Date; until: Date },
): Promise<Happening[]> {
  const within = (column: string) => sql`${sql.ref(column)} > ${from} and ${sql.ref(column)} <= ${until}`
  const { rows } = await sql<Happening>`
    select 'Renewals charged' as what, count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents
      from payments where off_session and status in ('captured', 'refunded', 'disputed') and ${within('decided_at')}
    union all
    select 'Renewals declined', count(*)::int, null
      from payments where off_session and status = 'declined' and ${within('decided_at')}
    union all
    select 'Subscriptions that ended', count(*)::int, null
      from subscriptions where status in ('canceled', 'expired') and ${within('ended_at')}
    union all
    select 'Earnings that became available', count(*)::int, coalesce(-sum(amount_cents), 0)::bigint
      from postings join journals on journals.id = journal_id
        join ledger_accounts as account on account.id = account_id
      where journals.kind = 'release' and account.kind in ('creator_available', 'referrer_available')
        and ${within('occurred_at')}
    union all
    select 'Batches settled', count(*)::int, coalesce(sum(charged_cents - refunded_cents - charged_back_cents), 0)::bigint
      from settlements where ${within('posted_at')}
    union all
    select 'Differences found', count(*)::int, null from findings where ${within('found_at')}`.execute(db)
  return rows
}
