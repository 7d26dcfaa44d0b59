import { type Kysely, sql } from 'kysely'

/** Age checks by a provider, the regions where VPNs must not be mentioned, and the index behind the sitemap. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table restricted_regions add column vpn_hint boolean not null default true;
    update restricted_regions set vpn_hint = false where country = 'US' and code = 'UT';

    -- A check belongs to an account or to a visit, and ends once. The provider's documents are never stored.
    create table age_verifications (
      id uuid primary key default uuidv7(),
      user_id uuid references users (id) on delete cascade,
      visit_id uuid,
      provider text not null,
      method text,
      result text check (result in ('approved', 'refused', 'expired')),
      created_at timestamptz not null,
      decided_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      check (num_nonnulls(user_id, visit_id) = 1),
      check (num_nonnulls(result, method, decided_at) in (0, 3)),
      check ((result = 'approved') is not true or expires_at is not null)
    );
    create index age_verifications_user on age_verifications (user_id, created_at) where user_id is not null;
    create index age_verifications_visit on age_verifications (visit_id) where visit_id is not null;
    create index age_verifications_age on age_verifications (coalesce(expires_at, created_at));

    create index users_public_creators on users (id)
      where is_creator and hidden_at is null and email_verified_at is not null;
  `.execute(db)
}
