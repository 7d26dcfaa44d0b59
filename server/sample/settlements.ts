import { sql } from 'kysely'
import type { Tx } from '../db/client.ts'
import { postSettlement } from '../domains/commerce/ledger/actions.ts'

const HOUR_MS = 3600 * 1000

/** The batch of each day of sales, at the bank account since the morning after; those of today are still with the gateway. */
export async function insertSettlements(db: Tx, now: Date): Promise<void> {
  const { rows: days } = await sql<{ settled_at: Date; cents: number }>`
    select date_trunc('day', decided_at, 'UTC') + interval '1 day' as settled_at, sum(amount_cents)::bigint as cents
    from payments where status in ('captured', 'disputed') group by 1 order by 1`.execute(db)
  for (const { settled_at, cents } of days) {
    const comparedAt = new Date(settled_at.getTime() + 6 * HOUR_MS)
    if (comparedAt > now) continue
    const { id: settlementId } = await db
      .insertInto('settlements')
      .values({
        batch_id: `sample-${settled_at.toISOString().slice(0, 10)}`,
        settled_at,
        charged_cents: cents,
        refunded_cents: 0,
        charged_back_cents: 0,
        own_charged_cents: cents,
        own_refunded_cents: 0,
        compared_at: comparedAt,
        posted_at: comparedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await postSettlement(db, { settlementId, netCents: cents, ownNetCents: cents, now: comparedAt })
  }
}
