import { sql } from 'kysely'
import { buildCreator, type Person } from './builders.ts'
import type { Harness } from './harness.ts'

/** A creator with this many followers, who are people by their rows alone; returns their ids. */
export async function buildFollowed(
  harness: Harness,
  followers: number,
): Promise<{ creator: Person; followerIds: string[] }> {
  const creator = await buildCreator(harness)
  const now = harness.clock.now()
  const { rows } = await sql<{ id: string }>`
    with people as (
      insert into users (email, username, first_name, reddit_username, password_hash, is_creator, email_verified_at,
        referral_code, created_at)
      select name || '@example.test', name, 'Test', name, 'x', false, ${now}, name, ${now}
      from (select ${creator.username}::text || '-' || n as name from generate_series(1, ${followers}::int) as n) as each
      returning id
    ), followed as (
      insert into follows (follower_id, following_id, created_at) select id, ${creator.id}, ${now} from people
    )
    select id from people`.execute(harness.context.db)
  return { creator, followerIds: rows.map(({ id }) => id) }
}
