import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, rankAndId, rankPositionOf } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import { blockedBy, visible } from '../../profiles/data.ts'
import { showsPicture, type Writer } from '../data.ts'

/** A fan as read from the database for their creator. */
export type FanRow = {
  id: string
  username: string
  profile_image: string | null
  is_creator: boolean
  since: Date | null
  follows: boolean
  subscription: 'none' | 'current' | 'ended'
  spent_cents: number
  list_ids: string[]
  note: string
}

/** Fans of one kind, or those on one list. */
export type Choice =
  | { showing: 'all' | 'followers' | 'subscribers' | 'expired' }
  | { showing: 'list'; listId: string }

/** Rows of `fans` of each kind; repeating that a subscriber has a subscription lets the query use the partial index. */
const KINDS: Record<Exclude<Choice['showing'], 'list'>, RawBuilder<SqlBool>> = {
  all: sql`true`,
  followers: sql`fans.follows`,
  subscribers: sql`fans.subscription <> 'none' and fans.subscription = 'current'`,
  expired: sql`fans.subscription <> 'none' and fans.subscription = 'ended'`,
}

/** The selected fans of a creator with `fan_id` and `since`; for a list, `since` is when they were added to it. */
export function chosenFans(creatorId: string, choice: Choice): RawBuilder<unknown> {
  return choice.showing === 'list'
    ? sql`(
        select member.fan_id, member.added_at as since from fan_list_members as member
          join fan_lists on fan_lists.id = member.list_id
        where member.list_id = ${choice.listId} and fan_lists.creator_id = ${creatorId}
      )`
    : sql`(select fan_id, since from fans where creator_id = ${creatorId} and ${KINDS[choice.showing]})`
}

const columns = (creatorId: string, picture = sql`profiles.profile_image`) => sql`
  users.id, users.username, ${picture} as profile_image, users.is_creator, fans.since,
  coalesce(fans.follows, false) as follows, coalesce(fans.subscription, 'none') as subscription,
  coalesce(fans.spent_cents, 0) as spent_cents,
  array(
    select list_id from fan_list_members join fan_lists on fan_lists.id = list_id
    where fan_id = users.id and fan_lists.creator_id = ${creatorId}
  ) as list_ids,
  coalesce((select note from fan_notes where creator_id = ${creatorId} and fan_id = users.id), '') as note`

/** One row more than the page of the selected fans, newest or highest spending first. */
export async function listFans(
  db: Db,
  creator: Writer,
  asked: { page: PageRequest; choice: Choice; sort: 'newest' | 'spent'; filter: string },
): Promise<(FanRow & { position: string })[]> {
  const { page, choice, sort, filter } = asked
  const ofList = choice.showing === 'list'
  const id = sql.ref<string>(ofList ? 'member.fan_id' : 'fans.fan_id')
  const since = sql.ref<Date>(ofList ? 'member.since' : 'fans.since')
  const spent = ofList ? sql<string>`coalesce(fans.spent_cents, 0)` : sql<string>`fans.spent_cents`
  const from =
    choice.showing === 'list'
      ? sql`${chosenFans(creator.id, choice)} as member
          left join fans on fans.creator_id = ${creator.id} and fans.fan_id = member.fan_id`
      : sql`fans`
  const chosen =
    choice.showing === 'list' ? sql`true` : sql`fans.creator_id = ${creator.id} and ${KINDS[choice.showing]}`
  const { rows } = await sql<FanRow & { position: string }>`
    select ${columns(creator.id)},
      ${sort === 'newest' ? positionOf(since, id) : rankPositionOf(spent, id)} as position
    from ${from} join users on users.id = ${id} left join profiles on profiles.user_id = users.id
    where ${chosen} and ${visible(creator, 'users')} and not ${blockedBy(creator.id)}
      ${page.cursor === undefined ? sql`` : sql`and ${sort === 'newest' ? after(page.cursor, since, id) : behindSpent(page.cursor, spent, id)}`}
      ${filter === '' ? sql`` : sql`and users.id in (select id from users where ${named(filter)})`}
    order by ${sort === 'newest' ? since : spent} desc, ${id} desc
    limit ${sql.lit(page.limit + 1)}`.execute(db)
  return rows
}

/** Whether a row comes after the position of a cursor, highest spending first; throws `bad_cursor`. */
export function behindSpent(
  cursor: string,
  spent: RawBuilder<string>,
  id: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const { rank, id: last } = rankAndId(cursor)
  if (!/^-?\d{1,18}$/.test(rank)) throw new AppError('bad_cursor')
  return sql<SqlBool>`(${spent}, ${id}) < (${rank}::bigint, ${last}::uuid)`
}

function named(filter: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(username) like ${`%${filter.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`
}

const isFan = (creatorId: string) =>
  sql<SqlBool>`exists (select from fans where fans.creator_id = ${creatorId} and fans.fan_id = users.id offset 0)`

/** People whom a creator may write notes on: fans, and people with a started conversation. */
const isKnown = (creatorId: string) => sql<SqlBool>`(
  ${isFan(creatorId)}
  or exists (select from conversation_members where user_id = users.id and other_id = ${creatorId} offset 0)
)`

/** People whom a creator may add to lists: a conversation that only the creator wrote in makes nobody one of them. */
const isListable = (creatorId: string) => sql<SqlBool>`(
  ${isFan(creatorId)}
  or exists (select from conversation_members where user_id = users.id and other_id = ${creatorId} and wrote offset 0)
)`

/** One person as this creator sees them, and whether they may be added to a list; null for a stranger. */
export async function findFan(
  db: Db,
  creator: Writer,
  fanId: string,
): Promise<(FanRow & { listable: boolean }) | null> {
  const { rows } = await sql<FanRow & { listable: boolean }>`
    select ${columns(creator.id, sql`case when ${showsPicture(creator)} then profiles.profile_image end`)},
      ${isListable(creator.id)} as listable
    from users left join profiles on profiles.user_id = users.id
      left join fans on fans.creator_id = ${creator.id} and fans.fan_id = users.id
    where users.id = ${fanId} and users.hidden_at is null and ${isKnown(creator.id)}`.execute(db)
  return rows[0] ?? null
}

/** How many of these people the creator may add to a list, or write a note on. */
export async function countAllowed(
  db: Db,
  creatorId: string,
  people: string[],
  to: 'list' | 'note',
): Promise<number> {
  const isAllowed = to === 'list' ? isListable : isKnown
  const { rows } = await sql<{ id: string }>`
    select id from users
    where id = any(${people}::uuid[]) and id <> ${creatorId} and hidden_at is null and ${isAllowed(creatorId)}`.execute(
    db,
  )
  return rows.length
}

/** A creator’s lists by name. */
export function listLists(db: Db, creatorId: string) {
  return db
    .selectFrom('fan_lists')
    .select(['id', 'name', 'members'])
    .where('creator_id', '=', creatorId)
    .orderBy(sql`lower(name)`)
    .execute()
}

/** One of a creator’s lists; `hold` locks it until the transaction ends. */
export function findList(db: Db, creatorId: string, listId: string, hold?: 'hold') {
  return db
    .selectFrom('fan_lists')
    .select(['id', 'name', 'members'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', listId)
    .$if(hold !== undefined, (query) => query.forKeyShare())
    .executeTakeFirst()
}
