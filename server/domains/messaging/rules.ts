import { MAX_UNANSWERED, MESSAGE_CHANGEABLE_HOURS } from '../../../contract/constants.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { WriteAccess } from './data.ts'

const HOUR_MS = 3600 * 1000

/** Why one person may not message another, or null; `to` is null if the other isn't available to them. */
export function writeRefusal(writerId: string, to: Omit<WriteAccess, 'freshId'> | null): ErrorCode | null {
  if (!to || to.hidden) return 'recipient_unavailable'
  if (to.id === writerId) return 'message_to_yourself'
  if (to.blocked) return 'recipient_blocked'
  if (!to.reachable) return 'recipient_unavailable'
  // People can always reply, whomever the creator accepts messages from.
  if (!to.isCreator || to.wroteBefore) return null
  switch (to.audience) {
    case 'followers':
      return to.follows || to.subscribes ? null : 'followers_only'
    case 'subscribers':
      return to.subscribes ? null : 'subscribers_only'
    case 'chat':
      return to.subscribesWithChat ? null : 'chat_subscribers_only'
    default:
      return null
  }
}

/** Why somebody can't write more until they get a reply, or null. */
export function unansweredRefusal({
  wroteBefore,
  tradedBefore,
  written,
}: Pick<WriteAccess, 'wroteBefore' | 'tradedBefore' | 'written'>): ErrorCode | null {
  return wroteBefore || tradedBefore || written < MAX_UNANSWERED ? null : 'unanswered'
}

/** How many people somebody may message for the first time within an hour. */
const MOST_STARTED = { fan: 30, creator: 200 }

/** Whether one more conversation may be started after this many within the last hour. */
export function mayStart({ isCreator }: { isCreator: boolean }, started: number): boolean {
  return started < (isCreator ? MOST_STARTED.creator : MOST_STARTED.fan)
}

type Draft = { content: string; attachments: number; priceCents: number | null }

/** Why a message can't be sent to anyone, or null. */
export function draftRefusal(
  draft: Draft,
  may: { writerIsCreator: boolean; publishingOpen: boolean },
): ErrorCode | null {
  if (draft.content === '' && draft.attachments === 0) return 'message_empty'
  if (draft.priceCents === null) return null
  if (draft.attachments === 0) return 'price_without_attachments'
  if (!may.writerIsCreator) return 'creators_only'
  return may.publishingOpen ? null : 'publishing_closed'
}

/** Why this person can't edit or delete a message, or null. */
export function changeRefusal(
  message: {
    sender_id: string
    created_at: Date
    deleted_at: Date | null
    request: object | null
    tip: object | null
  } | null,
  personId: string,
  now: Date,
): ErrorCode | null {
  if (!message || message.deleted_at || message.sender_id !== personId) return 'message_not_found'
  // A request is deleted by its own call, and a paid one stays.
  if (message.request || message.tip) return 'message_stays'
  const age = now.getTime() - message.created_at.getTime()
  return age > MESSAGE_CHANGEABLE_HOURS * HOUR_MS ? 'message_too_old' : null
}
