import { type RawBuilder, sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { Tx } from '../../../../db/client.ts'
import { publish } from '../../../../realtime/publish.ts'
import { revoke } from '../../../media/entitlements/actions.ts'
import { forgetReminders } from '../../reminders/actions.ts'
import { workLater } from '../actions.ts'
import { BATCH, type Held } from '../sending/actions.ts'

/** When to check a pending payment again. */
const LOOK_AGAIN_MS = 15 * 60 * 1000

type Sent = { id: string; conversation_id: string; recipient_id: string }

/**
 * Unsends the next messages, except those that were bought or are being paid, and records the progress. Returns whether
 * more may follow.
 */
export async function unsendBatch(tx: Tx, message: Held, now: Date): Promise<boolean> {
  const next = await nextSent(tx, message)
  await sql`
    select from conversations where id = any(${next.map((one) => one.conversation_id)}::uuid[])
    order by id for update`.execute(tx)
  const gone = await unsold(tx, next)
  await remove(tx, gone, now)
  await hideEmptied(tx, message.creator_id, gone)
  if (gone.length > 0)
    await publish(tx, {
      name: 'messages.changed',
      senderId: message.creator_id,
      messageIds: gone.map(({ id }) => id),
      people: gone.map((one) => one.recipient_id),
    })
  const more = next.length === BATCH
  const waits = !more && (await isBeingPaid(tx, message.id))
  await sql`
    update mass_messages set unsent = unsent + ${gone.length},
      reached_id = ${waits ? null : (next.at(-1)?.conversation_id ?? null)}::uuid
      ${more || waits ? sql`` : sql`, status = 'unsent', finished_at = ${now}`}
    where id = ${message.id}`.execute(tx)
  if (!more) await publish(tx, { name: 'conversations.changed', people: [message.creator_id] })
  if (waits) await workLater(tx, message.id, new Date(now.getTime() + LOOK_AGAIN_MS))
  return more
}

async function nextSent(tx: Tx, { id, creator_id: creatorId, reached_id: reached }: Held): Promise<Sent[]> {
  const { rows } = await sql<Sent>`
    select messages.id, conversation_id, case low_id when ${creatorId} then high_id else low_id end as recipient_id
    from messages join conversations on conversations.id = conversation_id
    where mass_message_id = ${id} and deleted_at is null
      ${reached === null ? sql`` : sql`and conversation_id > ${reached}`}
    order by conversation_id limit ${sql.lit(BATCH)}`.execute(tx)
  return rows
}

/** Whether the order is paid and not refunded, or may still become so. */
const holds = (paid: RawBuilder<unknown>) => sql`orders.kind = 'message' and orders.refunded_at is null and (
  ${paid} or exists (
    select from payments where payments.order_id = orders.id and payments.status = any(${UNDECIDED_STATUSES}::text[])
  )
)`

/** Those of these messages that nobody bought; a purchase locks its message too, so that the two exclude each other. */
async function unsold(tx: Tx, sent: Sent[]): Promise<Sent[]> {
  if (sent.length === 0) return []
  const ids = sql`${sent.map(({ id }) => id)}::uuid[]`
  await sql`select from messages where id = any(${ids}) order by id for update`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}, ${sent.map((one) => one.recipient_id)}::uuid[]) as each (id, recipient_id)
    where not exists (
      select from orders
      where buyer_id = each.recipient_id and item_id = each.id and ${holds(sql`orders.status = 'paid'`)} offset 0
    )
    intersect select id from messages where id = any(${ids}) and deleted_at is null`.execute(tx)
  const free = new Set(rows.map(({ id }) => id))
  return sent.filter(({ id }) => free.has(id))
}

/** Deletes these messages for both people, with their attachments, like a single message. */
async function remove(tx: Tx, gone: Sent[], now: Date): Promise<void> {
  if (gone.length === 0) return
  const ids = gone.map(({ id }) => id)
  const each = sql`unnest(${ids}::uuid[], ${gone.map((one) => one.conversation_id)}::uuid[],
    ${gone.map((one) => one.recipient_id)}::uuid[]) as gone (id, conversation_id, recipient_id)`
  await sql`
    with revised as (
      update conversations set revision = revision + 1,
        last_message_id = case when last_message_id = gone.id then (
          select messages.id from messages
          where messages.conversation_id = conversations.id and deleted_at is null and messages.id <> gone.id
          order by position desc limit 1
        ) else last_message_id end
      from ${each} where conversations.id = gone.conversation_id
      returning gone.id as message_id, revision
    )
    update messages set kept_content = content, content = '', deleted_at = ${now}, revision = revised.revision
    from revised where messages.id = revised.message_id`.execute(tx)
  await revoke(tx, 'message', ids, now)
  await tx
    .deleteFrom('message_reactions')
    .where('message_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const { rows: places } = await sql<{ conversationId: string; userId: string; readPosition: number }>`
    with places as (
      update conversation_members as me set unread = counted.unread,
        reminded_position = case when counted.unread > 0 then reminded_position end
      from ${each}, lateral (
        select count(*)::int as unread from messages join conversation_members as place
          on place.conversation_id = messages.conversation_id and place.user_id = gone.recipient_id
        where messages.conversation_id = gone.conversation_id and position > place.read_position
          and sender_id <> gone.recipient_id and deleted_at is null
      ) as counted
      where me.conversation_id = gone.conversation_id and me.user_id = gone.recipient_id
      returning me.conversation_id as "conversationId", me.user_id as "userId", me.read_position as "readPosition",
        me.unread
    )
    select "conversationId", "userId", "readPosition" from places where unread = 0`.execute(tx)
  await forgetReminders(tx, places, now)
}

/** Puts conversations that hold nothing anymore behind the end of the sender's list, which would go through all of them. */
async function hideEmptied(tx: Tx, creatorId: string, gone: Sent[]): Promise<void> {
  await sql`
    update conversation_members as me set last_at = '-infinity'
    from conversations join conversation_members as them on them.conversation_id = conversations.id
    where conversations.id = any(${gone.map((one) => one.conversation_id)}::uuid[]) and last_message_id is null
      and me.conversation_id = conversations.id and me.user_id = ${creatorId} and them.user_id = me.other_id
      and not me.wrote and not them.wrote`.execute(tx)
}

/** Whether a pending payment for the rest of a mass message may still succeed or fail. */
async function isBeingPaid(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages
      join conversations on conversations.id = conversation_id
      join orders on orders.item_id = messages.id and orders.buyer_id in (low_id, high_id)
    where mass_message_id = ${id} and deleted_at is null and orders.status = 'open' and ${holds(sql`false`)}
    limit 1`.execute(tx)
  return rows.length > 0
}
