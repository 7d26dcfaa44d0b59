import type { AuditAction } from '../../../../contract/audit.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { AgeResult } from '../../../ports/age/port.ts'
import { setAgeApproval } from '../../identity/actions.ts'

/** How long an undecided check, or one whose approval is over, is remembered. */
const KEPT_MS = 30 * 24 * 3600 * 1000

/** Opens a check of the account when there is one, else of the visit; returns its id. */
export async function openCheck(
  db: Tx,
  check: { userId: string | null; visitId: string; provider: string; now: Date },
): Promise<string> {
  const { id } = await db
    .insertInto('age_verifications')
    .values({
      user_id: check.userId,
      visit_id: check.userId ? null : check.visitId,
      provider: check.provider,
      created_at: check.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Keeps how a check ended. It ends once: whatever arrives again, by webhook or with the visitor, changes nothing.
 * Throws `age_result_invalid` for a check that is not ours.
 */
export async function recordResult(db: Tx, outcome: AgeResult, now: Date) {
  const { checkId, result, method, expiresAt } = outcome
  await db
    .updateTable('age_verifications')
    .set({ result, method, expires_at: expiresAt, decided_at: now })
    .where('id', '=', checkId)
    .where('decided_at', 'is', null)
    .execute()
  const check = await db
    .selectFrom('age_verifications')
    .select(['user_id', 'visit_id', 'result', 'expires_at'])
    .where('id', '=', checkId)
    .executeTakeFirst()
  if (!check?.result) throw new AppError('age_result_invalid')
  return { userId: check.user_id, visitId: check.visit_id, result: check.result, expiresAt: check.expires_at }
}

/** The operator vouches for a person's age. Throws `user_not_found`. */
export async function approveAge(db: Tx, adminAction: AdminAction): Promise<void> {
  if (!(await setAgeApproval(db, { userId: adminAction.userId, approvedAt: adminAction.now })))
    throw new AppError('user_not_found')
  await audit(db, 'age.approved', adminAction)
}

/** Takes back the operator's approval and every provider's for this account. Throws `user_not_found`. */
export async function revokeAge(db: Tx, adminAction: AdminAction): Promise<void> {
  if (!(await setAgeApproval(db, { userId: adminAction.userId, approvedAt: null })))
    throw new AppError('user_not_found')
  await db
    .updateTable('age_verifications')
    .set({ revoked_at: adminAction.now })
    .where('user_id', '=', adminAction.userId)
    .where('revoked_at', 'is', null)
    .execute()
  await audit(db, 'age.revoked', adminAction)
}

export type AdminAction = { actorId: string; userId: string; reason: string; now: Date }

async function audit(
  db: Tx,
  action: AuditAction,
  { actorId, userId, reason, now }: AdminAction,
): Promise<void> {
  await writeAudit(db, { actorId, action, targetKind: 'user', targetId: userId, reason, detail: {}, now })
}

/** Forgets what no longer counts. */
export async function sweepChecks(db: Tx, now: Date): Promise<void> {
  await db
    .deleteFrom('age_verifications')
    .where((eb) => eb(eb.fn.coalesce('expires_at', 'created_at'), '<', new Date(now.getTime() - KEPT_MS)))
    .execute()
}
