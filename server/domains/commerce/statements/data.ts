import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Movement } from './rules.ts'

/** The months of UTC in which a person's balance moved, the first one first, with what each changed. */
export async function findMonths(db: Db, userId: string): Promise<{ month: string; netCents: number }[]> {
  return db
    .selectFrom('ledger_months')
    .where('user_id', '=', userId)
    .select([
      sql<string>`to_char(month, 'YYYY-MM')`.as('month'),
      sql<number>`sum(net_cents)::bigint`.as('netCents'),
    ])
    .groupBy('ledger_months.month')
    .orderBy('ledger_months.month')
    .execute()
}

/** The movements of a person's balance in that month. */
export function findMovements(db: Db, userId: string, month: string): Promise<Movement[]> {
  return db
    .selectFrom('ledger_months')
    .where('user_id', '=', userId)
    .where('month', '=', sql<Date>`${`${month}-01`}::date`)
    .select(['source', 'movement', 'entries'])
    .select(['gross_cents as grossCents', 'fee_cents as feeCents', 'net_cents as netCents'])
    .orderBy('source')
    .orderBy('movement')
    .execute()
}

export type Holder = { id: string; username: string; first_name: string; last_name: string | null }

/** The person of the statement, by id or by username; undefined if there is nobody. */
export function findHolder(
  db: Db,
  of: { userId: string } | { username: string },
): Promise<Holder | undefined> {
  const people = db.selectFrom('users').select(['id', 'username', 'first_name', 'last_name'])
  return (
    'userId' in of
      ? people.where('id', '=', of.userId)
      : people.where(sql<string>`lower(username)`, '=', of.username.toLowerCase())
  ).executeTakeFirst()
}
