import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { prepare } from '../../../db/prepare.ts'
import type { EarlierText } from '../../../db/tables/messaging.ts'
import type { Companion } from '../../../viewer.ts'
import { freeForAll, released } from '../../media/data.ts'
import { boughtItem } from '../../media/entitlements/data.ts'
import { listSentMedia } from '../../media/viewing/sent/data.ts'
import { requestJson, type TermsRow } from '../custom-requests/data.ts'
import type { Writer } from '../data.ts'

/** A message as read from the database, the same for both people. */
export type MessageRow = {
  id: string
  conversation_id: string
  position: number
  revision: number
  sender_id: string
  client_message_id: string | null
  content: string
  created_at: Date
  edited_at: Date | null
  deleted_at: Date | null
  price_cents: number | null
  mass_message_id: string | null
  reply: {
    id: string
    senderId: string
    content: string
    position: number
    deleted: boolean
    tip: MessageRow['tip']
  } | null
  reactions: { userId: string; emoji: string }[]
  attached: boolean
  bought: boolean
  request: TermsRow | null
  tip: { cents: number; refunded: boolean } | null
}

/** The tip that this order paid. */
export function tipJson(orderId: RawBuilder<string>): RawBuilder<MessageRow['tip']> {
  return sql`(
    select jsonb_build_object('cents', amount_cents, 'refunded', refunded_at is not null) from orders where id = ${orderId}
  )`
}

/** How much of the quoted message a reply shows. */
const QUOTED_LETTERS = 200

const recipient = sql`(
  select case low_id when message.sender_id then high_id else low_id end
  from conversations where id = message.conversation_id)`

const columns = sql`
  message.id, message.conversation_id, message.position, message.revision, message.sender_id, message.client_message_id,
  message.content, message.created_at, message.edited_at, message.deleted_at, message.price_cents,
  message.mass_message_id,
  case when message.reply_to is not null then (
    select jsonb_build_object('id', id, 'senderId', sender_id, 'content', left(content, ${sql.lit(QUOTED_LETTERS)}),
      'position', position, 'deleted', deleted_at is not null,
      'tip', case when tip_order_id is not null then ${tipJson(sql.ref('tip_order_id'))} end)
    from messages where id = message.reply_to
  ) end as reply,
  coalesce((
    select jsonb_agg(jsonb_build_object('userId', user_id, 'emoji', emoji) order by user_id)
    from message_reactions where message_id = message.id
  ), '[]') as reactions,
  (message.deleted_at is null and exists (select from message_attachments where message_id = message.id)) as attached,
  (message.price_cents is not null and ${boughtItem(recipient, 'message', sql.ref('message.id'))}) as bought,
  case when message.custom_request_id is not null then ${requestJson(sql.ref('message.custom_request_id'))} end as request,
  case when message.tip_order_id is not null then ${tipJson(sql.ref('message.tip_order_id'))} end as tip`

/** These messages, in no particular order. */
export async function findMessages(db: Db, ids: string[]): Promise<MessageRow[]> {
  return readMessages(db, { ids: `{${ids.join(',')}}` })
}

const readMessages = prepare((db, { ids }: { ids: string }) => ({
  compile: () =>
    sql<MessageRow>`
      select ${columns} from messages as message where message.id = any(${ids}::uuid[])`.compile(db),
}))

/** The message with this client-side id of this person, or null. */
export async function findByClientId(
  db: Db,
  { senderId, clientMessageId }: { senderId: string; clientMessageId: string },
): Promise<MessageRow | null> {
  const { rows } = await sql<MessageRow>`
    select ${columns} from messages as message
    where message.sender_id = ${senderId} and message.client_message_id = ${clientMessageId}`.execute(db)
  return rows[0] ?? null
}

/** The text of a message that its sender deleted; null once that is erased. */
export async function findKept(db: Db, messageId: string): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('kept_content')
    .where('id', '=', messageId)
    .executeTakeFirst()
  return row?.kept_content ?? null
}

