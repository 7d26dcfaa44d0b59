import { type Role, rolesWith } from '../../../../contract/permissions.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'

/**
 * Gives a person a role, or with null none, and records it; `actorId` is null for the operator's own command. Throws
 * `user_not_found`, and `last_superadmin` where nobody could hand out roles anymore.
 */
export async function setRole(
  db: Tx,
  change: { actorId: string | null; userId: string; role: Role | null; reason: string; now: Date },
): Promise<void> {
  const { actorId, userId, role, reason, now } = change
  if (role === null || !rolesWith('people.setRole').includes(role)) await keepRoleManager(db, userId)
  const person = await db
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .where('deletion_requested_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!person) throw new AppError('user_not_found')
  await db.updateTable('users').set({ role }).where('id', '=', userId).execute()
  await writeAudit(db, {
    actorId,
    action: 'user.role_set',
    targetKind: 'user',
    targetId: userId,
    reason,
    detail: { from: person.role, to: role },
    now,
  })
}

/**
 * Throws `last_superadmin` when nobody but this person could hand out roles. All who can are locked in one order, so
 * that two of them can't leave at the same moment; sales and whatever else names one of them go on.
 */
export async function keepRoleManager(db: Tx, userId: string): Promise<void> {
  const managers = await db
    .selectFrom('users')
    .select(['id', 'hidden_at', 'email_verified_at'])
    .where('role', 'in', rolesWith('people.setRole'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (!managers.some(({ id }) => id === userId)) return
  const others = managers.filter(
    ({ id, hidden_at, email_verified_at }) =>
      id !== userId && hidden_at === null && email_verified_at !== null,
  )
  if (others.length === 0) throw new AppError('last_superadmin')
}
