import { type Kysely, sql } from 'kysely'

/** Tables and columns of re-authentication get the standard names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions rename column proven_at to reauthenticated_at;
    alter table proof_challenges rename to authentication_challenges;
    alter index proof_challenges_user rename to authentication_challenges_user;
    alter index proof_challenges_expiry rename to authentication_challenges_expiry;
    alter table authentication_challenges drop constraint proof_challenges_purpose_check;
    update authentication_challenges set purpose = 'reauthenticate' where purpose = 'prove';
    alter table authentication_challenges add constraint authentication_challenges_purpose_check
      check (purpose in ('login', 'reauthenticate', 'add-passkey'));
    alter table proof_attempts rename to authentication_attempts;
    alter index proof_attempts_user rename to authentication_attempts_user;
  `.execute(db)
}
