import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** How many queries on this database wait for a row or table that another transaction has locked; only those that name a table. */
export async function waitingForLocks(db: Db, table = ''): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple', 'relation')
      and position(${table} in query) > 0
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** How many other queries on this database are under way that name this table. */
export async function underWay(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
      and position(${table} in query) > 0
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** How many queries on this database wait for a turn that another transaction has: an advisory lock. */
export async function waitingForTurns(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0]?.count ?? 0
}
