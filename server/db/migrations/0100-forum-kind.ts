import { type Kysely, sql } from 'kysely'

/** Which forum the rows of promotion are of; null before any was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation add forum text check (forum in ('sandbox', 'real'));
    -- The forum that was asked last, by the client that its calls are counted for.
    update installation set forum = (
      select case client when 'sandboxClient' then 'sandbox' else 'real' end
      from forum_budget where not starts_with(client, 'share of ')
      order by window_ends desc limit 1);
  `.execute(db)
}
