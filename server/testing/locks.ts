import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** How many queries on this database wait for a row or table that another transaction has locked; with a table, those that name it. */
export async function waitingForLocks(db: Db, table = ''): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple', 'relation')
      and position(${table} in query) > 0
  `.execute(db)
  return rows[0]?.count ?? 0
}
