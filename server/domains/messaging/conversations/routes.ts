import { errors } from '../../../../contract/errors.ts'
import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { conversationIdOf, findWriteAccess, type Writer } from '../data.ts'
import { findAttachments, listAroundUnread, listMessages, searchMessages } from '../messages/data.ts'
import { presentMessage } from '../messages/present.ts'
import { isOnline } from '../presence/data.ts'
import { unansweredRefusal, writeRefusal } from '../rules.ts'
import { muteConversation } from './actions.ts'
import { findConversation, findPeople, listConversations, listUnread } from './data.ts'
import { presentConversation, presentListed, presentNewConversation } from './present.ts'

export const conversationHandlers = {
  async unread({ db, viewer }) {
    const rows = await listUnread(db, viewer.id)
    return { items: rows.map(({ id }) => ({ _id: id })) }
  },

  async conversations({ db, audience, query }) {
    const { filter, showing } = query
    const rows = await listConversations(db, audience, { page: query, filter, showing })
    const { items, hasMore, nextCursor } = toPage(rows, query, presentListed)
    return { conversations: items, hasMore, nextCursor }
  },

  async messages({ context, db, audience, companion, query, now }) {
    const { recipientId, limit, from, before, after, since } = query
    if (recipientId === audience.id) throw new AppError('message_to_yourself')
    const id = conversationIdOf(audience.id, recipientId)
    const [access, row, online] = await Promise.all([
      findWriteAccess(db, audience, recipientId, now),
      findConversation(db, audience, id),
      isOnline(db, recipientId),
    ])
    if (!access || access.hidden) throw new AppError('user_not_found')
    const refused = writeRefusal(audience.id, access) ?? unansweredRefusal(access)
    const shared = {
      refusal: refused && { error: errors[refused].text, code: refused },
      // Strangers, and people who are blocked, must not see whether somebody is online.
      online: online && row !== null && access.reachable && !access.blocked,
    }
    if (!row) {
      const conversation = presentNewConversation(id, await peopleOf(db, audience, recipientId))
      const { participants } = conversation
      return { conversation, participants, messages: [], hasMore: false, hasNewer: false, ...shared }
    }
    const placed = [before, after, since].some((place) => place !== undefined)
    const { rows, hasMore, hasNewer } =
      from === 'unread' && row.unread > 0 && !placed
        ? await listAroundUnread(db, { conversationId: id, viewerId: audience.id, limit })
        : {
            ...(await listMessages(db, { conversationId: id, limit, before, after, since })),
            hasNewer: false,
          }
    const attachments = await findAttachments(context, { audience, companion }, rows, now)
    const read = { own: row.read_position, other: row.other_read_position }
    const conversation = presentConversation(row)
    return {
      conversation,
      participants: conversation.participants,
      messages: rows.map((message) => presentMessage(message, { viewerId: audience.id, read, attachments })),
      hasMore,
      hasNewer,
      ...shared,
    }
  },

  async searchMessages({ db, audience, query, now }) {
    const { recipientId, filter, before } = query
    const access = await findWriteAccess(db, audience, recipientId, now)
    if (!access || access.hidden) throw new AppError('user_not_found')
    const conversationId = conversationIdOf(audience.id, recipientId)
    const { rows, searchedTo } = await searchMessages(db, { conversationId, filter, before })
    return {
      items: rows.map((row) => ({
        _id: row.id,
        senderId: row.sender_id,
        content: row.content,
        createdAt: row.created_at.toISOString(),
        position: row.position,
      })),
      hasMore: searchedTo !== null,
      searchedTo,
    }
  },

  async muteConversation({ db, audience, body, now }) {
    await muteConversation(db, audience, { recipientId: body.recipientId, muted: body.muted, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

async function peopleOf(db: Db, viewer: Writer, otherId: string) {
  const people = await findPeople(db, viewer, otherId)
  if (!people) throw new AppError('user_not_found')
  return people
}
