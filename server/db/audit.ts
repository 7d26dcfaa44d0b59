import { sql } from 'kysely'
import type { AuditAction, AuditTarget } from '../../contract/audit.ts'
import type { Tx } from './client.ts'

/** Who did what, to what, when and why. */
type Entry = {
  /** Null for the operator's own commands, and for what the product does by itself. */
  actorId: string | null
  action: AuditAction
  targetKind: AuditTarget
  targetId: string
  reason: string
  /** Further facts to be known later; never a secret. */
  detail: Record<string, unknown>
  now: Date
}

/**
 * Writes an entry into the log that can't be edited (docs/product.md, Records and moderation); returns its id. Inside the
 * caller's transaction, so that the action and its record stand or fall together.
 */
export async function writeAudit(db: Tx, entry: Entry): Promise<string> {
  const { id } = await db
    .insertInto('audit_log')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      target_kind: entry.targetKind,
      target_id: entry.targetId,
      reason: entry.reason,
      detail: JSON.stringify(entry.detail),
      occurred_at: entry.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes the same entry for each of any number of targets. */
export async function writeAuditEach(
  db: Tx,
  entry: Omit<Entry, 'targetId'> & { targetIds: string[] },
): Promise<void> {
  const { actorId, action, targetKind, targetIds, reason, detail, now } = entry
  await sql`
    insert into audit_log (actor_id, action, target_kind, target_id, reason, detail, occurred_at)
    select ${actorId}::uuid, ${action}, ${targetKind}, target_id, ${reason}, ${JSON.stringify(detail)}::jsonb,
      ${now}::timestamptz
    from unnest(${targetIds}::text[]) as target_id`.execute(db)
}
