import {
  MASS_MESSAGES_A_DAY,
  type MassFailure,
  MESSAGE_CHANGEABLE_HOURS,
} from '../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import { isSendTime } from '../../../../contract/send-time.ts'
import type { MessagingTables } from '../../../db/tables/messaging.ts'
import { draftRefusal } from '../rules.ts'

const HOUR_MS = 3600 * 1000

type Draft = { content: string; attachments: number; priceCents: number | null }

/** Why a mass message can't be saved, or null. `sendAt` is null if it is sent right away. */
export function saveRefusal(
  draft: Draft & { sendAt: Date | null; audience: string; listId: string | null },
  may: { publishingOpen: boolean; madeToday: number; goingThatDay: number },
  now: Date,
): ErrorCode | null {
  if (draft.audience === 'list' && draft.listId === null) return 'list_required'
  const refused = draftRefusal(draft, { writerIsCreator: true, publishingOpen: may.publishingOpen })
  if (refused) return refused
  if (draft.sendAt && !isSendTime(draft.sendAt, now)) return 'send_time_passed'
  if (may.madeToday >= MASS_MESSAGES_A_DAY) return 'mass_messages_used_up'
  return may.goingThatDay >= MASS_MESSAGES_A_DAY ? 'mass_messages_that_day' : null
}

/** Why nothing is sent for a creator who isn't there, or null. */
export function absence(creator: { suspended_at: Date | null; hidden_at: Date | null }): MassFailure | null {
  if (creator.suspended_at !== null) return 'creator_suspended'
  return creator.hidden_at === null ? null : 'creator_leaving'
}

/** Why a scheduled message can't be sent when it is due, or null. */
export function startRefusal(
  draft: Draft & { leftOut: number; free: number; audience: string; listId: string | null; expected: number },
  may: { publishingOpen: boolean; leastCents: number },
): MassFailure | null {
  if (draft.audience === 'list' && draft.listId === null) return 'fan_list_not_found'
  // Only items that were priced can be sold, and a message must not be empty.
  const sold = draft.priceCents !== null
  if ((sold && draft.leftOut > 0) || (draft.attachments === 0 && (sold || draft.content === '')))
    return 'attachment_unavailable'
  if (sold && draft.free > 0) return 'attachment_is_free'
  if (draft.priceCents !== null && draft.priceCents < may.leastCents) return 'price_too_low'
  if (sold && !may.publishingOpen) return 'publishing_closed'
  return draft.expected === 0 ? 'no_recipients' : null
}

type Sent = Pick<MessagingTables['mass_messages'], 'started_at' | 'price_cents'> & {
  status: MessagingTables['mass_messages']['status']
  sent: number
}

/** Why a mass message can't be unsent, or null. Free media can't be taken back after a day, as in any message. */
export function unsendRefusal({ status, started_at, price_cents, sent }: Sent, now: Date): ErrorCode | null {
  // A suspension, or a takedown of its media, may have stopped it during sending.
  const went = status === 'sending' || status === 'sent' || (status === 'failed' && sent > 0)
  if (!went || !started_at) return 'mass_message_unsent'
  const age = now.getTime() - started_at.getTime()
  return price_cents === null && age > MESSAGE_CHANGEABLE_HOURS * HOUR_MS ? 'mass_message_too_old' : null
}
