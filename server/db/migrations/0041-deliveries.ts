import { type Kysely, sql } from 'kysely'

/** When each person was first and last shown a locked item, and from where: what a bank asks for in a dispute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_deliveries (
      user_id uuid not null references users (id) on delete cascade,
      media_id uuid not null references media (id) on delete cascade,
      first_at timestamptz not null,
      first_network text,
      last_at timestamptz not null,
      last_network text,
      -- On how many days.
      days integer not null default 1,
      primary key (user_id, media_id)
    );
    create index media_deliveries_media on media_deliveries (media_id);
    create index media_deliveries_age on media_deliveries (last_at);
  `.execute(db)
}
