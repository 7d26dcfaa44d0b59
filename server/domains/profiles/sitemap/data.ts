import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** The most addresses that one sitemap may hold (sitemaps.org). */
const PAGE_SIZE = 50_000

/** Creators that everybody may find, in the order of the partial index `users_public_creators`. */
const publicCreators = sql`
  users where is_creator and hidden_at is null and email_verified_at is not null
`

/** The first creator of each page of the sitemap. */
export async function listSitemapPages(db: Db, pageSize = PAGE_SIZE): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) - 1 as place from ${publicCreators}) numbered
    where place % ${pageSize} = 0 order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** The usernames of the page that begins with this creator. Who keeps some place out is in no list for all places. */
export async function listSitemapCreators(db: Db, firstId: string, pageSize = PAGE_SIZE): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select username from (select id, username from ${publicCreators} and id >= ${firstId} order by id limit ${pageSize}) page
    where not exists (select from geo_blocks where creator_id = page.id offset 0) order by id
  `.execute(db)
  return rows.map(({ username }) => username)
}
