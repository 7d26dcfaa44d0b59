import { type Kysely, sql } from 'kysely'

/** Each sending of a whole file has a number, so that of several at different processes the one that began last counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table uploads
      add column sendings integer not null default 0 check (sendings >= 0),
      add column sending integer check (sending between 1 and sendings)
  `.execute(db)
}
