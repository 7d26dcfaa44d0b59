import type { z } from 'zod'
import { REACTIONS } from '../../../../contract/constants.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Message } from '../../../../contract/routes/messaging/messages.ts'
import { presentTerms } from '../custom-requests/present.ts'
import type { findAttachments, MessageRow } from './data.ts'

/** Money instead of text. */
export const presentTip = (tip: MessageRow['tip']) =>
  tip && { amount: formatMoney(tip.cents), refunded: tip.refunded }

const presentReply = (reply: MessageRow['reply']) =>
  reply && {
    _id: reply.id,
    senderId: reply.senderId,
    content: reply.content,
    position: reply.position,
    deleted: reply.deleted,
    tip: presentTip(reply.tip)?.amount ?? null,
  }

export type SentMessage = z.input<typeof Message>
type Attachments = Awaited<ReturnType<typeof findAttachments>>

/** Read positions of the viewer and of the other person. */
export type ReadPositions = { own: number; other: number }

/** A message as one of the two people sees it. */
export function presentMessage(
  row: MessageRow,
  { viewerId, read, attachments }: { viewerId: string; read: ReadPositions; attachments: Attachments },
): SentMessage {
  const own = row.sender_id === viewerId
  return {
    _id: row.id,
    conversationId: row.conversation_id,
    senderId: row.sender_id,
    clientMessageId: own ? row.client_message_id : null,
    content: row.content,
    createdAt: row.created_at.toISOString(),
    position: row.position,
    revision: row.revision,
    isRead: row.position <= (own ? read.other : read.own),
    editedAt: row.edited_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    // A deleted message says nothing, nor to what.
    replyTo: row.deleted_at ? null : presentReply(row.reply),
    attachments: (attachments.get(row.id) ?? []).map(({ item }) => ({
      url: item.url ?? null,
      mediaType: item.type,
      media: item,
    })),
    price: row.price_cents === null ? null : formatMoney(row.price_cents),
    purchased: row.bought,
    toMany: own && row.mass_message_id !== null,
    reactions: row.reactions.flatMap(({ userId, emoji }) => {
      const known = REACTIONS.find((reaction) => reaction === emoji)
      return known ? [{ userId, emoji: known }] : []
    }),
    customRequest: row.request && presentTerms(row.request),
    tip: presentTip(row.tip),
  }
}
