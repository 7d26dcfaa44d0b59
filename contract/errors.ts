const callErrors = {
  invalid_input: { status: 400, text: 'Please check the highlighted fields and try again.' },
  malformed_body: { status: 400, text: 'We couldn’t read that request. Please try again.' },
  skip_too_deep: { status: 400, text: 'skip can be at most 10,000. Use cursor to go further.' },
  bad_cursor: { status: 400, text: 'This cursor is invalid. Start again from the first page.' },
  not_authenticated: { status: 401, text: 'Please log in.' },
  sandbox_token_missing: {
    status: 401,
    text: 'The sandbox requires its token. See SANDBOX_TOKEN in docs/operating.md.',
  },
  forbidden: { status: 403, text: 'You can’t do that.' },
  other_origin: { status: 403, text: 'This request came from another site, so we ignored it.' },
  not_yourself: { status: 403, text: 'That belongs to someone else.' },
  seller_blocked: { status: 409, text: 'You blocked this creator. Unblock them to buy from them.' },
  creators_only: { status: 403, text: 'Only creators can do that.' },
  permission_required: { status: 403, text: 'Your account isn’t allowed to do that.' },
  not_owner: { status: 403, text: 'you do not have access to this page' },
  reason_required: { status: 400, text: 'Enter a short reason.', field: 'reason' },
  link_expired: { status: 403, text: 'This link has expired.' },
  not_found: { status: 404, text: 'We couldn’t find that.' },
  request_in_flight: { status: 409, text: 'We’re already working on this. Please wait a moment.' },
  body_too_large: { status: 413, text: 'This request is too large.' },
  unsupported_media_type: { status: 415, text: 'This content type isn’t supported.' },
  idempotency_key_reused: { status: 422, text: 'This request was already sent with different content.' },
  headers_too_large: { status: 431, text: 'This request is too large.' },
  rate_limited: { status: 429, text: 'Too many attempts. Please wait a moment and try again.' },
  internal: { status: 500, text: 'Something went wrong on our end. Please try again.' },
  not_ready: { status: 503, text: 'We’re starting up. Please try again in a moment.' },
} as const

const notificationErrors = {
  push_unavailable: { status: 409, text: 'This browser’s notifications aren’t supported here.' },
  unsubscribe_invalid: {
    status: 404,
    text: 'This link doesn’t work. Change your emails in your notification settings.',
  },
} as const

const identityErrors = {
  password_too_short: { status: 400, text: 'Password must be 8 or more characters' },
  account_suspended: {
    status: 403,
    text: 'Your account is suspended. Contact us if you think this is a mistake.',
  },
  suspend_yourself: { status: 409, text: 'You can’t suspend your own account.' },
  already_suspended: { status: 409, text: 'This account is already suspended.' },
  not_suspended: { status: 409, text: 'This account isn’t suspended.' },
  login_failed: { status: 401, text: 'There was a problem logging in.' },
  email_unverified: { status: 403, text: 'Please verify your email address first.' },
  signup_taken: { status: 409, text: 'Something went wrong. The email or username may already exist.' },
  last_superadmin: {
    status: 409,
    text: 'This is the only account that can assign roles. Make someone else a superadmin first.',
  },
  confirmation_invalid: {
    status: 400,
    text: 'There was an error sorry. The link may have expired. Request a new one, or contact the team.',
  },
  reset_invalid: {
    status: 400,
    text: 'There was an error resetting the password. Please try again or contact the official account on the forum service, or report the issue by email.',
  },
  password_too_common: {
    status: 400,
    text: 'This password is too common. Choose one that’s harder to guess.',
    field: 'password',
  },
  password_like_account: {
    status: 400,
    text: 'Choose a password that isn’t your name, your email, or the name of this site.',
    field: 'password',
  },
  password_wrong: { status: 403, text: 'Incorrect password.' },
  second_factor_wrong: { status: 403, text: 'Incorrect code. Try the newest one.' },
  passkey_refused: { status: 403, text: 'We couldn’t verify this passkey. Try again or use another method.' },
  challenge_expired: { status: 403, text: 'This took too long. Please start over.' },
  reauthentication_required: { status: 403, text: 'Please confirm it’s you first.' },
  second_factor_required: {
    status: 403,
    text: 'Set up two-factor authentication first. Your role requires it.',
  },
  second_factor_missing: { status: 409, text: 'Set up an authenticator app or a passkey first.' },
  totp_exists: { status: 409, text: 'An authenticator app is already set up. Remove it first.' },
  passkey_exists: { status: 409, text: 'This passkey is already set up.' },
  too_many_passkeys: { status: 409, text: 'You’ve reached the limit of 20 passkeys. Remove one first.' },
} as const

