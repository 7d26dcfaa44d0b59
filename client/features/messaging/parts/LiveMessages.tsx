import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAdmitted, useSession } from '../../../lib/session.tsx'
import { connect } from '../../../lib/socket.ts'
import { catchUpNotifications, notificationEvents } from '../../notifications/api.ts'
import { catchUp, onMessage, onPresence, onRead } from '../cache/events.ts'
import { startTyping, stopTyping } from '../cache/typing.ts'
import { hasUnsent } from '../outbox/unsent.ts'

/** Keeps the connection of who is logged in, and puts what it tells wherever it is shown. */
export function LiveMessages() {
  const { token, currentUser, ended } = useSession()
  const client = useQueryClient()
  const personId = currentUser && isAdmitted(currentUser) ? currentUser._id : null
  useEffect(() => {
    if (!token || !personId || ended) return
    if (hasUnsent(personId)) void import('../outbox/outbox.ts').then(({ outboxOf }) => outboxOf(personId))
    return connect(token, {
      ...notificationEvents(client),
      connected: () => {
        catchUp(client)
        catchUpNotifications(client)
      },
      'chat message': (event) => {
        const { message, conversation } = event
        onMessage(client, personId, event)
        if (message.senderId !== personId) stopTyping(conversation._id)
      },
      'message changed': (event) => onMessage(client, personId, event),
      markAsRead: (event) => onRead(client, personId, event),
      typing: ({ conversationId, userId }) => {
        if (userId !== personId) startTyping(conversationId)
      },
      presence: (event) => onPresence(client, event),
    })
  }, [token, personId, ended, client])
  return null
}
