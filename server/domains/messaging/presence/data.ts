import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Connection } from '../../../realtime/connections.ts'
import { LISTENER } from '../../../realtime/subscriber.ts'

/** Whether somebody is connected to a running web process. */
export function online(userId: RawBuilder<string> | string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from online_people
    where online_people.user_id = ${userId} and ${listening}
  )`
}

/** Whether the web process of an `online_people` row still runs. */
export const listening = sql<boolean>`exists (
  select from pg_stat_get_activity(online_people.listener) as process where process.application_name = ${LISTENER}
)`

/** Whether somebody is connected anywhere. */
export async function isOnline(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ online: boolean }>`select ${online(userId)} as online`.execute(db)
  return rows[0]?.online === true
}

/** Those of these people who are connected anywhere. */
export async function listOnline(db: Db, people: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${people}::uuid[]) as person (id) where ${online(sql<string>`person.id`)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * The conversations of these connections with these people, and whether each `sees` that the other comes, goes or writes:
 * unless one blocks the other or hides from their region. `at` is the index of a connection in the list.
 */
export async function findWatching(
  db: Db,
  people: string[],
  connections: Pick<Connection, 'audience'>[],
): Promise<{ conversationId: string; userId: string; at: number; sees: boolean }[]> {
  if (people.length === 0 || connections.length === 0) return []
  const audiences = connections.map(({ audience }) => audience)
  const { rows } = await sql<{ conversationId: string; userId: string; at: number; sees: boolean }>`
    select me.conversation_id as "conversationId", me.other_id as "userId", (watcher.at - 1)::int as at,
      not exists (
        select from blocks where blocker_id = me.user_id and blocked_id = me.other_id offset 0
      )
      and (watcher.reaches_all or (
        not exists (select from blocks where blocker_id = me.other_id and blocked_id = me.user_id offset 0)
        and not exists (
          select from geo_blocks
          where creator_id = me.other_id and country = watcher.country and region in ('', watcher.region) offset 0
        )
      )) as sees
    from unnest(
        ${audiences.map(({ id }) => id)}::uuid[],
        ${audiences.map(({ reachesAll }) => reachesAll)}::boolean[],
        ${audiences.map(({ place }) => place.country)}::text[],
        ${audiences.map(({ place }) => place.region ?? '')}::text[]
      ) with ordinality as watcher (id, reaches_all, country, region, at)
      join conversation_members as me on me.user_id = watcher.id
    where me.other_id = any(${people}::uuid[])`.execute(db)
  return rows
}
