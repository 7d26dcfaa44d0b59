import { sql } from 'kysely'
import type { Business } from './business.ts'

/**
 * Suspends the referrer of a charge that is in doubt, for as long as `work` takes: where it is found to be approved
 * meanwhile, it pays them nothing.
 */
export async function whileSuspended(business: Business, work: () => Promise<void>): Promise<void> {
  const { db } = business.harness.context
  const now = business.harness.clock.now()
  const { rows } = await sql<{ id: string }>`
    update users set suspended_at = ${now}, suspension_reason = 'Checked' where id = (
      select referrer_id from payments join order_commissions using (order_id)
      where payments.status in ('held', 'unknown') order by referrer_id limit 1) returning id`.execute(db)
  await work()
  for (const { id } of rows)
    await db
      .updateTable('users')
      .set({ suspended_at: null, suspension_reason: null })
      .where('id', '=', id)
      .execute()
}
