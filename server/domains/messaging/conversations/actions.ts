import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { publish } from '../../../realtime/publish.ts'
import { markMessagesRead } from '../../notifications/inbox/actions.ts'
import { conversationIdOf, findWriteAccess, type Writer } from '../data.ts'
import { forgetReminder } from '../reminders/actions.ts'

/** Waits for whoever writes into this conversation, and makes others wait until the transaction ends. */
export async function lockConversation(tx: Tx, conversationId: string): Promise<void> {
  await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forUpdate().execute()
}

/**
 * Counts anew what somebody has not read. Who calls it holds the conversation, as a message that is being sent counts
 * itself. Returns the count.
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
 * Moves on how far somebody has read, and takes off what they read by it, so that going through many messages costs what
 * is gone through. `shown` says whether the other person sees it. Who calls it holds the conversation.
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

/** Notes that somebody has read everything up to this message of the other person. Throws `message_not_found`. */
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
    .select(['messages.position', 'me.other_id', 'me.read_position'])
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
  await markMessagesRead(tx, { userId, senderId: message.other_id, now })
  const people = message.blocked ? [userId] : [userId, message.other_id]
  await publish(tx, { name: 'conversation.read', conversationId, messageId, userId, people })
}

/** Mutes the conversation with a person, with what was told of it, or unmutes it. Throws `conversation_not_found` when nothing was written yet. */
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
}
