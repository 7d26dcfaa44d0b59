import type { Tx } from './client.ts'

/**
 * Writes who did what, to what, when and why, into the log that can't be edited (docs/product.md, Records and moderation). `actorId` is null for
 * the operator's own commands, and for what the product does by itself. Inside the caller's transaction, so that the action and its record stand or fall together.
 */
export async function writeAudit(
  db: Tx,
  entry: {
    actorId: string | null
    /** In the past tense, by domain: `superadmin.created`. */
    action: string
    targetKind: string
    targetId: string
    reason: string
    /** What else must be known later; never a secret. */
    detail: Record<string, unknown>
    now: Date
  },
): Promise<string> {
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
