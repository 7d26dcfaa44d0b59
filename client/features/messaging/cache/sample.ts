import type { Output } from '../../../../contract/route.ts'
import type { conversationRoutes } from '../../../../contract/routes/messaging/conversations.ts'
import type { Conversation, Message } from './timeline.ts'

/** The two people of the tests' conversation. */
export const [ME, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

/** A message for tests, sent by the other person at its position, which is its revision as well. */
export function message(position: number, changes: Partial<Message> = {}): Message {
  return {
    _id: `message ${position}`,
    conversationId: 'conversation',
    senderId: OTHER,
    clientMessageId: null,
    content: `text ${position}`,
    createdAt: new Date(Date.UTC(2026, 10, 21, 12, position)).toISOString(),
    position,
    revision: position,
    isRead: false,
    editedAt: null,
    deletedAt: null,
    replyTo: null,
    attachments: [],
    price: null,
    purchased: false,
    toMany: false,
    reactions: [],
    customRequest: null,
    tip: null,
    ...changes,
  }
}

/** The conversation for tests. */
export function conversation(changes: Partial<Conversation> = {}): Conversation {
  const person = { isCreator: false, profileImage: null }
  return {
    _id: 'conversation',
    participants: [
      { ...person, _id: ME, username: 'me' },
      { ...person, _id: OTHER, username: 'other' },
    ],
    lastMessage: null,
    revision: 0,
    unread: 0,
    readPosition: 0,
    otherReadPosition: 0,
    muted: false,
    ...changes,
  }
}

/** The server's answer with messages at these positions. */
export function answer(
  positions: readonly number[],
  { revision = Math.max(0, ...positions), hasMore = false, hasNewer = false } = {},
): Output<typeof conversationRoutes.messages> {
  const shown = conversation({ revision })
  return {
    conversation: shown,
    participants: shown.participants,
    messages: positions.map((position) => message(position)),
    hasMore,
    hasNewer,
    refusal: null,
    online: false,
  }
}
