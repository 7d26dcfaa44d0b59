import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Companion } from '../../../viewer.ts'
import { findConversation } from '../conversations/data.ts'
import { conversationIdOf, findWriteAccess, type Writer } from '../data.ts'
import { deleteMessage, editMessage, reactToMessage, reportMessage } from './actions.ts'
import { findAttachments, findMessages, findPosition, type MessageRow } from './data.ts'
import { presentMessage, type SentMessage } from './present.ts'

export const messageHandlers = {
  async messagePosition({ db, audience, query, now }) {
    const access = await findWriteAccess(db, audience, query.recipientId, now)
    const conversationId = conversationIdOf(audience.id, query.recipientId)
    const position = await findPosition(db, { conversationId, messageId: query.messageId })
    if (!access || access.hidden || position === null) throw new AppError('message_not_found')
    return { position }
  },

  async editMessage({ context, db, audience, companion, body, now }) {
    await editMessage(db, { ...body, writer: audience, now })
    return showMessage({ ...context, db }, { audience, companion }, body.messageId, now)
  },

  async deleteMessage({ context, db, viewer, audience, companion, body, now }) {
    await deleteMessage(db, { ...body, userId: viewer.id, now })
    return showMessage({ ...context, db }, { audience, companion }, body.messageId, now)
  },

  async reactToMessage({ context, db, viewer, audience, companion, body, now }) {
    await reactToMessage(db, { ...body, userId: viewer.id, now })
    return showMessage({ ...context, db }, { audience, companion }, body.messageId, now)
  },

  async reportMessage({ db, viewer, body, now }) {
    await reportMessage(db, { ...body, userId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

/** A message for its sender: a new one is unread, and a resent one is looked up. */
export async function presentSent(
  context: Pick<Context, 'signer'> & { db: Db },
  viewer: { audience: Writer; companion: Companion },
  message: MessageRow,
  now: Date,
): Promise<SentMessage> {
  const isNew = message.created_at.getTime() === now.getTime()
  if (!isNew || message.attached) return showMessage(context, viewer, message.id, now)
  const read = { own: 0, other: 0 }
  return presentMessage(message, { viewerId: viewer.audience.id, read, attachments: new Map() })
}

/** A message as one of its two people sees it now. Throws `message_not_found` for everybody else. */
export async function showMessage(
  context: Pick<Context, 'signer'> & { db: Db },
  viewer: { audience: Writer; companion: Companion },
  messageId: string,
  now: Date,
): Promise<SentMessage> {
  const [message] = await findMessages(context.db, [messageId])
  const row = message && (await findConversation(context.db, viewer.audience, message.conversation_id))
  if (!row) throw new AppError('message_not_found')
  const attachments = await findAttachments(context, viewer, [message], now)
  const read = { own: row.read_position, other: row.other_read_position }
  return presentMessage(message, { viewerId: viewer.audience.id, read, attachments })
}
