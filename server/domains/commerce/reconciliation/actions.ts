import { sql } from 'kysely'
import type { AuditAction } from '../../../../contract/audit.ts'
import type { Context } from '../../../context.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { REASONS } from '../payments/rules.ts'
import { isGivenElsewhere } from '../refunds/data.ts'
import { listCompared } from './data.ts'
import {
  comparedSince,
  comparedUntil,
  type Difference,
  differences,
  type FindingKind,
  isExplained,
  listedSince,
} from './rules.ts'

/**
 * Compares our payments with what the gateway lists as charged, and keeps each difference as a finding until it is gone. A
 * charge that we said was not made is looked up again, which pays its order or gives the money back.
 */
export async function comparePayments({ db, clock, log, payments }: Context): Promise<void> {
  const now = clock.now()
  const since = comparedSince(now)
  const listed = await payments.listCharges(listedSince(now))
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
    await resolveExplained(tx, { since, until: comparedUntil(now) }, now)
  })
  if (found.length > 0) log.error({ found: found.length }, 'payments differ from what the gateway charged')
}

/** Keeps each difference as a finding, once for as long as it is seen. */
export async function recordFindings(db: Tx, found: Difference[], now: Date): Promise<void> {
  for (const difference of found) {
    const { kind, paymentId, transactionId, amountCents, chargedAt } = difference
    if (await isResolvedByHand(db, difference)) continue
    await db
      .insertInto('findings')
      .values({
        kind,
        payment_id: paymentId,
        gateway_transaction_id: transactionId,
        amount_cents: amountCents,
        charged_at: chargedAt,
        found_at: now,
        seen_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'gateway_transaction_id'])
          .where('resolved_at', 'is', null)
          .doUpdateSet({ seen_at: now, amount_cents: amountCents }),
      )
      .execute()
    if (kind === 'charge_not_recorded' && paymentId) await lookUpAgain(db, paymentId, transactionId)
  }
}

/**
 * What was found of a refund at the gateway isn't so anymore, as it was voided there, or made after all: nothing differs by it.
 * Returns whether somebody here took care of it meanwhile.
 */
export async function noteOver(
  db: Tx,
  kinds: FindingKind[],
  transactionId: string,
  now: Date,
): Promise<boolean> {
  const over = await db
    .updateTable('findings')
    .set({ unmade_at: now, resolved_at: sql<Date>`coalesce(resolved_at, ${now})` })
    .where('kind', 'in', kinds)
    .where('gateway_transaction_id', '=', transactionId)
    .where('unmade_at', 'is', null)
    .returning('owner_id')
    .execute()
  return over.some(({ owner_id }) => owner_id !== null)
}

/** Charges that the gateway listed nowhere, as their batch had failed, and has settled since. */
export async function resolveSettled(db: Tx, chargeIds: string[], now: Date): Promise<void> {
  await db
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('kind', '=', 'payment_without_charge')
    .where('gateway_transaction_id', '=', sql<string>`any(${chargeIds}::text[])`)
    .where('resolved_at', 'is', null)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .execute()
}

/**
 * Whether an operator called just this difference resolved, so that it isn't found again every day; what they said of a refund
 * before it was voided there, or made after all, doesn't count from then on.
 */
export async function isResolvedByHand(
  db: Tx,
  { kind, transactionId, amountCents }: Difference,
): Promise<boolean> {
  const resolved = await db
    .selectFrom('findings')
    .select('id')
    .where('kind', '=', kind)
    .where('gateway_transaction_id', '=', transactionId)
    .where('amount_cents', 'is not distinct from', amountCents)
    .where('resolved_by', 'is not', null)
    .where('unmade_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return resolved !== undefined
}

async function resolveExplained(db: Tx, compared: { since: Date; until: Date }, now: Date): Promise<void> {
  const unseen = await db
    .selectFrom('findings')
    .leftJoin('payments', 'payments.id', 'payment_id')
    .select(['findings.id', 'kind', 'charged_at as chargedAt', 'payments.status'])
    .select(
      sql<boolean>`exists (select from disputes where disputes.payment_id = payments.id)`.as('isDisputed'),
    )
    .select(isGivenElsewhere(sql.ref('payments.id')).as('isSentElsewhere'))
    .where('resolved_at', 'is', null)
    .where('seen_at', '<', now)
    .where('findings.livemode', '=', sql<boolean>`installation_livemode()`)
    .execute()
  const explained = unseen.filter((finding) => isExplained(finding, compared)).map(({ id }) => id)
  await db
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('id', '=', sql<string>`any(${explained}::uuid[])`)
    .where('resolved_at', 'is', null)
    .execute()
}

type Decision = { findingId: string; actorId: string; now: Date }

/** Makes an operator the one who takes care of a finding, in place of who did. Throws as `lockOpen` does. */
export async function takeFinding(db: Tx, { findingId, actorId, now }: Decision): Promise<void> {
  const { owner_id: before } = await lockOpen(db, findingId)
  if (before === actorId) return
  await db.updateTable('findings').set({ owner_id: actorId }).where('id', '=', findingId).execute()
  await audit(db, {
    action: 'finding.taken',
    findingId,
    actorId,
    reason: 'Took it over',
    now,
    detail: { before },
  })
}

/**
 * Ends a finding that an operator has explained outside, so that payouts go on; the same difference isn't found again.
 * Throws as `lockOpen` does.
 */
export async function resolveFinding(
  db: Tx,
  { findingId, actorId, reason, now }: Decision & { reason: string },
): Promise<void> {
  const { kind, gateway_transaction_id, amount_cents, owner_id } = await lockOpen(db, findingId)
  await db
    .updateTable('findings')
    .set({ resolved_at: now, resolved_by: actorId, owner_id: owner_id ?? actorId })
    .where('id', '=', findingId)
    .execute()
  const detail = { kind, gatewayTransactionId: gateway_transaction_id, amountCents: amount_cents }
  await audit(db, { action: 'finding.resolved', findingId, actorId, reason, now, detail })
}

/** Throws `not_found`, and `finding_resolved` for one that isn't open anymore. */
async function lockOpen(db: Tx, findingId: string) {
  const finding = await db
    .selectFrom('findings')
    .selectAll()
    .where('id', '=', findingId)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate()
    .executeTakeFirst()
  if (!finding) throw new AppError('not_found')
  if (finding.resolved_at) throw new AppError('finding_resolved')
  return finding
}

function audit(
  db: Tx,
  {
    findingId,
    ...entry
  }: Decision & { action: AuditAction; reason: string; detail: Record<string, unknown> },
) {
  return writeAudit(db, { ...entry, targetKind: 'finding', targetId: findingId })
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
