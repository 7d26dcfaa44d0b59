import { type Kysely, sql } from 'kysely'

/** Who is added to a shared code takes part only after they accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shared_code_participants add column accepted_at timestamptz;
    update shared_code_participants set accepted_at = created_at from shared_codes where shared_codes.id = code_id;
    create index shared_code_invitations on shared_code_participants (user_id) where accepted_at is null;
    -- Nobody chooses what others are mailed.
    update notifications set data = data - 'title' where kind = 'shared-code.changed';
    update notifications set data = data || '{"state": "invited"}'
      where kind = 'shared-code.changed' and data ->> 'state' = 'added';
  `.execute(db)
}
