import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, rankPositionOf } from '../../../db/cursor.ts'
import { prepare } from '../../../db/prepare.ts'
import type { Writer } from '../data.ts'
import { showsPicture } from '../data.ts'
import { behindSpent } from '../fan-lists/data.ts'
import { type MessageRow, tipJson } from '../messages/data.ts'

type Person = {
  id: string
  username: string
  is_creator: boolean
  profile_image: string | null
}

/** A conversation as read from the database for one of its two people. */
export type ConversationRow = {
  id: string
  viewer_id: string
  revision: number
  unread: number
  read_position: number
  other_read_position: number
  muted: boolean
  own: Person
  other: Person
  last: {
    id: string
    sender_id: string
    content: string
    created_at: string
    position: number
    attachments: number
    request: 'requested' | 'delivered' | null
    tip: MessageRow['tip']
  } | null
}

const person = (
  picture: RawBuilder<unknown>,
) => sql`jsonb_build_object('id', users.id, 'username', users.username,
  'is_creator', users.is_creator, 'profile_image', ${picture})`

const lastMessage = (id: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('id', last.id, 'sender_id', last.sender_id, 'content', last.content,
    'created_at', last.created_at, 'position', last.position,
    'attachments', (select count(*) from message_attachments where message_id = last.id),
    'request', (select case when fan_id = last.sender_id then 'requested' else 'delivered' end
      from custom_requests where id = last.custom_request_id),
    'tip', case when last.tip_order_id is not null then ${tipJson(sql.ref('last.tip_order_id'))} end)
  from messages as last where last.id = ${id}
)`

const columns = (otherPicture: RawBuilder<unknown>) => sql`
  conversation.id, me.user_id as viewer_id, conversation.revision, me.unread, me.read_position,
  them.shown_position as other_read_position, me.muted_at is not null as muted,
  (select ${person(sql`profile_image`)} from users left join profiles on profiles.user_id = users.id
    where users.id = me.user_id) as own,
  (select ${person(otherPicture)} from users left join profiles on profiles.user_id = users.id
    where users.id = me.other_id) as other,
  ${lastMessage(sql`conversation.last_message_id`)} as last`

const joined = sql`
  join conversations as conversation on conversation.id = me.conversation_id
  join conversation_members as them on them.conversation_id = me.conversation_id and them.user_id = me.other_id`

/** The picture, unless this person is out of the viewer's reach; then only their name stays on earlier messages. */
const pictureFor = (viewer: Writer) => sql`case when ${showsPicture(viewer)} then profile_image end`

/** A conversation for one of its people; null for everybody else. */
export async function findConversation(
  db: Db,
  viewer: Writer,
  conversationId: string,
): Promise<ConversationRow | null> {
  const { rows } = await sql<ConversationRow>`
    select ${columns(pictureFor(viewer))} from conversation_members as me ${joined}
    where me.conversation_id = ${conversationId} and me.user_id = ${viewer.id}`.execute(db)
  return rows[0] ?? null
}

/**
 * These conversations by id, then by person; pictures as each person may see them from anywhere. Of those with somebody
 * hidden none. Runs for every message, so it reads both people at once.
 */
export async function findConversationsOf(
  db: Db,
  ids: string[],
): Promise<Map<string, Map<string, ConversationRow>>> {
  const rows = await readMembers(db, { ids: `{${ids.join(',')}}` })
  const found = new Map<string, Map<string, ConversationRow>>()
  for (const [id, members] of Map.groupBy(rows, ({ conversation_id }) => conversation_id))
    found.set(id, conversationOf(members))
  return found
}

/** A conversation as each of its two people sees it, by their ids; empty unless both rows are given. */
export function conversationOf([one, other]: MemberRow[]): Map<string, ConversationRow> {
  return new Map(
    one && other
      ? [
          [one.user_id, seenBy(one, other)],
          [other.user_id, seenBy(other, one)],
        ]
      : [],
  )
}

/** One person's membership in a conversation, with their name; `reached` says whether the other may see their picture. */
export type MemberRow = Awaited<ReturnType<typeof readMembers>>[number]

/** Whether the person of the `users` row is visible to this other one: neither hidden nor blocking them. */
export const reaches = (otherId: RawBuilder<unknown>) => sql<boolean>`(
  users.hidden_at is null
  and not exists (select from blocks where blocker_id = users.id and blocked_id = ${otherId})
)`

function seenBy(me: MemberRow, them: MemberRow): ConversationRow {
  return {
    id: me.conversation_id,
    viewer_id: me.user_id,
    revision: me.revision,
    unread: me.unread,
    read_position: me.read_position,
    other_read_position: them.shown_position,
    muted: me.muted,
    own: personOf(me, true),
    other: personOf(them, them.reached),
    last: me.last,
  }
}

function personOf({ user_id: id, username, is_creator, profile_image }: MemberRow, shown: boolean): Person {
  return { id, username, is_creator, profile_image: shown ? profile_image : null }
}

const readMembers = prepare((db, { ids }: { ids: string }) =>
  db
    .selectFrom(sql<{ id: string }>`unnest(${ids}::uuid[])`.as<'wanted'>(sql`wanted (id)`))
    .innerJoin('conversations', 'conversations.id', 'wanted.id')
    .innerJoin('conversation_members as me', 'me.conversation_id', 'wanted.id')
    .innerJoin('users', 'users.id', 'me.user_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .where('users.hidden_at', 'is', null)
    .select(['me.conversation_id', 'me.user_id', 'me.unread', 'me.read_position', 'me.shown_position'])
    .select('conversations.revision')
    .select(['users.username', 'users.is_creator', 'profiles.profile_image'])
    .select([
      sql<boolean>`me.muted_at is not null`.as('muted'),
      reaches(sql.ref('me.other_id')).as('reached'),
      sql<ConversationRow['last']>`${lastMessage(sql.ref('conversations.last_message_id'))}`.as('last'),
    ]),
)

/** The other person of a conversation; null if the viewer isn't part of it. */
export async function findOther(db: Db, conversationId: string, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('conversation_members')
    .select('other_id')
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.other_id ?? null
}

/** The two people of a conversation that hasn't started, for one of them. */
export async function findPeople(db: Db, viewer: Writer, otherId: string) {
  const rows = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'username', 'is_creator'])
    .select(
      sql<
        string | null
      >`case when users.id = ${viewer.id} or ${showsPicture(viewer)} then profile_image end`.as(
        'profile_image',
      ),
    )
    .where('users.id', 'in', [viewer.id, otherId])
    .execute()
  const own = rows.find(({ id }) => id === viewer.id)
  const other = rows.find(({ id }) => id !== viewer.id)
  return own && other ? { own, other } : null
}

type ListedRow = ConversationRow & { position: string; spent_cents: number }

type Asked = { page: PageRequest; filter: string; showing: 'all' | 'unread' | 'spenders' }

/**
 * Whether a message is left, or either wrote: not where all there was, such as a mass message, was taken back. What
 * `hideEmptied` put behind the end isn't even passed over.
 */
const holdsAnything = sql`(
  me.last_at > '-infinity' and (conversation.last_message_id is not null or me.wrote or them.wrote)
)`

/** One row more than the page of a person's conversations, sorted by newest message or by amount spent. */
export async function listConversations(
  db: Db,
  viewer: Writer,
  { page, filter, showing }: Asked,
): Promise<ListedRow[]> {
  const pattern = `%${filter.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const bySpent = showing === 'spenders'
  const [at, id] = [sql.ref<Date>('me.last_at'), sql.ref<string>('me.conversation_id')]
  const [spent, fanId] = [sql.ref<string>('fans.spent_cents'), sql.ref<string>('fans.fan_id')]
  const from = bySpent
    ? sql`fans join conversation_members as me on me.other_id = fans.fan_id and me.user_id = fans.creator_id`
    : sql`conversation_members as me left join fans on fans.creator_id = me.user_id and fans.fan_id = me.other_id`
  const chosen = bySpent
    ? sql`fans.creator_id = ${viewer.id} and fans.conversing and fans.spent_cents > 0`
    : sql`me.user_id = ${viewer.id} ${showing === 'unread' ? sql`and me.unread > 0` : sql``}`
  const behind = (cursor: string) => (bySpent ? behindSpent(cursor, spent, fanId) : after(cursor, at, id))
  const { rows } = await sql<ListedRow>`
    select ${columns(pictureFor(viewer))}, coalesce(fans.spent_cents, 0) as spent_cents,
      ${bySpent ? rankPositionOf(spent, fanId) : positionOf(at, id)} as position
    from ${from} ${joined} join users as person on person.id = me.other_id
    where ${chosen} and ${holdsAnything} and person.hidden_at is null
      ${filter === '' ? sql`` : sql`and lower(person.username) like ${pattern}`}
      ${page.cursor === undefined ? sql`` : sql`and ${behind(page.cursor)}`}
    order by ${bySpent ? sql`${spent} desc, ${fanId} desc` : sql`${at} desc, ${id} desc`}
    limit ${sql.lit(page.limit + 1)}`.execute(db)
  return rows
}

/** The most that the badge counts. */
const MAX_UNREAD = 100

/** A person's unread conversations that aren't muted. */
export function listUnread(db: Db, userId: string) {
  return db
    .selectFrom('conversation_members as me')
    .innerJoin('users as person', 'person.id', 'me.other_id')
    .select('me.conversation_id as id')
    .where('me.user_id', '=', userId)
    .where('me.unread', '>', 0)
    .where('me.muted_at', 'is', null)
    .where('person.hidden_at', 'is', null)
    .orderBy('me.last_at', 'desc')
    .limit(sql.lit(MAX_UNREAD))
    .execute()
}
