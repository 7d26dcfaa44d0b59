import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf } from '../../../db/cursor.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { visible } from '../../profiles/data.ts'

/** Somebody who agreed to be recognized, as the creator knows them. */
export type PersonRow = {
  id: string
  username: string
  follows: boolean
  subscribed: boolean
  spent_cents: number
}

/** Times are seconds since 1970. */
type MessageRow = { name: string; author: string; body: string; own: boolean; at: number }
type ReplyRow = {
  id: string
  body: string
  state: 'sending' | 'sent' | 'unknown' | 'failed'
  failure: string | null
  at: number
}

export type ThreadRow = {
  id: string
  key: string
  account: string
  author: string
  subject: string
  out_of_sync: boolean
  last_received_at: Date
  last_contact_at: Date | null
  ignored: boolean
  moderates: string[]
  messages: MessageRow[]
  replies: ReplyRow[]
  person: PersonRow | null
  position: string
}

/** Replies of a thread that are shown, the latest. */
const MAX_SHOWN = 100

const messageJson = sql`name, author, body, is_own as own, extract(epoch from sent_at)::float8 as at, id`

/** Its first received message, and the latest of all. */
const messages = sql<MessageRow[]>`(
  select coalesce(json_agg(message order by message.at, message.id), '[]') from (
    (select ${messageJson} from forum_messages where thread_id = thread.id and not is_own order by sent_at, id limit 1)
    union
    (select ${messageJson} from forum_messages where thread_id = thread.id order by sent_at desc, id desc
      limit ${sql.lit(MAX_SHOWN)})
  ) as message)`

const replies = sql<ReplyRow[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'body', body, 'state', state, 'failure', failure,
    'at', extract(epoch from created_at)::float8) order by created_at, id), '[]')
  from forum_replies where thread_id = thread.id)`

/** The writer, if exactly one visible person who agreed to be recognized has this name on the forum. */
const person = (userId: string, audience: PeopleAudience) => sql<PersonRow | null>`(
  select json_build_object('id', users.id, 'username', users.username, 'follows', coalesce(fans.follows, false),
    'subscribed', coalesce(fans.subscription = 'current', false), 'spent_cents', coalesce(fans.spent_cents, 0))
  from users left join fans on fans.creator_id = ${userId} and fans.fan_id = users.id
  where users.recognizable and lower(users.reddit_username) = lower(thread.author)
    and users.id <> ${userId} and ${visible(audience, 'users')}
    and not exists (select from blocks where blocker_id = users.id and blocked_id = ${userId} offset 0)
    and not exists (
      select from users as namesake where namesake.recognizable
        and lower(namesake.reddit_username) = lower(thread.author) and namesake.id <> users.id)
)`

const contact = sql`left join forum_contacts as contact
  on contact.user_id = thread.user_id and contact.name = lower(thread.author)`

export type InboxFilters = { search: string; removeContacted: boolean; ignored: boolean }

/** One row more than the page of somebody’s threads, the latest first. */
export async function listThreads(
  db: Db,
  audience: PeopleAudience & { id: string },
  asked: { page: PageRequest; filters: InboxFilters; now: Date },
): Promise<ThreadRow[]> {
  const { page, filters, now } = asked
  const time = sql.ref<Date>('thread.last_received_at')
  const id = sql.ref<string>('thread.id')
  const { rows } = await sql<ThreadRow>`
    select thread.id, thread.key, account.name as account, thread.author, thread.subject, thread.out_of_sync,
      thread.last_received_at, contact.last_contact_at, coalesce(contact.ignored, false) as ignored,
      coalesce(contact.moderates, '{}') as moderates, ${messages} as messages, ${replies} as replies,
      ${person(audience.id, audience)} as person, ${positionOf(time, id)} as position
    from forum_threads as thread join forum_accounts as account on account.id = thread.account_id ${contact}
    where thread.user_id = ${audience.id} and thread.deleted_at is null
      and ${filters.ignored ? sql`contact.ignored` : sql`contact.ignored is not true and (thread.skipped_until is null or thread.skipped_until <= ${now})`}
      ${filters.removeContacted ? sql`and contact.last_contact_at is null` : sql``}
      ${filters.search === '' ? sql`` : sql`and ${says(filters.search)}`}
      ${page.cursor === undefined ? sql`` : sql`and ${after(page.cursor, time, id)}`}
    order by thread.last_received_at desc, thread.id desc
    limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.skip ?? 0)}`.execute(db)
  return rows
}

/** Whether a message or a reply has this in it; `offset 0` keeps each a probe for the thread at hand. */
function says(search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(
    exists (select from forum_messages where thread_id = thread.id and body ilike ${pattern} offset 0)
    or exists (select from forum_replies where thread_id = thread.id and body ilike ${pattern} offset 0))`
}

