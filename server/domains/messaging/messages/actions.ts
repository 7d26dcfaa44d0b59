import { sql } from 'kysely'
import { parseMoney } from '../../../../contract/money.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { publish, signaling } from '../../../realtime/publish.ts'
import type { Viewer } from '../../../viewer.ts'
import { grant, revoke } from '../../media/entitlements/actions.ts'
import { lockConversation, recount } from '../conversations/actions.ts'
import { findOther } from '../conversations/data.ts'
import { conversationIdOf, findStanding, type Writer } from '../data.ts'
import { online } from '../presence/data.ts'
import { remindLater } from '../reminders/actions.ts'
import { changeRefusal, draftRefusal, writeRefusal } from '../rules.ts'
import { findAttachable, findByClientId, findMessages, type MessageRow } from './data.ts'

export type Draft = {
  content: string
  clientMessageId?: string | undefined
  /** Handles of media, in their order. */
  mediaIds: string[]
  price?: string | undefined
  replyTo?: string | undefined
}

export type Sending = {
  sender: Pick<Viewer, 'id' | 'isCreator'>
  audience: Writer
  recipientId: string
  draft: Draft
  publishingOpen: boolean
  now: Date
}

/**
 * Stores a message and has it delivered to both once it is. Sent again under the same `clientMessageId` it answers what
 * was stored the first time, and nothing else happens. Opens its own transaction, since the database's refusal of a
 * second one ends it.
 */
export async function sendMessage(db: Db, sending: Sending): Promise<string> {
  try {
    return await db.transaction().execute((tx) => storeMessage(tx, sending))
  } catch (error) {
    if (!violates(error, 'messages_sender_id_client_message_id_key')) throw error
    const stored = await findStored(db, sending)
    if (stored === null) throw error
    return stored
  }
}

/** The id of the message that was stored under this client's name for it, or null. */
async function findStored(db: Db, { sender, recipientId, draft }: Sending): Promise<string | null> {
  const { clientMessageId } = draft
  if (clientMessageId === undefined) return null
  const stored = await findByClientId(db, { senderId: sender.id, clientMessageId })
  if (stored && stored.conversation_id !== conversationIdOf(sender.id, recipientId))
    throw new AppError('idempotency_key_reused')
  return stored?.id ?? null
}

/** `sendMessage` in the caller’s transaction, which a second message of the same `clientMessageId` at the same time ends. */
export async function storeMessage(tx: Tx, sending: Sending): Promise<string> {
  const { sender, audience, recipientId, draft, now } = sending
  const priceCents = draft.price === undefined ? null : parseMoney(draft.price)
  const standing = await findStanding(tx, audience, recipientId, now)
  const refused =
    writeRefusal(sender.id, standing) ??
    draftRefusal(
      { content: draft.content, attachments: draft.mediaIds.length, priceCents },
      { writerIsCreator: sender.isCreator, publishingOpen: sending.publishingOpen },
    )
  if (refused || !standing) {
    // What was stored before somebody was blocked stays acknowledged.
    const stored = await findStored(tx, sending)
    if (stored !== null) return stored
    throw new AppError(refused ?? 'recipient_unavailable')
  }
  const conversationId = conversationIdOf(sender.id, standing.id)
  const attached = await attachable(tx, sender.id, draft.mediaIds)
  await refuseForeignReply(tx, conversationId, draft.replyTo)
  const messageId = standing.freshId
  const written = { ...sending, recipientId: standing.id, conversationId, messageId, priceCents }
  if (await insertMessage(tx, written)) await remindLater(tx, { conversationId, userId: standing.id, now })
  if (attached.length > 0) {
    await tx
      .insertInto('message_attachments')
      .values(
        attached.map(({ mediaId, versionId }, place) => ({
          message_id: messageId,
          place,
          media_id: mediaId,
          version_id: versionId,
        })),
      )
      .execute()
    if (priceCents === null)
      await grant(tx, {
        userId: standing.id,
        source: { kind: 'message', id: messageId },
        gives: { media: attached },
        now,
      })
  }
  return messageId
}

type Written = Sending & { conversationId: string; messageId: string; priceCents: number | null }

/**
 * One statement: the conversation that comes to be or goes on, the message, both people’s places, and the signal. Returns
 * whether it is the first unread one of somebody who isn’t there to see it.
 */
async function insertMessage(tx: Tx, message: Written): Promise<boolean> {
  const { sender, recipientId, draft, conversationId, messageId, priceCents, now } = message
  const [low, high] = [sender.id, recipientId].sort()
  const { rows } = await sql<{ unnoticed: boolean }>`
    with conversation as (
      insert into conversations (id, low_id, high_id, revision, last_message_id, created_at)
      values (${conversationId}, ${low}, ${high}, 1, ${messageId}, ${now})
      on conflict (id) do update
        set revision = conversations.revision + 1, last_message_id = excluded.last_message_id
      returning revision
    ), message as (
      insert into messages (id, conversation_id, position, revision, sender_id, client_message_id, content, created_at,
        reply_to, price_cents)
      select ${messageId}::uuid, ${conversationId}::uuid, revision, revision, ${sender.id}::uuid,
        ${draft.clientMessageId ?? null}::uuid, ${draft.content}, ${now}::timestamptz, ${draft.replyTo ?? null}::uuid,
        ${priceCents}::int
      from conversation
    ), members as (
      insert into conversation_members (conversation_id, user_id, other_id, last_at, unread, wrote)
      select ${conversationId}::uuid, place.user_id, place.other_id, ${now}::timestamptz, place.unread, place.wrote
      from conversation, (values
        (${sender.id}::uuid, ${recipientId}::uuid, 0, true), (${recipientId}::uuid, ${sender.id}::uuid, 1, false)
      ) as place (user_id, other_id, unread, wrote)
      on conflict (conversation_id, user_id) do update set
        last_at = excluded.last_at,
        unread = conversation_members.unread + excluded.unread,
        wrote = conversation_members.wrote or excluded.wrote
      returning user_id, unread, muted_at
    )
    select ${signaling({ name: 'message.sent', conversationId, messageId, people: [sender.id, recipientId] })},
      members.unread = 1 and members.muted_at is null and not ${online(recipientId)} as unnoticed
    from members where user_id = ${recipientId}`.execute(tx)
  return rows[0]?.unnoticed === true
}

