import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { countingApproval, type GateVisitor } from '../data.ts'

/** Somebody's account by username or email address, whatever the case, with the operator's approval; or null. */
export async function findPerson(db: Db, person: string) {
  const wanted = person.toLowerCase().replace(/^@/, '')
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'age_approved_at'])
    .where((eb) => eb.or([eb(sql`lower(username)`, '=', wanted), eb('email', '=', wanted)]))
    .orderBy(sql`lower(username) = ${wanted}`, 'desc')
    .executeTakeFirst()
  return row ?? null
}

/** Who approved last, and why. */
export async function findApproval(db: Db, userId: string) {
  const row = await db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['users.username as by', 'audit_log.reason'])
    .where('target_kind', '=', 'user')
    .where('target_id', '=', userId)
    .where('action', '=', 'age.approved')
    .orderBy('audit_log.id', 'desc')
    .executeTakeFirst()
  return row ?? null
}

/** The approvals of a provider that count for this account now, newest first. */
export function listApprovals(
  db: Db,
  { userId, ...counting }: { userId: string } & Pick<GateVisitor, 'ageChecks' | 'now'>,
) {
  return db
    .selectFrom('age_verifications')
    .select(['provider', 'method', 'decided_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where(countingApproval(counting))
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute()
}
