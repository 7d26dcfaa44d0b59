import { type Kysely, sql } from 'kysely'

/** The few purchases of which the gateway is asked, every minute, among all there ever were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index purchases_looked_up on purchases (lookup_tried_at nulls first)
      where status in ('submitting', 'held', 'unknown') or (status = 'refused'
        and reason in ('not_charged', 'already_owned', 'already_subscribed', 'no_longer_available'));
  `.execute(db)
}
