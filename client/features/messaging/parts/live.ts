import type { QueryClient } from '@tanstack/react-query'
import { invalidate } from '../../../lib/query.ts'
import type { Handlers } from '../../../lib/socket-opening.ts'
import { keys } from '../api.ts'
import { catchUp, onChanged, onMessage, onPresence, onRead } from '../cache/events.ts'
import { startTyping, stopTyping } from '../cache/typing.ts'
import { hasUnsent } from '../outbox/unsent.ts'

type MessageEvents = Pick<
  Handlers,
  | 'connected'
  | 'chat message'
  | 'message changed'
  | 'conversations changed'
  | 'markAsRead'
  | 'typing'
  | 'presence'
  | 'notification'
>

/** Puts what the connection of this person tells of messages wherever it is shown. */
export function messageEvents(client: QueryClient, personId: string): MessageEvents {
  return {
    connected: () => catchUp(client),
    'chat message': (event) => {
      const { message, conversation } = event
      onMessage(client, personId, { ...event, change: 'sent' })
      if (message.senderId !== personId) stopTyping(conversation._id)
    },
    'message changed': (event) => onMessage(client, personId, { ...event, change: 'changed' }),
    'conversations changed': () => onChanged(client),
    markAsRead: (event) => onRead(client, personId, event),
    typing: ({ conversationId, userId }) => {
      if (userId !== personId) startTyping(conversationId)
    },
    presence: (event) => onPresence(client, event),
    notification: ({ notification }) => {
      // What somebody spent stands in the lists, and who spent most first.
      if (/^(sale|subscriber)\./.test(notification.event.kind))
        invalidate(client, [keys.lists], { running: 'kept' })
    },
  }
}

/** Goes on with what this person wrote here and what wasn’t sent yet. */
export function resumeUnsent(personId: string): void {
  if (hasUnsent(personId)) void import('../outbox/outbox.ts').then(({ outboxOf }) => outboxOf(personId))
}
