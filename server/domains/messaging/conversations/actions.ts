import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { publish } from '../../../realtime/publish.ts'
import { markMessagesRead } from '../../notifications/inbox/actions.ts'
import { conversationIdOf, findWriteAccess, type Writer } from '../data.ts'
import { forgetReminder } from '../reminders/actions.ts'

/** Locks this conversation, after current writers are done, until the transaction ends. */
export async function lockConversation(tx: Tx, conversationId: string): Promise<void> {
  await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forUpdate().execute()
}

/**
 * Recounts a person's unread messages. The caller holds the conversation's lock, because a message that is being sent
 * updates the count too. Returns the count.
 */
export async function recount(
  tx: Tx,
  { conversationId, userId }: { conversationId: string; userId: string },
): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    update conversation_members as me set unread = (
      select count(*) from messages
      where conversation_id = me.conversation_id and position > me.read_position
        and sender_id <> me.user_id and deleted_at is null
    )
    where conversation_id = ${conversationId} and user_id = ${userId}
    returning unread`.execute(tx)
  return rows[0]?.unread ?? 0
}

/**
 * Advances a person's read position and subtracts what they read, so that the cost depends only on the messages passed.
 * `shown` says whether the other person sees it. The caller holds the conversation's lock.
 */
async function readOn(
  tx: Tx,
  {
    conversationId,
    userId,
    readTo,
    shown,
  }: { conversationId: string; userId: string; readTo: number; shown: boolean },
): Promise<void> {
  await sql`
    update conversation_members as me set
      read_position = ${readTo}::int,
      shown_position = case when ${shown}::boolean then ${readTo}::int else me.shown_position end,
      unread = case
        when ${readTo}::int >= (
          select position from conversations join messages on messages.id = last_message_id
          where conversations.id = me.conversation_id
        ) then 0
        else me.unread - (
          select count(*) from messages
          where conversation_id = me.conversation_id and position > me.read_position and position <= ${readTo}::int
            and sender_id <> me.user_id and deleted_at is null
        )
      end
    where conversation_id = ${conversationId} and user_id = ${userId} and read_position < ${readTo}::int`.execute(
    tx,
  )
}

/** Marks everything up to this message of the other person as read. Throws `message_not_found`. */
export async function markAsRead(
  tx: Tx,
  {
    conversationId,
    messageId,
    userId,
    now,
  }: { conversationId: string; messageId: string; userId: string; now: Date },
): Promise<void> {
  const message = await tx
    .selectFrom('messages')
    .innerJoin('conversation_members as me', 'me.conversation_id', 'messages.conversation_id')
    .select(['messages.position', 'messages.created_at', 'me.other_id', 'me.read_position'])
    .select(
      sql<boolean>`exists (
        select from blocks
        where (blocker_id, blocked_id) in ((me.user_id, me.other_id), (me.other_id, me.user_id)) offset 0
      )`.as('blocked'),
    )
    .where('messages.id', '=', messageId)
    .where('messages.conversation_id', '=', conversationId)
    .where('me.user_id', '=', userId)
    .executeTakeFirst()
  if (!message) throw new AppError('message_not_found')
  if (message.position <= message.read_position) return
  await lockConversation(tx, conversationId)
  await readOn(tx, { conversationId, userId, readTo: message.position, shown: !message.blocked })
  await markMessagesRead(tx, { userId, senderId: message.other_id, readTo: message.created_at, now })
  const people = message.blocked ? [userId] : [userId, message.other_id]
  await publish(tx, { name: 'conversation.read', conversationId, messageId, userId, people })
}

/** Mutes the conversation with a person and clears its notifications, or unmutes it. Throws `conversation_not_found` if it has no messages. */
export async function muteConversation(
  tx: Tx,
  viewer: Writer,
  { recipientId, muted, now }: { recipientId: string; muted: boolean; now: Date },
): Promise<void> {
  const access = await findWriteAccess(tx, viewer, recipientId, now)
  if (!access?.conversing) throw new AppError('conversation_not_found')
  const conversationId = conversationIdOf(viewer.id, recipientId)
  await tx
    .updateTable('conversation_members')
    .set({ muted_at: muted ? now : null })
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', viewer.id)
    .execute()
  if (muted) await forgetReminder(tx, { conversationId, userId: viewer.id, now })
  // The person's other windows show it, and count what is unread, too.
  await publish(tx, { name: 'conversations.changed', people: [viewer.id] })
}
