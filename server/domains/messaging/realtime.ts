import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import type { Realtime } from '../../handler.ts'
import type { Connection } from '../../realtime/connections.ts'
import { announce } from '../../realtime/publish.ts'
import { markAsRead } from './conversations/actions.ts'
import { findOther } from './conversations/data.ts'
import { conversationIdOf, findWriteAccess } from './data.ts'
import { createDelivery } from './delivery/realtime.ts'
import { presentSent } from './messages/routes.ts'
import { sendMessage } from './messages/sending/actions.ts'
import { createPresence } from './presence/realtime.ts'
import { writeRefusal } from './rules.ts'

/** Events of sockets: what people send and receive. */
export const messagingRealtime: Omit<Realtime, 'noteTimeZone'> = {
  async admit(db, { viewerId, conversationId, participantIds }) {
    const other = otherOf(viewerId, conversationId, participantIds)
    const named = participantIds.length > 0
    if (!other && (named || !(await findOther(db, conversationId, viewerId))))
      throw new AppError('conversation_not_found')
  },

  events: {
    'chat message'({ context, connection, event, now }) {
      const { senderId, conversationId, attachments, ...draft } = event.message
      const asked = connection.audience
      const named = event.conversation?.participants?.map(({ _id }) => _id) ?? []
      const recipient = findRecipient(context.db, connection, conversationId, named)
      const known = recipient.then((id) => findWriteAccess(context.db, asked, id, now))
      // Not awaited if the sender may no longer act, so a rejection must not go unhandled.
      known.catch(() => {})
      return async () => {
        const { viewer, audience } = connection
        if (senderId.toLowerCase() !== viewer.id) throw new AppError('not_yourself')
        const message = await sendMessage(context.db, {
          sender: viewer,
          audience,
          recipientId: await recipient,
          ...(isDeepStrictEqual(asked, audience) ? { access: await known } : {}),
          draft: { ...draft, mediaIds: attachments.map(({ url }) => url.slice('/media/'.length)) },
          publishingOpen: context.publishingOpen,
          config: context.config,
          now,
        })
        return { message: await presentSent(context, connection, message, now) }
      }
    },

    markAsRead({ context, connection, event, now }) {
      const [conversationId, messageId] = [event.conversationId.toLowerCase(), event._id.toLowerCase()]
      return async () => {
        const read = { conversationId, messageId, userId: connection.viewer.id, now }
        await context.db.transaction().execute((tx) => markAsRead(tx, read))
        return {}
      }
    },

    typing({ context, connection, event, now }) {
      const conversationId = event.conversationId.toLowerCase()
      return async () => {
        const { viewer, audience } = connection
        const other = await findOther(context.db, conversationId, viewer.id)
        if (!other) throw new AppError('conversation_not_found')
        const refused = writeRefusal(viewer.id, await findWriteAccess(context.db, audience, other, now))
        if (refused) throw new AppError(refused)
        await announce(context.db, { name: 'typing', conversationId, userId: viewer.id, people: [other] })
        return {}
      }
    },
  },

  createPresence,
  createDelivery,
}

/** The one of these people whose conversation with the viewer has this id. */
function otherOf(viewerId: string, conversationId: string, people: string[]): string | undefined {
  return people.find(
    (person) =>
      person.toLowerCase() !== viewerId &&
      conversationIdOf(viewerId, person) === conversationId.toLowerCase(),
  )
}

/** A message's recipient: the id of a conversation that hasn't started doesn't name them. */
async function findRecipient(
  db: Db,
  { viewer, participantIds }: Connection,
  conversationId: string,
  named: string[],
): Promise<string> {
  const recipientId =
    otherOf(viewer.id, conversationId, [...participantIds, ...named]) ??
    (await findOther(db, conversationId, viewer.id))
  if (!recipientId) throw new AppError('conversation_not_found')
  return recipientId
}
