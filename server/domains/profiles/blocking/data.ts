import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { isPublic, shown } from '../data.ts'

/** One row more than the page of whom a person blocked, newest first; of people who are hidden there is no name. */
export function listBlocked(db: Db, audience: PeopleAudience & { id: string }, page: PageRequest) {
  return db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blocked_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.is_creator', 'profiles.profile_image'])
    .select(
      sql<string>`${positionOf(sql.ref('blocks.created_at'), sql.ref('blocks.blocked_id'))}`.as('position'),
    )
    .select(sql<boolean>`not (${isPublic()} or ${shown(audience)})`.as('private'))
    .where('blocks.blocker_id', '=', audience.id)
    .where('users.hidden_at', 'is', null)
    .$if(page.cursor !== undefined, (query) =>
      query.where((eb) => after(page.cursor ?? '', eb.ref('blocks.created_at'), eb.ref('blocks.blocked_id'))),
    )
    .orderBy('blocks.created_at', 'desc')
    .orderBy('blocks.blocked_id', 'desc')
    .offset(skipOf(page))
    .limit(page.limit + 1)
    .execute()
}

/** The places from which a creator can't be seen. */
export function listGeoBlocks(db: Db, creatorId: string) {
  return db
    .selectFrom('geo_blocks')
    .select(['country', 'region'])
    .where('creator_id', '=', creatorId)
    .execute()
}

/** Whether these two have a conversation, and the other one is there. */
export async function isCorrespondent(db: Db, userId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql`
    select from conversation_members join users on users.id = other_id
    where user_id = ${userId} and other_id = ${otherId} and users.hidden_at is null limit 1`.execute(db)
  return rows.length > 0
}
