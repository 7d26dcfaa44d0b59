import { sql } from 'kysely'
import { MAX_MESSAGE_EDITS } from '../../../../contract/constants.ts'
import { UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { publish } from '../../../realtime/publish.ts'
import { revoke } from '../../media/entitlements/actions.ts'
import { hasBlocked, isReachable } from '../../profiles/data.ts'
import { lockConversation, recount } from '../conversations/actions.ts'
import { findOther } from '../conversations/data.ts'
import type { Writer } from '../data.ts'
import { forgetReminder } from '../reminders/actions.ts'
import { changeRefusal } from '../rules.ts'
import { countVersions, earlierJson, findKept, findMessages, type MessageRow } from './data.ts'

/**
 * Edits one's own message up to `MAX_MESSAGE_EDITS` times; the earlier text is kept for reviewers. An unchanged text changes
 * nothing. Throws what `changeRefusal` returns, `message_edited_often`, what `refuseSold` throws, and `recipient_unavailable` from
 * where the other person can't be written to.
 */
export async function editMessage(
  tx: Tx,
  { messageId, writer, content, now }: { messageId: string; writer: Writer; content: string; now: Date },
): Promise<void> {
  await change(
    tx,
    { messageId, userId: writer.id, now, own: true, reaches: true, content },
    async (revision, message, otherId) => {
      if (!(await isReachable(tx, otherId, writer))) throw new AppError('recipient_unavailable')
      await refuseSold(tx, messageId, otherId)
      if ((await countVersions(tx, messageId)) >= MAX_MESSAGE_EDITS)
        throw new AppError('message_edited_often')
      await tx
        .insertInto('message_versions')
        .values({ message_id: messageId, revision, content: message.content, until: now })
        .execute()
      await tx
        .updateTable('messages')
        .set({ content, edited_at: now, revision })
        .where('id', '=', messageId)
        .execute()
    },
  )
}

/** Deletes one's own message for both, with its attachments. Throws what `changeRefusal` returns, and `message_bought`. */
export async function deleteMessage(
  tx: Tx,
  { messageId, userId, now }: { messageId: string; userId: string; now: Date },
): Promise<void> {
  await change(
    tx,
    { messageId, userId, now, own: true, reaches: false },
    async (revision, message, otherId) => {
      await refuseSold(tx, messageId, otherId)
      await emptyMessage(tx, { revision, message, otherId, now })
    },
  )
}

/**
 * Removes a message's text and attachments. Its place stays, and so does its text, hidden from both, while it can be
 * reported. The caller holds the conversation's lock.
 */
export async function emptyMessage(
  tx: Tx,
  { revision, message, otherId, now }: { revision: number; message: MessageRow; otherId: string; now: Date },
): Promise<void> {
  const { id: messageId, conversation_id: conversationId } = message
  await tx
    .updateTable('messages')
    .set((eb) => ({ kept_content: eb.ref('content'), content: '', deleted_at: now, revision }))
    .where('id', '=', messageId)
    .execute()
  await revoke(tx, 'message', [messageId], now)
  await tx.deleteFrom('message_reactions').where('message_id', '=', messageId).execute()
  await sql`
    update conversations set last_message_id = (
      select id from messages where conversation_id = ${conversationId} and deleted_at is null
      order by position desc limit 1
    ) where id = ${conversationId} and last_message_id = ${messageId}`.execute(tx)
  const unread = await recount(tx, { conversationId, userId: otherId })
  if (unread === 0) await forgetReminder(tx, { conversationId, userId: otherId, now })
}

/**
 * A sold message can't be changed: throws `message_bought`, and `message_being_paid` while its payment is undecided. A
 * purchase locks the message too, so that the two exclude each other.
 */
async function refuseSold(tx: Tx, messageId: string, buyerId: string): Promise<void> {
  await tx.selectFrom('messages').select('id').where('id', '=', messageId).forUpdate().execute()
  const order = await tx
    .selectFrom('orders')
    .select('status')
    .where('buyer_id', '=', buyerId)
    .where('kind', '=', 'message')
    .where('item_id', '=', messageId)
    .where('refunded_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'paid'),
        eb.exists(
          eb
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.order_id', '=', 'orders.id')
            .where('payments.status', 'in', UNDECIDED_STATUSES),
        ),
      ]),
    )
    .executeTakeFirst()
  if (order) throw new AppError(order.status === 'paid' ? 'message_bought' : 'message_being_paid')
}

