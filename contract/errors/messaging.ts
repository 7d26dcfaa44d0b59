import {
  MASS_MESSAGES_A_DAY,
  MAX_MESSAGE_EDITS,
  MAX_OPEN_CUSTOM_REQUESTS,
  MAX_UNANSWERED,
  type MassFailure,
  MESSAGE_CHANGEABLE_HOURS,
} from '../constants.ts'
import { WRONG_SEND_TIME } from '../send-time.ts'

/** Why a mass message was not sent to all whom it was for, as its creator is told. */
export const massFailures: Record<MassFailure, string> = {
  attachment_unavailable: 'Some of its media is no longer available.',
  attachment_is_free: 'Everyone can see some of its media for free, so it couldn’t be sold.',
  price_too_low: 'Its price is below the minimum.',
  publishing_closed: 'Publishing isn’t open yet: identity checks and review need to be set up first.',
  fan_list_not_found: 'The list it was for was deleted.',
  no_recipients: 'There was no one to send it to.',
  creators_only: 'Your account wasn’t active.',
  account_suspended: 'Your account wasn’t active.',
  creator_suspended: 'Your account was suspended.',
  creator_leaving: 'Your account was about to be deleted.',
}

/** Refusals of conversations and what is sent in them. */
export const messagingErrors = {
  message_empty: { status: 400, text: 'Write something first.', field: 'content' },
  message_to_yourself: { status: 400, text: 'You can’t message yourself.' },
  conversation_not_found: { status: 404, text: 'We couldn’t find that.' },
  message_not_found: { status: 404, text: 'We couldn’t find this message.' },
  recipient_unavailable: { status: 403, text: 'You can’t message this person.' },
  recipient_blocked: { status: 409, text: 'You blocked this person. Unblock them to message them.' },
  followers_only: {
    status: 403,
    text: 'This creator only accepts messages from followers. Follow them to write.',
  },
  subscribers_only: {
    status: 403,
    text: 'This creator only accepts messages from subscribers. Subscribe to write.',
  },
  chat_subscribers_only: {
    status: 403,
    text: 'This creator only accepts messages from subscribers whose subscription includes chat.',
  },
  unanswered: {
    status: 403,
    text: `You’ve sent ${MAX_UNANSWERED} messages without a reply. You can write again once they answer.`,
  },
  attachment_unavailable: {
    status: 400,
    text: 'A file isn’t available. Remove it and try again.',
    field: 'attachments',
  },
  attachment_not_ready: {
    status: 409,
    text: 'A file is still being prepared. Please try again in a moment.',
    field: 'attachments',
  },
  attachment_is_free: {
    status: 409,
    text: 'Everyone can already see one of these files for free. Lock it in your library, or choose another one.',
    field: 'attachments',
  },
  attachments_owned: {
    status: 409,
    text: 'This fan already owns all of this. Add something new.',
    field: 'attachments',
  },
  price_without_attachments: {
    status: 400,
    text: 'Attach what you want to sell, or remove the price.',
    field: 'price',
  },
  message_too_old: { status: 409, text: 'A message can be changed for 24 hours after it’s sent.' },
  message_edited_often: {
    status: 409,
    text: `A message can be edited up to ${MAX_MESSAGE_EDITS} times.`,
  },
  message_bought: { status: 409, text: 'This message was bought, so it can’t be changed.' },
  message_being_paid: {
    status: 409,
    text: 'Someone is paying for this right now. Try again soon.',
  },
  custom_request_not_found: { status: 404, text: 'We couldn’t find this request. It may have been deleted.' },
  not_a_creator: { status: 409, text: 'Only creators accept custom requests.' },
  custom_total: {
    status: 400,
    text: 'A custom request can cost up to $10,000 in total.',
    field: 'pricePerMinute',
  },
  custom_price: { status: 400, text: 'A custom request can cost up to $10,000.', field: 'price' },
  custom_requests_full: {
    status: 409,
    text: `You have ${MAX_OPEN_CUSTOM_REQUESTS} open requests with this creator. Wait for an answer, or delete one.`,
  },
  custom_request_being_paid: {
    status: 409,
    text: 'A payment for this request is being processed. Please try again in a few minutes.',
  },
  custom_request_paid: { status: 409, text: 'This request is paid, so it can’t be changed.' },
  custom_request_unpaid: { status: 409, text: 'This request isn’t paid yet.' },
  custom_request_refunding: {
    status: 409,
    text: 'A refund of this request is being sent to the fan, so it can’t be delivered right now. Your deadline is on hold until that’s done.',
  },
  custom_request_delivered: { status: 409, text: 'This request was already delivered.' },
  custom_request_closed: { status: 409, text: 'This request is closed.' },
  message_stays: { status: 409, text: 'This message can’t be changed.' },
  fan_list_not_found: { status: 404, text: 'We couldn’t find this list.', field: 'listId' },
  fan_list_exists: { status: 409, text: 'You already have a list with this name.', field: 'name' },
  fan_lists_full: { status: 409, text: 'You can have up to 100 lists. Delete one first.' },
  fan_list_full: { status: 409, text: 'A list can have up to 100,000 people.' },
  fan_list_in_use: {
    status: 409,
    text: 'A message that hasn’t gone out uses this list. Change or cancel that message first.',
  },
  fan_never_wrote: { status: 409, text: 'Only fans and people who wrote to you can be on a list.' },
  mass_message_not_found: { status: 404, text: 'We couldn’t find this message.' },
  mass_message_started: { status: 409, text: 'This message is already being sent.' },
  mass_message_for_nobody: { status: 409, text: 'No one would get this message. Choose other people.' },
  mass_messages_used_up: {
    status: 409,
    text: `You can create ${MASS_MESSAGES_A_DAY} mass messages a day. Please try again tomorrow.`,
  },
  mass_messages_that_day: {
    status: 409,
    text: `You already have ${MASS_MESSAGES_A_DAY} mass messages for that day. Please choose another day.`,
    field: 'sendAt',
  },
  mass_message_unsent: { status: 409, text: 'This message can’t be unsent now.' },
  mass_message_too_old: {
    status: 409,
    text: `A message without a price can be unsent for ${MESSAGE_CHANGEABLE_HOURS} hours after it’s sent.`,
  },
  list_required: { status: 400, text: 'Choose a list.', field: 'listId' },
  send_time_passed: { status: 400, text: WRONG_SEND_TIME, field: 'sendAt' },
  report_closed: { status: 409, text: 'This report is already closed.' },
  already_reported: { status: 409, text: 'You already reported this message.' },
} as const
