import { type Kysely, sql } from 'kysely'

/**
 * Tells sample accounts and sandbox money from real ones. Whether money is real is a property of the whole
 * installation, so the rows take it from there by themselves, and no insert can forget or contradict it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation add livemode boolean not null default false;
    -- Which password the sample accounts have: null before there are any, 'public', or the id of the key it comes from.
    alter table installation add sample_password text;
    update installation set sample_password = 'public' where sample_data_at is not null;

    create function installation_livemode() returns boolean language sql stable
      return (select livemode from installation);
    alter table purchases add livemode boolean not null default installation_livemode();
    alter table stored_cards add livemode boolean not null default installation_livemode();
    alter table journals add livemode boolean not null default installation_livemode();

    alter table users add is_sample boolean not null default false;
    update users set is_sample = true
    where email like '%@fanfare.example' and exists (select from installation where sample_data_at is not null);
    create index users_sample on users (id) where is_sample;

    -- Keys that outlive the installation's secret, sealed with it.
    create table lasting_keys (
      name text primary key,
      sealed_key bytea not null
    );
  `.execute(db)
}