/** Sets or removes a person's reaction to a message of their conversation. */
export async function reactToMessage(
  tx: Tx,
  reaction: { messageId: string; userId: string; emoji: string | null; now: Date },
): Promise<void> {
  const { messageId, userId, emoji, now } = reaction
  await change(tx, { messageId, userId, now, own: false, reaches: true }, async (revision) => {
    if (emoji === null)
      await tx
        .deleteFrom('message_reactions')
        .where('message_id', '=', messageId)
        .where('user_id', '=', userId)
        .execute()
    else
      await tx
        .insertInto('message_reactions')
        .values({ message_id: messageId, user_id: userId, emoji })
        .onConflict((conflict) => conflict.columns(['message_id', 'user_id']).doUpdateSet({ emoji }))
        .execute()
    await tx.updateTable('messages').set({ revision }).where('id', '=', messageId).execute()
  })
}

/** Stores the other person's message for the operator, even if it was edited or deleted since. Throws `message_not_found` and `already_reported`. */
export async function reportMessage(
  tx: Tx,
  report: { messageId: string; userId: string; reason: string; now: Date },
): Promise<void> {
  const { messageId, userId, reason, now } = report
  const [message] = await findMessages(tx, [messageId])
  const otherId = message && (await findOther(tx, message.conversation_id, userId))
  if (!message || otherId !== message.sender_id) throw new AppError('message_not_found')
  const content = message.deleted_at ? await findKept(tx, messageId) : message.content
  if (content === null) throw new AppError('message_not_found')
  const kept = await tx
    .insertInto('message_reports')
    .values({
      message_id: messageId,
      reporter_id: userId,
      sender_id: message.sender_id,
      content,
      earlier: earlierJson(sql.val(messageId)),
      reason,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'reporter_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw new AppError('already_reported')
}

/** Changes a message in one of this person's conversations at its next revision, and notifies both. */
async function change(
  tx: Tx,
  asked: {
    messageId: string
    userId: string
    now: Date
    /** Only for its sender. */
    own: boolean
    /** It shows the other person something new, which a block prevents, and which hidden people don't get. */
    reaches: boolean
    /** The new text; a message that already has it stays as it is, and nobody is told. */
    content?: string
  },
  work: (revision: number, message: MessageRow, otherId: string) => Promise<void>,
): Promise<void> {
  const { messageId, userId, now, own, reaches, content } = asked
  const [named] = await findMessages(tx, [messageId])
  const otherId = named && (await findOther(tx, named.conversation_id, userId))
  if (!named || !otherId) throw new AppError('message_not_found')
  if (reaches) await refuseUnreachable(tx, userId, otherId)
  const conversationId = named.conversation_id
  await lockConversation(tx, conversationId)
  const [message] = await findMessages(tx, [messageId])
  const refused = own ? changeRefusal(message ?? null, userId, now) : null
  if (refused) throw new AppError(refused)
  if (!message || message.deleted_at) throw new AppError('message_not_found')
  if (message.content === content) return
  await changeMessage(tx, { message, people: [userId, otherId] }, (revision) =>
    work(revision, message, otherId),
  )
}

/** Changes a message at its conversation's next revision, and notifies both people. */
export async function changeMessage(
  tx: Tx,
  { message, people }: { message: MessageRow; people: [string, string] },
  work: (revision: number, message: MessageRow) => Promise<void>,
): Promise<void> {
  const { id: messageId, conversation_id: conversationId } = message
  const { revision } = await tx
    .updateTable('conversations')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', conversationId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await work(revision, message)
  await publish(tx, { name: 'message.changed', conversationId, messageId, people })
}

async function refuseUnreachable(tx: Tx, userId: string, otherId: string): Promise<void> {
  if (await hasBlocked(tx, userId, otherId)) throw new AppError('recipient_blocked')
  const { hidden_at } = await tx
    .selectFrom('users')
    .select('hidden_at')
    .where('id', '=', otherId)
    .executeTakeFirstOrThrow()
  if (hidden_at || (await hasBlocked(tx, otherId, userId))) throw new AppError('recipient_unavailable')
}