/** The items of these handles with the versions that are sent. Throws `attachment_unavailable` and `attachment_not_ready`. */
async function attachable(db: Db, ownerId: string, mediaIds: string[]) {
  const wanted = [...new Set(mediaIds)]
  if (wanted.length === 0) return []
  const found = new Map((await findAttachable(db, ownerId, wanted)).map((row) => [row.id, row]))
  return wanted.map((id) => {
    const row = found.get(id)
    if (row?.version_id) return { mediaId: id, versionId: row.version_id }
    throw new AppError(row?.pending ? 'attachment_not_ready' : 'attachment_unavailable')
  })
}

async function refuseForeignReply(db: Db, conversationId: string, replyTo: string | undefined) {
  if (replyTo === undefined) return
  const [answered] = await findMessages(db, [replyTo])
  if (answered?.conversation_id !== conversationId || answered.deleted_at)
    throw new AppError('message_not_found')
}

/** Changes the text of an own message. Throws what `changeRefusal` says. */
export async function editMessage(
  tx: Tx,
  { messageId, userId, content, now }: { messageId: string; userId: string; content: string; now: Date },
): Promise<void> {
  await change(tx, { messageId, userId, now, own: true }, async (revision) => {
    await tx
      .updateTable('messages')
      .set({ content, edited_at: now, revision })
      .where('id', '=', messageId)
      .execute()
  })
}

/** Deletes an own message for both, with what came with it. Throws what `changeRefusal` says, and `message_bought`. */
export async function deleteMessage(
  tx: Tx,
  { messageId, userId, now }: { messageId: string; userId: string; now: Date },
): Promise<void> {
  await change(tx, { messageId, userId, now, own: true }, async (revision, message, otherId) => {
    if (message.bought) throw new AppError('message_bought')
    await tx
      .updateTable('messages')
      .set({ content: '', deleted_at: now, revision })
      .where('id', '=', messageId)
      .execute()
    await revoke(tx, 'message', [messageId], now)
    await tx.deleteFrom('message_attachments').where('message_id', '=', messageId).execute()
    await tx.deleteFrom('message_reactions').where('message_id', '=', messageId).execute()
    const conversationId = message.conversation_id
    await sql`
      update conversations set last_message_id = (
        select id from messages where conversation_id = ${conversationId} and deleted_at is null
        order by position desc limit 1
      ) where id = ${conversationId} and last_message_id = ${messageId}`.execute(tx)
    await recount(tx, { conversationId, userId: otherId, readTo: 0 })
  })
}

/** Sets somebody’s one reaction to a message of their conversation, or takes it back. */
export async function reactToMessage(
  tx: Tx,
  reaction: { messageId: string; userId: string; emoji: string | null; now: Date },
): Promise<void> {
  const { messageId, userId, emoji, now } = reaction
  await change(tx, { messageId, userId, now, own: false }, async (revision) => {
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

/** Keeps what the other person wrote for the operator. Throws `message_not_found` and `already_reported`. */
export async function reportMessage(
  tx: Tx,
  report: { messageId: string; userId: string; reason: string; now: Date },
): Promise<void> {
  const { messageId, userId, reason, now } = report
  const [message] = await findMessages(tx, [messageId])
  const otherId = message && (await findOther(tx, message.conversation_id, userId))
  if (!message || message.deleted_at || otherId !== message.sender_id) throw new AppError('message_not_found')
  const kept = await tx
    .insertInto('message_reports')
    .values({
      message_id: messageId,
      reporter_id: userId,
      sender_id: message.sender_id,
      content: message.content,
      reason,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'reporter_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw new AppError('already_reported')
}

/** Changes a message of a conversation of this person at its next revision, and tells both. */
async function change(
  tx: Tx,
  asked: { messageId: string; userId: string; now: Date; own: boolean },
  work: (revision: number, message: MessageRow, otherId: string) => Promise<void>,
): Promise<void> {
  const { messageId, userId, now, own } = asked
  const [named] = await findMessages(tx, [messageId])
  const otherId = named && (await findOther(tx, named.conversation_id, userId))
  if (!named || !otherId) throw new AppError('message_not_found')
  const conversationId = named.conversation_id
  await lockConversation(tx, conversationId)
  const [message] = await findMessages(tx, [messageId])
  const refused = own ? changeRefusal(message ?? null, userId, now) : null
  if (refused) throw new AppError(refused)
  if (!message || message.deleted_at) throw new AppError('message_not_found')
  const { revision } = await tx
    .updateTable('conversations')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', conversationId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await work(revision, message, otherId)
  await publish(tx, { name: 'message.changed', conversationId, messageId, people: [userId, otherId] })
}
