import type { z } from 'zod'
import { profileImageAddress } from '../../../../contract/files.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Conversation, Participant } from '../../../../contract/routes/messaging/conversations.ts'
import { presentTip } from '../messages/present.ts'
import type { ConversationRow } from './data.ts'

export type SeenConversation = z.input<typeof Conversation>

/** One of the two people of a conversation. */
export function presentParticipant(person: ConversationRow['own']): z.input<typeof Participant> {
  return {
    _id: person.id,
    username: person.username,
    isCreator: person.is_creator,
    profileImage: profileImageAddress(person.id, person.profile_image),
  }
}

/** A conversation as its viewer sees it. */
export function presentConversation(row: ConversationRow): SeenConversation {
  const { last } = row
  return {
    _id: row.id,
    participants: [presentParticipant(row.own), presentParticipant(row.other)],
    lastMessage: last && {
      _id: last.id,
      senderId: last.sender_id,
      content: last.content,
      createdAt: new Date(last.created_at).toISOString(),
      position: last.position,
      isRead:
        last.position <= (last.sender_id === row.viewer_id ? row.other_read_position : row.read_position),
      attachments: last.attachments,
      request: last.request,
      tip: presentTip(last.tip),
    },
    revision: row.revision,
    unread: row.unread,
    readPosition: row.read_position,
    otherReadPosition: row.other_read_position,
    muted: row.muted,
  }
}

/** A conversation in its viewer's list. */
export function presentListed(row: ConversationRow & { spent_cents: number }) {
  const spent = row.own.is_creator && row.spent_cents > 0 ? formatMoney(row.spent_cents) : null
  return { ...presentConversation(row), spent }
}

/** A conversation without messages. */
export function presentNewConversation(
  id: string,
  people: { own: ConversationRow['own']; other: ConversationRow['own'] },
): SeenConversation {
  return {
    _id: id,
    participants: [presentParticipant(people.own), presentParticipant(people.other)],
    lastMessage: null,
    revision: 0,
    unread: 0,
    readPosition: 0,
    otherReadPosition: 0,
    muted: false,
  }
}
