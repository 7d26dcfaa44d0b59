import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { REASONS } from '../payments/rules.ts'
import { listCompared } from './data.ts'
import { comparedSince, comparedUntil, type Difference, differences } from './rules.ts'

/**
 * Compares our payments with what the gateway lists as charged, and keeps each difference as a finding until it is gone. A
 * charge that we said was not made is looked up again, which pays its order or gives the money back.
 */
export async function comparePayments({ db, clock, log, payments }: Context): Promise<void> {
  const now = clock.now()
  const since = comparedSince(now)
  const listed = await payments.listCharges(since)
  if (listed.kind === 'unavailable') {
    log.error({ detail: listed.detail }, 'the gateway’s charges could not be compared')
    return
  }
  const references = listed.charges.map(({ reference }) => reference)
  const found = differences(
    listed.charges,
    await listCompared(db, { since, until: comparedUntil(now), references }),
  )
  await db.transaction().execute(async (tx) => {
    await recordFindings(tx, found, now)
    await resolveFindings(tx, now)
  })
  if (found.length > 0) log.error({ found: found.length }, 'payments differ from what the gateway charged')
}

/** Keeps each difference as a finding, once for as long as it is seen. */
export async function recordFindings(db: Tx, found: Difference[], now: Date): Promise<void> {
  for (const { kind, paymentId, transactionId, amountCents } of found) {
    await db
      .insertInto('findings')
      .values({
        kind,
        payment_id: paymentId,
        gateway_transaction_id: transactionId,
        amount_cents: amountCents,
        found_at: now,
        seen_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'gateway_transaction_id'])
          .where('resolved_at', 'is', null)
          .doUpdateSet({ seen_at: now }),
      )
      .execute()
    if (kind === 'charge_not_recorded' && paymentId) await lookUpAgain(db, paymentId, transactionId)
  }
}

/** What was not seen in this comparison is explained. */
async function resolveFindings(db: Tx, now: Date): Promise<void> {
  await db
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('resolved_at', 'is', null)
    .where('seen_at', '<', now)
    .execute()
}

/** A charge of which the number is known is due for recovery, however long ago it was called not made. */
async function lookUpAgain(db: Tx, paymentId: string, transactionId: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ gateway_transaction_id: transactionId, lookups: sql<number>`least(lookups, 3)` })
    .where('id', '=', paymentId)
    .where('status', '=', 'refused')
    .where('reason', '=', REASONS.notCharged)
    .execute()
}
