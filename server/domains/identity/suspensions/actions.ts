import type { AuditAction } from '../../../../contract/audit.ts'
import type { Role } from '../../../../contract/permissions.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { tell } from '../actions.ts'
import { keepRoleManager } from '../roles/actions.ts'
import { revokeSessions } from '../sessions/actions.ts'
import { suspensionRefusal } from './rules.ts'

export type Decision = {
  actor: { id: string; role: Role | null }
  userId: string
  reason: string
  now: Date
}

/**
 * Suspends an account and ends its sessions, and with them every media link that is bound to one; the person is told that
 * it is so, and the log says why. Waits for sales that pay its person a commission in this moment. Throws what
 * `suspensionRefusal` says, and `last_superadmin`.
 */
export async function suspendPerson(db: Tx, decision: Decision): Promise<void> {
  const { actor, userId, reason, now } = decision
  await keepRoleManager(db, userId)
  await lockPerson(db, decision, true)
  await db
    .updateTable('users')
    .set({ suspended_at: now, suspended_by: actor.id, suspension_reason: reason })
    .where('id', '=', userId)
    .execute()
  await revokeSessions(db, { userId, keep: null })
  await tell(db, { kind: 'account.suspended', person: userId, data: { ended: false } })
  await audit(db, 'user.suspended', decision)
}

/** Ends a suspension; who wanted to be deleted meanwhile stays hidden. Throws what `suspensionRefusal` says. */
export async function reinstatePerson(db: Tx, decision: Decision): Promise<void> {
  await lockPerson(db, decision, false)
  await db
    .updateTable('users')
    .set({ suspended_at: null, suspended_by: null, suspension_reason: null })
    .where('id', '=', decision.userId)
    .execute()
  await tell(db, { kind: 'account.suspended', person: decision.userId, data: { ended: true } })
  await audit(db, 'user.reinstated', decision)
}

async function lockPerson(db: Tx, { actor, userId }: Decision, suspend: boolean): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select(['id', 'role', 'suspended_at as suspendedAt'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  const refused = suspensionRefusal(actor, person ?? null, suspend)
  if (refused) throw new AppError(refused)
}

async function audit(db: Tx, action: AuditAction, { actor, userId, reason, now }: Decision): Promise<void> {
  const target = { targetKind: 'user' as const, targetId: userId }
  await writeAudit(db, { actorId: actor.id, action, ...target, reason, detail: {}, now })
}
