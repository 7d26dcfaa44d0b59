import type { Tx } from './client.ts'

/** Who did what, to what, when and why. */
type Entry = {
  /** Null for the operator's own commands, and for what the product does by itself. */
  actorId: string | null
  /** In the past tense, by domain: `superadmin.created`. */
  action: string
  targetKind: string
  targetId: string
  reason: string
  /** What else must be known later; never a secret. */
  detail: Record<string, unknown>
  now: Date
}

/**
 * Writes an entry into the log that can't be edited (docs/product.md, Records and moderation); returns its id. Inside the
 * caller's transaction, so that the action and its record stand or fall together.
 */
export async function writeAudit(db: Tx, entry: Entry): Promise<string> {
  const { id } = await insertEach(db, [entry]).executeTakeFirstOrThrow()
  return id
}

/** Writes several entries, as `writeAudit` does each. */
export async function writeAuditEach(db: Tx, entries: Entry[]): Promise<void> {
  if (entries.length > 0) await insertEach(db, entries).execute()
}

function insertEach(db: Tx, entries: Entry[]) {
  return db
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        actor_id: entry.actorId,
        action: entry.action,
        target_kind: entry.targetKind,
        target_id: entry.targetId,
        reason: entry.reason,
        detail: JSON.stringify(entry.detail),
        occurred_at: entry.now,
      })),
    )
    .returning('id')
}
