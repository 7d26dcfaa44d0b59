import { type Kysely, sql } from 'kysely'

/** The audit log is read newest first: all of it, and what one operator did, of one kind, of both, and about one thing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Conditions that every entry meets, and that a reading states to be given the index: along one of fewer columns than it
    -- has filters, it might pass by everything that is newer than what it looks for.
    create index audit_log_newest on audit_log (occurred_at, id) where target_id <> '';
    create index audit_log_action on audit_log (action, occurred_at, id) where target_kind <> '';
    drop index audit_log_actor;
    create index audit_log_actor on audit_log (actor_id, occurred_at, id) where target_kind <> '';
    create index audit_log_actor_action on audit_log (actor_id, action, occurred_at, id);
    -- Names of subreddits are written as they were typed.
    create index audit_log_about on audit_log (lower(target_id), occurred_at, id);
  `.execute(db)
}
