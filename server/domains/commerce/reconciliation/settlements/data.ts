import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../../db/cursor.ts'
import type { Own } from './rules.ts'

/** When the oldest batch that differs and the last one were settled, and the first charge was made; sample sales were at no gateway. */
export async function findSettled(db: Db) {
  const live = sql<boolean>`livemode = installation_livemode() and batch_id not like 'sample-%'`
  const { rows } = await sql<{ differing: Date | null; last: Date | null; firstCharge: Date | null }>`
    select (select min(settled_at) from settlements where posted_at is null and ${live}) as differing,
      (select max(settled_at) from settlements where ${live}) as last,
      (select min(submitted_at) from payments where status in ('captured', 'disputed', 'refunded')
        and reference not like 'sample-%') as "firstCharge"`.execute(db)
  return rows[0] ?? { differing: null, last: null, firstCharge: null }
}

/** Which of these batches are posted already. */
export async function findPosted(db: Db, batchIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('settlements')
    .select('batch_id')
    .where('batch_id', '=', sql<string>`any(${batchIds})`)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .where('posted_at', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.batch_id))
}

/** What our payments and refunds of these transactions come to; what was voided was never settled. */
export async function findOwn(db: Db, transactionIds: string[]): Promise<Own> {
  const { rows } = await sql<Own>`
    select
      (select coalesce(sum(amount_cents), 0) from payments
        where gateway_transaction_id = any(${transactionIds}) and status in ('captured', 'disputed', 'refunded'))::bigint
        as "chargedCents",
      (select coalesce(sum(amount_cents), 0) from refunds
        where gateway_transaction_id = any(${transactionIds}) and status = 'refunded')::bigint as "refundedCents"`.execute(
    db,
  )
  return rows[0] ?? { chargedCents: 0, refundedCents: 0 }
}

/** Settled batches, the latest first, one row more than the page holds. */
export function listSettlements(db: Db, page: PageRequest) {
  const { cursor } = page
  let rows = db
    .selectFrom('settlements')
    .selectAll()
    .select((eb) => sql<string>`${positionOf(eb.ref('settled_at'), eb.ref('id'))}`.as('position'))
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('settled_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (cursor !== undefined) rows = rows.where((eb) => after(cursor, eb.ref('settled_at'), eb.ref('id')))
  return rows.execute()
}