/** Facts about a thread's author, for the owner of the thread. */
export async function findContact(
  db: Db,
  audience: PeopleAudience & { id: string },
  asked: { threadId: string; author: string },
): Promise<Pick<ThreadRow, 'last_contact_at' | 'ignored' | 'out_of_sync' | 'person'> | undefined> {
  const { rows } = await sql<Pick<ThreadRow, 'last_contact_at' | 'ignored' | 'out_of_sync' | 'person'>>`
    select contact.last_contact_at, coalesce(contact.ignored, false) as ignored, thread.out_of_sync,
      ${person(audience.id, audience)} as person
    from forum_threads as thread ${contact}
    where thread.id = ${asked.threadId} and thread.user_id = ${audience.id}
      and lower(thread.author) = ${asked.author.toLowerCase()} and thread.deleted_at is null`.execute(db)
  return rows[0]
}

/** A thread of this person, deleted or not; with `author` only if that is whose it is. */
export function findThread(db: Db, asked: { userId: string; threadId: string; author?: string }) {
  const { userId, threadId, author } = asked
  return db
    .selectFrom('forum_threads')
    .select(['id', 'account_id', 'author', 'deleted_at'])
    .where('id', '=', threadId)
    .where('user_id', '=', userId)
    .$if(author !== undefined, (query) =>
      query.where(sql<string>`lower(author)`, '=', author?.toLowerCase() ?? ''),
    )
    .executeTakeFirst()
}

/** The names of what was received in a thread and isn’t deleted on the forum, the latest first. */
export async function listReceived(db: Db, threadId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('forum_messages')
    .select('name')
    .where('thread_id', '=', threadId)
    .where('is_own', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** Somebody’s forum accounts, and how far their inboxes were read; columns are null before anybody looked. */
export function listInboxes(db: Db, userId: string) {
  return db
    .selectFrom('forum_accounts')
    .leftJoin('forum_inboxes', 'forum_inboxes.account_id', 'forum_accounts.id')
    .select(['id', 'revoked_at', 'synced_at', 'next_sync_at', 'opened_at', 'failure'])
    .where('user_id', '=', userId)
    .execute()
}
export type InboxRow = Awaited<ReturnType<typeof listInboxes>>[number]

/**
 * Accounts whose inbox is due: somebody who isn't hidden looks at it, or a reply in doubt, whosever it is, may be in its
 * box of sent messages.
 */
export async function listDueInboxes(
  db: Db,
  { now, watchedSince, limit }: { now: Date; watchedSince: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select inbox.account_id from forum_inboxes as inbox
      join forum_accounts as account on account.id = inbox.account_id and account.revoked_at is null
      join users on users.id = account.user_id
    where inbox.next_sync_at <= ${now} and ((inbox.opened_at > ${watchedSince} and users.hidden_at is null) or inbox.account_id in (
      select thread.account_id from forum_replies as reply join forum_threads as thread on thread.id = reply.thread_id
      where reply.state = 'sending' and reply.check_at <= ${now}))
    order by inbox.next_sync_at limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Authors of an account’s latest threads of whom nobody read since then what they moderate. */
export async function listUnreadAuthors(
  db: Db,
  { accountId, readSince, limit }: { accountId: string; readSince: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select lower(latest.author) as name from (
      select user_id, author, last_received_at from forum_threads
      where account_id = ${accountId} and deleted_at is null order by last_received_at desc limit 60
    ) as latest left join forum_contacts as contact
      on contact.user_id = latest.user_id and contact.name = lower(latest.author)
    where contact.moderates_read_at is null or contact.moderates_read_at < ${readSince}
    group by 1 order by max(latest.last_received_at) desc limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** When this person last wrote to somebody. */
export async function findLastContact(db: Db, userId: string, author: string): Promise<Date | null> {
  const row = await db
    .selectFrom('forum_contacts')
    .select('last_contact_at')
    .where('user_id', '=', userId)
    .where('name', '=', author.toLowerCase())
    .executeTakeFirst()
  return row?.last_contact_at ?? null
}

/** A person's saved replies, by title. */
export function listSavedReplies(db: Db, userId: string) {
  return db
    .selectFrom('saved_replies')
    .select(['id', 'title', 'body'])
    .where('user_id', '=', userId)
    .orderBy('title')
    .orderBy('id')
    .execute()
}
