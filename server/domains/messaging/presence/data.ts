import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { LISTENER } from '../../../realtime/subscriber.ts'

/** Whether somebody is connected to a web process that is still there. */
export function online(userId: RawBuilder<string> | string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from online_people
    where online_people.user_id = ${userId} and exists (
      select from pg_stat_get_activity(online_people.listener) as process where process.application_name = ${LISTENER}
    )
  )`
}

/** Whether somebody is connected anywhere. */
export async function isOnline(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ online: boolean }>`select ${online(userId)} as online`.execute(db)
  return rows[0]?.online === true
}

/** Of these people those who are connected anywhere. */
export async function listOnline(db: Db, people: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${people}::uuid[]) as person (id) where ${online(sql<string>`person.id`)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Of these people those who converse with somebody, unless one of the two blocked the other. */
export async function findWatching(
  db: Db,
  userId: string,
  people: string[],
): Promise<{ conversationId: string; watcherId: string }[]> {
  if (people.length === 0) return []
  return db
    .selectFrom('conversation_members as me')
    .select(['me.conversation_id as conversationId', 'me.user_id as watcherId'])
    .where('me.other_id', '=', userId)
    .where('me.user_id', '=', sql<string>`any(${people}::uuid[])`)
    .where(
      sql<boolean>`not exists (
        select from blocks
        where (blocker_id, blocked_id) in ((me.user_id, me.other_id), (me.other_id, me.user_id)) offset 0
      )`,
    )
    .execute()
}