const profilesErrors = {
  user_not_found: { status: 404, text: 'We couldn’t find this person.' },
  profile_taken: {
    status: 409,
    text: 'Something went wrong. Username and email must be unique across the entire site.',
  },
  block_yourself: { status: 409, text: 'You can’t block yourself.' },
  follow_yourself: { status: 409, text: 'You can’t follow yourself.' },
  follow_blocked: { status: 409, text: 'You blocked this person. Unblock them before you follow them.' },
} as const

const mediaErrors = {
  media_not_found: { status: 404, text: 'We couldn’t find this media.' },
  tag_not_found: { status: 404, text: 'We couldn’t find this tag.', field: 'tagIds' },
  performer_not_found: {
    status: 404,
    text: 'This person isn’t on your list.',
    field: 'performerIds',
  },
  upload_not_found: { status: 404, text: 'We couldn’t find this upload. Please start over.' },
  already_unlocked: { status: 409, text: 'Error. User probably has this media already.' },
  too_many_tags: { status: 409, text: 'An item can have up to 20 tags.', field: 'tagIds' },
  chunks_mismatch: {
    status: 409,
    text: 'These chunks belong to another file. Please start over.',
  },
  upload_already_used: { status: 409, text: 'This file was already uploaded.' },
  too_many_uploads: {
    status: 409,
    text: 'You have too many unfinished uploads. Finish or cancel some first.',
  },
  unfinished_too_large: {
    status: 409,
    text: 'Your unfinished uploads have reached the storage limit. Finish or cancel some first.',
  },
  library_full: {
    status: 409,
    text: 'Your library is full. Delete media you no longer need, then upload again.',
  },
  kept_files_full: {
    status: 409,
    text: 'Your deleted and replaced files have reached the storage limit. Deleted files are removed after 30 days. Please upload again then.',
  },
  upload_offset_wrong: {
    status: 409,
    text: 'The upload stopped somewhere else. Check how much was received and continue from there.',
  },
  upload_size_differs: {
    status: 409,
    text: 'This file isn’t the same size as the one you started with. Please start over.',
  },
  upload_in_pieces: { status: 409, text: 'This upload was interrupted too many times. Please start over.' },
  upload_too_large: { status: 413, text: 'This file is too large.' },
  red_gif_unreadable: {
    status: 400,
    text: 'This isn’t a RedGifs link or ID. Paste the link to the gif’s page.',
    field: 'redGif',
  },
  not_a_video: { status: 400, text: 'You can only choose a poster for a video.' },
  poster_not_taken: {
    status: 409,
    text: 'We couldn’t make a poster from this moment, so we kept the old one. Try another moment.',
  },
  content_range_invalid: {
    status: 400,
    text: 'Content-Range must be “bytes 0-99/100” with a body, or “bytes */100” without one.',
  },
  chunk_size_wrong: { status: 400, text: 'Every chunk except the last must be 1 MiB.' },
  media_empty: { status: 400, text: 'This file is empty.' },
  media_type_unsupported: {
    status: 400,
    text: 'This file type isn’t supported. Use PNG, JPG, WebP, HEIC, AVIF, GIF, TIFF, BMP, MP4, or MOV.',
  },
  media_unreadable: { status: 400, text: 'This file is damaged and can’t be opened.' },
  media_too_many_pixels: { status: 400, text: 'This photo is larger than 50 megapixels.' },
  media_too_large: { status: 413, text: 'This file is too large.' },
  media_too_long_to_process: {
    status: 400,
    text: 'This file took too long to process. Try a shorter or smaller version.',
  },
  media_no_picture: {
    status: 400,
    text: 'This file has no image in it, or the image is too small.',
  },
} as const

