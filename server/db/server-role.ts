import { sql } from 'kysely'
import type { Pool } from './client.ts'

/** Append-only tables: only the owner of the tables could change their rows. */
const APPEND_ONLY = [
  ...['journals', 'postings', 'payment_events', 'payout_events', 'audit_log'],
  ...['order_commissions', 'commissions_withheld'],
  ...['record_links', 'record_contents', 'kysely_migration', 'kysely_migration_lock'],
]
/** Of these the database alone writes rows, by triggers and functions of its own. */
const WRITTEN_BY_THE_DATABASE = [
  'record_links',
  'record_contents',
  'kysely_migration',
  'kysely_migration_lock',
]
/** Records whose state changes, but that never go. */
const NEVER_DELETED = [
  'payments',
  'refunds',
  'disputes',
  'payouts',
  'ledger_accounts',
  'findings',
  'settlements',
  'adjustments',
  'subreddit_affiliates',
]

const GRANTING = 'server_role'

/**
 * Lets a role do what the server does, and no more: it owns nothing, so that it can alter no table and switch off no trigger,
 * and what the books rest on it can only add to. Run by the owner after each migration, as new tables come with those.
 */
export async function grantServerRole(owner: Pool, role: string): Promise<void> {
  const to = sql.id(role)
  await owner.transaction().execute(async (tx) => {
    // Two processes that start at once would change the same rights.
    await sql`select pg_advisory_xact_lock(hashtext(${GRANTING}))`.execute(tx)
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx)
    for (const schema of [rows[0]?.schema ?? 'public', 'graphile_worker']) {
      const its = sql.id(schema)
      await sql`grant usage on schema ${its} to ${to}`.execute(tx)
      await sql`grant select, insert, update, delete, maintain on all tables in schema ${its} to ${to}`.execute(
        tx,
      )
      await sql`grant usage, select, update on all sequences in schema ${its} to ${to}`.execute(tx)
    }
    await sql`revoke update, delete on ${tables(APPEND_ONLY)} from ${to}`.execute(tx)
    await sql`revoke insert on ${tables(WRITTEN_BY_THE_DATABASE)} from ${to}`.execute(tx)
    await sql`revoke delete on ${tables(NEVER_DELETED)} from ${to}`.execute(tx)
    // The queue's tables show their rows to their owner alone, unless a policy says otherwise.
    const { rows: closed } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relkind = 'r' and relrowsecurity
        -- Making one again would lock the queue that other processes work on.
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = ${role})`.execute(
      tx,
    )
    for (const { name } of closed) {
      const table = sql.id('graphile_worker', name)
      await sql`create policy ${to} on ${table} to ${to} using (true) with check (true)`.execute(tx)
    }
  })
}

const tables = (names: string[]) => sql.join(names.map((name) => sql.id(name)))
