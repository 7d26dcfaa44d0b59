import { type RawBuilder, sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { needsAccount } from '../../commerce/payouts/data.ts'
import { findCustomers } from '../../media/entitlements/data.ts'
import { listStoredOf } from '../../media/versions/data.ts'

/** Accounts whose deletion is due and not done, those that a crash interrupted included. */
export async function findDueDeletions(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('erased_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .execute()
  return rows.map((row) => row.user_id)
}

/** Everything that a person has in the store and that goes: media, uploads that are under way. */
export async function findStored(
  db: Db,
  userId: string,
): Promise<{ storageIds: string[]; uploadIds: string[] }> {
  const storageIds = await listStoredOf(db, userId)
  const uploads = await db.selectFrom('uploads').select('id').where('owner_id', '=', userId).execute()
  return { storageIds, uploadIds: uploads.map(({ id }) => id) }
}

/** Everybody who holds something of this creator's now. */
export async function findBuyers(db: Db, creatorId: string, now: Date): Promise<string[]> {
  const customers = await findCustomers(db, creatorId, now)
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('hidden_at', 'is', null)
    .where('id', '=', sql<string>`any(${customers}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Why an account can't be erased yet: a `payment` to or by its person whose outcome is open or that is still to be
 * refunded, a `dispute` over a custom request that isn't delivered, a custom `request` that is paid and neither
 * delivered nor refunded, or a `payout` that is open, or ended unpaid within 7 days (decision 068).
 */
export type Hold = 'payment' | 'dispute' | 'request' | 'payout'

/** The reason why this account can't be erased now; null when there is none. */
export async function findHold(db: Db, userId: string, now: Date): Promise<Hold | null> {
  const { rows } = await sql<{ hold: Hold | null }>`
    select ${holdOf(sql`${userId}::uuid`, now)} as hold`.execute(db)
  return rows[0]?.hold ?? null
}

/** How many accounts that are due each of them holds. */
export async function countHeld(db: Db, now: Date): Promise<Partial<Record<Hold, number>>> {
  const { rows } = await sql<{ hold: Hold; count: number }>`
    select hold, count(*)::int as count
    from account_deletions, lateral (select ${holdOf(sql`account_deletions.user_id`, now)} as hold) as held
    where erased_at is null and due_at <= ${now} and hold is not null group by hold`.execute(db)
  return Object.fromEntries(rows.map(({ hold, count }) => [hold, count]))
}

/** Conditions under which the account named by this can't be erased. */
function holdOf(user: RawBuilder<unknown>, now: Date) {
  const request = (isSo: RawBuilder<boolean>) => sql`exists (
      select from custom_requests as request join orders on orders.item_id = request.id and orders.kind = 'custom'
      where (request.fan_id = ${user} or request.creator_id = ${user}) and request.delivered_at is null
        and orders.status = 'paid' and orders.refunded_at is null and ${isSo}
    )`
  const isDisputed = sql<boolean>`exists (select from payments where payments.id = orders.paid_by and status = 'disputed')`
  return sql`case
    when exists (
      select from payments join orders on orders.id = payments.order_id
      where (orders.buyer_id = ${user} or orders.creator_id = ${user})
        and (payments.status in (${sql.join(UNDECIDED_STATUSES)}) or payments.stuck_at is not null)
    ) then 'payment'
    when ${request(isDisputed)} then 'dispute'
    when ${request(sql`true`)} then 'request'
    when ${needsAccount(user, now)} then 'payout'
  end`
}

/** A column that names a person; `owner` when its rows are that person's, and go with them. */
export type Reference = { table: string; column: string; owner: boolean }

/**
 * Every column of these tables that names a person, as the database itself knows it. Rows are a person's when they
 * would be deleted with the account, or can't be without it.
 */
export async function findReferences(db: Db, tables: string[]): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select source.relname as table, attribute.attname as column, 
      (confdeltype = 'c' or (confdeltype <> 'n' and attribute.attnotnull)) as owner
    from pg_constraint
      join pg_class source on source.oid = conrelid
      join pg_attribute attribute on attribute.attrelid = conrelid and attribute.attnum = conkey[1]
    where contype = 'f' and confrelid = 'users'::regclass and source.relname = any(${tables}::text[])
    order by 1, 2`.execute(db)
  return rows
}