const commerceErrors = {
  card_declined: {
    status: 402,
    text: 'Your card was declined. You have not been charged. Try another card.',
  },
  card_token_expired: {
    status: 402,
    text: 'Your card details have expired. You have not been charged. Please enter them again.',
  },
  payment_refused: {
    status: 402,
    text: 'The payment was refused. You have not been charged. Please check the card details.',
  },
  gateway_unreachable: {
    status: 402,
    text: 'The payment service can’t be reached. You have not been charged. Please try again in a few minutes.',
  },
  payment_interrupted: {
    status: 402,
    text: 'The payment was interrupted. You have not been charged. Please try again.',
  },
  card_not_found: { status: 404, text: 'We couldn’t find this card. It may have been removed.' },
  card_expired: { status: 409, text: 'This card has expired. Use another card.' },
  card_gone: {
    status: 402,
    text: 'The payment service no longer has this card. You have not been charged. Use another card.',
  },
  card_required: { status: 400, text: 'Choose a card to pay with.' },
  card_refused: {
    status: 402,
    text: 'The payment service couldn’t save this card. Please check the details and try again.',
  },
  card_unconfirmed: {
    status: 402,
    text: 'We couldn’t confirm this card yet. We’ll keep checking, and it appears here once it’s saved.',
  },
  card_addition_in_progress: {
    status: 409,
    text: 'We’re still checking the last card you added. Please try again in a few minutes.',
  },
  card_being_removed: {
    status: 409,
    text: 'This card is still being removed. Please add it again in a few minutes.',
  },
  too_many_cards: { status: 409, text: 'You can save up to 10 cards. Remove one first.' },
  cards_paused: {
    status: 429,
    text: 'Your last two cards were declined. Please wait 5 minutes, then try another card.',
  },
  too_many_card_attempts: {
    status: 429,
    text: 'Too many payment attempts. Please try again later, or contact us.',
  },
  publishing_closed: {
    status: 403,
    text: 'You can’t publish yet. Identity checks and review need to be set up first.',
  },
  item_not_found: { status: 404, text: 'This item isn’t for sale.' },
  already_owned: { status: 409, text: 'You already have this.' },
  already_subscribed: { status: 409, text: 'Already Subscribed!' },
  subscription_not_found: { status: 404, text: 'We couldn’t find this subscription.' },
  fan_unavailable: { status: 409, text: 'This person can’t be given anything from this creator right now.' },
  already_paying: {
    status: 409,
    text: 'This person already has a paid subscription. Extend it by months instead.',
  },
  not_subscribed: {
    status: 409,
    text: 'This person doesn’t have this subscription now. Give them free days instead.',
  },
  renewal_unpaid: {
    status: 409,
    text: 'A renewal of this subscription is unpaid. It can be extended once that’s paid.',
  },
  renewal_in_progress: {
    status: 409,
    text: 'This subscription is being renewed right now. Please try again in a few minutes.',
  },
  subscription_ended: { status: 409, text: 'This subscription has ended. You can subscribe again.' },
  not_renewable: { status: 409, text: 'This subscription isn’t for sale anymore, so it can’t be resumed.' },
  purchase_in_progress: {
    status: 409,
    text: 'We’re still checking your last payment for this. You will not be charged twice.',
  },
  price_changed: { status: 409, text: 'The price has changed. Please review it before you buy.' },
  contents_changed: {
    status: 409,
    text: 'The contents have changed. Please review them before you buy.',
  },
  delivery_changed: {
    status: 409,
    text: 'The delivery time has changed. Please review it before you buy.',
  },
  no_longer_available: {
    status: 409,
    text: 'This is no longer available, so we reversed the charge.',
  },
  refund_in_progress: { status: 409, text: 'We’re still checking another refund of this payment.' },
  not_refundable: { status: 409, text: 'This payment can’t be refunded.' },
  refund_exceeds_payment: {
    status: 409,
    text: 'That’s more than is left of this payment. Enter a smaller amount.',
    field: 'amount',
  },
  refund_refused: {
    status: 402,
    text: 'The payment service refused this refund. Parts of a payment can be refunded once it has settled, usually the next day.',
  },
  offer_not_found: { status: 404, text: 'We couldn’t find this offer.' },
  offer_expired: { status: 409, text: 'Sorry, this offer is expired' },
  offer_redeemed: { status: 409, text: 'You have already redeemed this offer' },
  offer_unavailable: { status: 403, text: "You don't have access to this page" },
  offer_used_up: { status: 409, text: 'Sorry, this offer has been claimed by everyone it was meant for.' },
  offer_has_price: { status: 409, text: 'This offer has a price. Buy it to redeem it.' },
  offer_not_cheaper: {
    status: 400,
    text: 'Enter a price below the regular one.',
    field: 'price',
  },
  not_disputable: {
    status: 409,
    text: 'Only a payment that was captured, and not given back in full, can be disputed.',
  },
  dispute_exceeds_payment: {
    status: 409,
    text: 'That’s more than is left of this payment. Enter a smaller amount.',
    field: 'amount',
  },
  dispute_recorded: { status: 409, text: 'This dispute is already recorded.', field: 'caseNumber' },
  dispute_decided: { status: 409, text: 'This dispute was already decided. Reload the page.' },
  tip_amount: { status: 400, text: 'Choose a tip of $1 to $500.', field: 'amount' },
  own_item: { status: 409, text: 'This is yours, so there’s no need to buy it.' },
  payout_not_found: { status: 404, text: 'We couldn’t find this payout.' },
  payout_changed: { status: 409, text: 'Someone changed this payout meanwhile. Reload the page.' },
  own_payout: { status: 409, text: 'You can’t approve your own payout. Ask someone else with access.' },
  payouts_on_hold: {
    status: 409,
    text: 'Payouts are on hold: our payments differ from the gateway’s. Resolve what was found first.',
  },
  payout_below_minimum: { status: 400, text: 'The smallest payout is $20.', field: 'amount' },
  payout_exceeds_balance: {
    status: 409,
    text: 'That’s more than your available balance. Enter a smaller amount.',
    field: 'amount',
  },
  must_include_title: { status: 400, text: 'Must include title', field: 'title' },
  price_too_low: { status: 400, text: 'This price is too low. Enter a higher one.', field: 'price' },
  must_include_price: { status: 400, text: 'Must include price', field: 'price' },
} as const

