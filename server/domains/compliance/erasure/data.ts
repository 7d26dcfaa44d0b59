import { sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
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

/** Whether somebody's payment to or by this person may still end either way, or is still to be given back. */
export async function hasUndecidedPayments(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select('payments.id')
    .where((eb) => eb.or([eb('orders.buyer_id', '=', userId), eb('orders.creator_id', '=', userId)]))
    .where((eb) =>
      eb.or([eb('payments.status', 'in', UNDECIDED_STATUSES), eb('payments.stuck_at', 'is not', null)]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a custom request by or to this person is paid, and neither delivered nor given back. */
export async function hasUndeliveredRequests(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('custom_requests as request')
    .innerJoin('orders', (join) =>
      join.onRef('orders.item_id', '=', 'request.id').on('orders.kind', '=', 'custom'),
    )
    .select('request.id')
    .where((eb) => eb.or([eb('request.fan_id', '=', userId), eb('request.creator_id', '=', userId)]))
    .where('request.delivered_at', 'is', null)
    .where('orders.status', '=', 'paid')
    .where('orders.refunded_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a payout of this person is still to be decided, sent, or confirmed by the bank. */
export async function hasOpenPayout(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payouts')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', 'in', ['requested', 'approved', 'in_transit'])
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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
