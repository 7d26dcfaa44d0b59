import type { ErrorCode } from '../../../../contract/errors.ts'
import { can, isOperator, type Role } from '../../../../contract/permissions.ts'

/** Why this operator may not suspend the person, or with `suspend` false reinstate them; null when they may. */
export function suspensionRefusal(
  actor: { id: string; role: Role | null },
  person: { id: string; role: Role | null; suspendedAt: Date | null } | null,
  suspend: boolean,
): ErrorCode | null {
  if (!person) return 'user_not_found'
  if (person.id === actor.id) return 'suspend_yourself'
  // Without the permission to grant roles, nobody can take away an operator's role by suspending them.
  if (isOperator(person) && !can(actor, 'people.setRole')) return 'permission_required'
  if (suspend && person.suspendedAt) return 'already_suspended'
  if (!suspend && !person.suspendedAt) return 'not_suspended'
  return null
}