const messagingErrors = {
  message_empty: { status: 400, text: 'Write something first.', field: 'content' },
  message_to_yourself: { status: 400, text: 'You can’t message yourself.' },
  conversation_not_found: { status: 404, text: 'We couldn’t find that.' },
  message_not_found: { status: 404, text: 'We couldn’t find this message.' },
  recipient_unavailable: { status: 403, text: 'You can’t message this person.' },
  recipient_blocked: { status: 409, text: 'You blocked this person. Unblock them to message them.' },
  followers_only: { status: 403, text: 'This creator takes messages from followers. Follow them to write.' },
  subscribers_only: {
    status: 403,
    text: 'This creator takes messages from subscribers. Subscribe to write.',
  },
  chat_subscribers_only: {
    status: 403,
    text: 'This creator takes messages from subscribers with chat.',
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
  price_without_attachments: {
    status: 400,
    text: 'Attach what you want to sell, or remove the price.',
    field: 'price',
  },
  message_too_old: { status: 409, text: 'A message can be changed for 24 hours after it’s sent.' },
  message_bought: { status: 409, text: 'This message was bought, so it stays as it is.' },
  message_being_paid: {
    status: 409,
    text: 'Someone is paying for this right now. Try again soon.',
  },
  custom_request_not_found: { status: 404, text: 'We couldn’t find this request. It may have been deleted.' },
  not_a_creator: { status: 409, text: 'Only creators take custom requests.' },
  custom_total: {
    status: 400,
    text: 'A custom request can cost up to $10,000 in total.',
    field: 'pricePerMinute',
  },
  custom_price: { status: 400, text: 'A custom request can cost up to $10,000.', field: 'price' },
  custom_requests_full: {
    status: 409,
    text: 'You have 5 open requests with this creator. Wait for an answer, or delete one.',
  },
  custom_request_being_paid: {
    status: 409,
    text: 'A payment for this request is being processed. Please try again in a few minutes.',
  },
  custom_request_paid: { status: 409, text: 'This request is paid, so it stays as it is.' },
  custom_request_unpaid: { status: 409, text: 'This request isn’t paid yet.' },
  custom_request_delivered: { status: 409, text: 'This request was already delivered.' },
  custom_request_closed: { status: 409, text: 'This request is closed.' },
  message_stays: { status: 409, text: 'This message can’t be changed.' },
  fan_list_not_found: { status: 404, text: 'We couldn’t find this list.', field: 'listId' },
  fan_list_exists: { status: 409, text: 'You already have a list with this name.', field: 'name' },
  fan_lists_full: { status: 409, text: 'You can have up to 100 lists. Delete one first.' },
  fan_list_full: { status: 409, text: 'A list can have up to 100,000 people.' },
  fan_list_in_use: {
    status: 409,
    text: 'A scheduled message uses this list. Change or cancel that message first.',
  },
  mass_message_not_found: { status: 404, text: 'We couldn’t find this message.' },
  mass_message_started: { status: 409, text: 'This message is already being sent.' },
  mass_message_for_nobody: { status: 409, text: 'Nobody would get this message. Choose other people.' },
  mass_messages_used_up: {
    status: 409,
    text: 'You can create 10 mass messages a day. Please try again tomorrow.',
  },
  mass_message_unsent: { status: 409, text: 'This message can’t be unsent now.' },
  mass_message_too_old: {
    status: 409,
    text: 'A message without a price can be unsent for 24 hours after it’s sent.',
  },
  list_required: { status: 400, text: 'Choose a list.', field: 'listId' },
  send_time_passed: { status: 400, text: 'Choose a time in the next 12 months.', field: 'sendAt' },
  report_closed: { status: 409, text: 'This report is already closed.' },
  already_reported: { status: 409, text: 'You already reported this message.' },
} as const

const complianceErrors = {
  exports_full: {
    status: 503,
    text: 'We can’t prepare your data right now. Please try again tomorrow.',
  },
  region_restricted: {
    status: 451,
    text: 'This content isn’t available in your region until your age is verified.',
  },
  age_result_invalid: {
    status: 400,
    text: 'We couldn’t read the result of your age check. It may have expired. Please start the check again.',
  },
  age_check_unavailable: {
    status: 409,
    text: 'Age checks aren’t available right now. Contact us to be approved manually.',
  },
  region_not_found: { status: 404, text: 'This region isn’t restricted.' },
} as const

/**
 * Every error a call can answer, by domain: its HTTP status and the sentence for people (the specification's where it
 * gives one). The code is stable and is what programs and tests match. `field`: what of the input it is about, which is
 * then told in `details` as well.
 */
export const errors = {
  ...callErrors,
  ...identityErrors,
  ...notificationErrors,
  ...profilesErrors,
  ...mediaErrors,
  ...commerceErrors,
  ...messagingErrors,
  ...complianceErrors,
} as const satisfies Record<string, { status: number; text: string; field?: string }>

export type ErrorCode = keyof typeof errors

/** The body of every error answer (docs/product.md, Calls); `details` maps a field to its own sentence. */
export type ErrorBody = { error: string; code: ErrorCode; details?: Record<string, string> }
