import { type Kysely, sql } from 'kysely'

/** Which undecided purchase is looked up next; and every account has its profile from the start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table purchases add column lookup_tried_at timestamptz;

    create function create_profile() returns trigger language plpgsql as $$
    begin
      insert into profiles (user_id) values (new.id) on conflict do nothing;
      return null;
    end $$;
    create trigger users_profile after insert on users for each row execute function create_profile();
  `.execute(db)
}
