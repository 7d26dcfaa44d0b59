import { type Insertable, sql } from 'kysely'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import type { AdjustedAccount, LedgerTables } from '../../../db/tables/commerce/ledger.ts'
import { AppError, violates } from '../../../errors.ts'
import { isHolder, isThereAnother } from '../../identity/roles/data.ts'
import { postAdjustment } from '../ledger/actions.ts'
import { adjustmentRow } from './data.ts'
import { decisionRefusal, isDatedBy } from './rules.ts'

type Acting = { actorId: string; reason: string; now: Date }
type Wanted = Acting & {
  from: AdjustedAccount
  to: AdjustedAccount
  cents: number
  /** The document's own number, and its day. */
  reference: string
  date: string
  /** They know that it is posted at once where nobody else could approve it. */
  alone: boolean
}

/**
 * Enters an adjustment of the books, which waits for a second person, or is posted at once where nobody else could approve it
 * (decision 061). Throws `adjustment_date`, `adjustment_entered`, and `adjustment_alone` for who doesn't know the latter.
 */
export async function proposeAdjustment(db: Tx, wanted: Wanted) {
  const { from, to, cents, reference, date, actorId, reason, now } = wanted
  if (!isDatedBy(date, now)) throw new AppError('adjustment_date')
  const id = await insert(db, {
    ...{ from_account: from, to_account: to, amount_cents: cents, reference, dated: date },
    ...{ reason, proposed_by: actorId, proposed_at: now },
  })
  if (await isThereAnother(db, 'ledger.adjust', [actorId])) {
    await audit(db, id, 'proposed', { ...wanted, detail: { from, to, cents, reference, date } })
  } else {
    if (!wanted.alone) throw new AppError('adjustment_alone')
    await postProposed(db, id, wanted)
  }
  return adjustmentRow(db, id)
}

/** Approves what another operator proposed, which posts it, or declines it. Throws `adjustment_not_found` and what `decisionRefusal` says. */
export async function decideAdjustment(
  db: Tx,
  wanted: Acting & { adjustmentId: string; decision: 'approve' | 'decline' },
) {
  const { adjustmentId, decision, actorId } = wanted
  const adjustment = await db
    .selectFrom('adjustments')
    .select(['id', 'status', 'proposed_by', 'reference'])
    .where('id', '=', adjustmentId)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate()
    .executeTakeFirst()
  if (!adjustment) throw new AppError('adjustment_not_found')
  const { proposed_by: proposedBy, reference } = adjustment
  const refused = decisionRefusal(adjustment, {
    ...{ decision, actorId },
    isThereAnother: await isThereAnother(db, 'ledger.adjust', [proposedBy]),
    isProposerThere: await isHolder(db, 'ledger.adjust', proposedBy),
  })
  if (refused) throw new AppError(refused)
  if (decision === 'approve') await postProposed(db, adjustmentId, wanted)
  else {
    await setStatus(db, adjustmentId, 'declined', wanted)
    await audit(db, adjustmentId, 'declined', { ...wanted, detail: { reference, proposedBy } })
  }
  return adjustmentRow(db, adjustmentId)
}

async function postProposed(db: Tx, id: string, by: Acting): Promise<void> {
  await setStatus(db, id, 'posted', by)
  const row = await adjustmentRow(db, id)
  const { from_account: from, to_account: to, amount_cents: cents, reference, dated: date } = row
  await postAdjustment(db, { adjustmentId: id, from, to, cents, now: by.now })
  const detail = { from, to, cents, reference, date, proposedBy: row.proposerId }
  await audit(db, id, 'posted', { ...by, detail })
}

async function insert(db: Tx, values: Insertable<LedgerTables['adjustments']>): Promise<string> {
  try {
    const { id } = await db.insertInto('adjustments').values(values).returning('id').executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw violates(error, 'adjustments_reference') ? new AppError('adjustment_entered') : error
  }
}

async function setStatus(
  db: Tx,
  id: string,
  status: 'posted' | 'declined',
  { actorId, reason, now }: Acting,
): Promise<void> {
  await db
    .updateTable('adjustments')
    .set({ status, decided_by: actorId, decided_at: now, decision_reason: reason })
    .where('id', '=', id)
    .execute()
}

async function audit(
  db: Tx,
  id: string,
  status: 'proposed' | 'posted' | 'declined',
  { actorId, reason, now, detail }: Acting & { detail: Record<string, unknown> },
): Promise<void> {
  const target = { targetKind: 'adjustment' as const, targetId: id }
  await writeAudit(db, { actorId, action: `adjustment.${status}`, ...target, reason, detail, now })
}