/** How many earlier texts of a message are kept: all of them while it can be edited. */
export async function countVersions(db: Db, messageId: string): Promise<number> {
  const { count } = await db
    .selectFrom('message_versions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return count
}

/** A message's texts before its edits, oldest first, while they are kept. Only for reviewers. */
export const earlierJson = (messageId: RawBuilder<string>): RawBuilder<EarlierText[]> => sql`coalesce((
  select jsonb_agg(jsonb_build_object('content', content, 'until', until) order by revision)
  from message_versions where message_id = ${messageId}
), '[]')`

/** A message's position in this conversation; null if it belongs to another. */
export async function findPosition(
  db: Db,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<number | null> {
  const row = await db
    .selectFrom('messages')
    .select('position')
    .where('id', '=', messageId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
  return row?.position ?? null
}

export type MessageWindow = {
  conversationId: string
  limit: number
  before?: number | undefined
  after?: number | undefined
  since?: number | undefined
}

/** One row more than the requested part of a conversation, oldest first, or by revision for `since`. */
export async function listMessages(
  db: Db,
  { conversationId, limit, before, after, since }: MessageWindow,
): Promise<{ rows: MessageRow[]; hasMore: boolean }> {
  const [where, order, reversed] =
    since !== undefined
      ? [sql`message.revision > ${since}`, sql`message.revision`, false]
      : after !== undefined
        ? [sql`message.position > ${after}`, sql`message.position`, false]
        : [sql`message.position < ${before ?? 2 ** 31 - 1}`, sql`message.position desc`, true]
  const { rows } = await sql<MessageRow>`
    select ${columns} from messages as message
    where message.conversation_id = ${conversationId} and ${where}
    order by ${order} limit ${sql.lit(limit + 1)}`.execute(db)
  const page = rows.slice(0, limit)
  return { rows: reversed ? page.toReversed() : page, hasMore: rows.length > limit }
}

/** The first unread message of the other person, or null. */
export async function findFirstUnread(
  db: Db,
  conversationId: string,
  viewerId: string,
): Promise<{ position: number; created_at: Date } | null> {
  const { rows } = await sql<{ position: number; created_at: Date }>`
    select position, created_at from messages
    where conversation_id = ${conversationId} and sender_id <> ${viewerId} and deleted_at is null
      and position > (
        select read_position from conversation_members
        where conversation_id = ${conversationId} and user_id = ${viewerId}
      )
    order by position limit 1`.execute(db)
  return rows[0] ?? null
}

/** A page before the person's first unread message and one from there on; the newest page if everything is read. */
export async function listAroundUnread(
  db: Db,
  { conversationId, viewerId, limit }: { conversationId: string; viewerId: string; limit: number },
): Promise<{ rows: MessageRow[]; hasMore: boolean; hasNewer: boolean }> {
  const first = await findFirstUnread(db, conversationId, viewerId)
  if (first === null) return { ...(await listMessages(db, { conversationId, limit })), hasNewer: false }
  const older = await listMessages(db, { conversationId, limit, before: first.position })
  const newer = await listMessages(db, { conversationId, limit, after: first.position - 1 })
  return { rows: [...older.rows, ...newer.rows], hasMore: older.hasMore, hasNewer: newer.hasMore }
}

/** Most results of one search. */
const FOUND = 30

/** Most messages that one search scans, however long the conversation. */
const SEARCHED = 50_000

/**
 * The messages of a conversation that contain a text, ignoring case, newest first, among the `SEARCHED` before a position.
 * `searchedTo` is the position to continue from; null once everything is searched.
 */
export async function searchMessages(
  db: Db,
  { conversationId, filter, before }: { conversationId: string; filter: string; before: number | undefined },
) {
  const to = before ?? (await findEnd(db, conversationId))
  const from = to - SEARCHED
  const pattern = `%${filter.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'sender_id', 'content', 'created_at', 'position'])
    .where('conversation_id', '=', conversationId)
    .where('position', '<', to)
    .where('position', '>=', from)
    .where('deleted_at', 'is', null)
    // Both by the database: JavaScript has other small letters for some words, as for a sigma that ends one.
    .where(sql<boolean>`lower(content) like lower(${pattern})`)
    .orderBy('position', 'desc')
    .limit(FOUND + 1)
    .execute()
  const found = rows.slice(0, FOUND)
  const last = found.at(-1)
  const searchedTo = rows.length > FOUND && last ? last.position : from > 1 ? from : null
  return { rows: found, searchedTo }
}

/** The position after a conversation's newest message. */
async function findEnd(db: Db, conversationId: string): Promise<number> {
  const row = await db
    .selectFrom('conversations')
    .select('revision')
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return (row?.revision ?? 0) + 1
}

/** The attachments of these messages, by message, as this viewer may see them. */
export async function findAttachments(
  { db, signer }: Pick<Context, 'db' | 'signer'>,
  viewer: { audience: Writer; companion: Companion },
  rows: MessageRow[],
  now: Date,
) {
  const messageIds = rows.filter(({ attached }) => attached).map(({ id }) => id)
  if (messageIds.length === 0) return new Map<string, never[]>()
  const sent = await listSentMedia(db, viewer.audience, {
    messageIds,
    signer,
    companion: viewer.companion,
    now,
  })
  return Map.groupBy(sent, ({ messageId }) => messageId)
}

/**
 * Those of these media ids that this person can attach: their own and ready, each with its current version and whether it is
 * free for everyone. Locks the items until the transaction ends: a replaced version is purged unless its attachment is stored.
 */
export async function findAttachable(tx: Tx, ownerId: string, mediaIds: string[]) {
  await sql`select from media where id = any(${mediaIds}::uuid[]) order by id for share`.execute(tx)
  const { rows } = await sql<{ id: string; version_id: string | null; pending: boolean; free: boolean }>`
    select handle.id, media.version_id, uploads.id is not null as pending,
      coalesce(${freeForAll}, false) as free
    from unnest(${mediaIds}::uuid[]) as handle (id)
      left join media on media.id = handle.id and media.creator_id = ${ownerId} and media.deleted_at is null
        and ${released}
      left join uploads on uploads.id = handle.id and uploads.owner_id = ${ownerId}
        and uploads.status in ('awaiting', 'received', 'processing')`.execute(tx)
  return rows
}
