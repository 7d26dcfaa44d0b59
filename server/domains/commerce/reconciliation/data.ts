import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { AFTER_ALL, BATCH_KINDS, type ComparedPayment } from './rules.ts'

const columns = (until: Date) =>
  [
    'id',
    'reference',
    'status',
    'amount_cents as amountCents',
    'gateway_transaction_id as transactionId',
    'submitted_at as submittedAt',
    sql<boolean>`exists (select from disputes where payment_id = payments.id)`.as('isDisputed'),
    sql<boolean>`(status = 'voided' and status_at <= ${until})`.as('isVoided'),
  ] as const

/**
 * Payments that were sent since then and captured before `until`, and those that the gateway names by their references:
 * what was captured while its list was read is not on it yet.
 */
export async function listCompared(
  db: Db,
  { since, until, references }: { since: Date; until: Date; references: string[] },
): Promise<ComparedPayment[]> {
  const captured = await db
    .selectFrom('payments')
    .select(columns(until))
    .where('status', 'in', ['captured', 'disputed'])
    .where('decided_at', '>=', since)
    .where('decided_at', '<=', until)
    .where('submitted_at', '>=', since)
    .execute()
  const named = await db
    .selectFrom('payments')
    .select(columns(until))
    // As one parameter: a statement has 65,535 at most, and days may have more charges.
    .where('reference', '=', sql<string>`any(${references}::text[])`)
    .execute()
  return [...new Map([...captured, ...named].map((payment) => [payment.id, payment])).values()]
}

/** The open differences, oldest first; those of batches before those of what they hold, which may be more than are listed. */
export function listFindings(db: Db) {
  return db
    .selectFrom('findings')
    .leftJoin('payments', 'payments.id', 'findings.payment_id')
    .leftJoin('users as owner', 'owner.id', 'owner_id')
    .select(['owner.id as ownerId', 'owner.username as ownerName'])
    .select([
      'findings.id',
      'findings.kind',
      'findings.gateway_transaction_id',
      'findings.amount_cents',
      'findings.found_at',
      'payments.order_id',
    ])
    .where('resolved_at', 'is', null)
    .where('findings.livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy((eb) => eb('findings.kind', 'in', [...BATCH_KINDS, AFTER_ALL]), 'desc')
    .orderBy('found_at')
    .orderBy('findings.id')
    .limit(500)
    .execute()
}

/** SQL of when the oldest open difference was found; null where none is. */
export const findingsSince = sql<Date | null>`(
  select min(found_at) from findings where resolved_at is null and livemode = installation_livemode())`

/** Whether anything found still differs in money of the kind that this installation takes, live or the sandbox's. */
export async function hasOpenFindings(db: Db): Promise<boolean> {
  const open = await db
    .selectFrom('findings')
    .select('id')
    .where('resolved_at', 'is', null)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
