/**
 * Every error a call can answer: its HTTP status and the sentence for people (core §8 where it gives one).
 * The code is stable and is what programs and tests match.
 */
export const errors = {
  invalid_input: [400, 'Something in the form is not right. Please check the marked fields.'],
  malformed_body: [400, 'The request could not be read.'],
  skip_too_deep: [400, 'skip goes up to 10,000; use cursor to go further.'],
  bad_cursor: [400, 'The cursor is not one of ours. Start again from the first page.'],
  password_too_short: [400, 'Password must be 8 or more characters'],
  not_authenticated: [401, 'Please log in.'],
  login_failed: [401, 'There was a problem logging in.'],
  card_declined: [402, 'Your card was declined. You have not been charged. Try another card.'],
  card_token_expired: [
    402,
    'Your card details have expired. You have not been charged. Please enter them again.',
  ],
  payment_refused: [
    402,
    'The payment was refused. You have not been charged. Please check the card details.',
  ],
  gateway_unreachable: [
    402,
    'The payment service can’t be reached. You have not been charged. Please try again in a few minutes.',
  ],
  payment_interrupted: [402, 'The payment was interrupted. You have not been charged. Please try again.'],
  forbidden: [403, 'You can’t do that.'],
  other_origin: [403, 'This was sent by a page of another site, so nothing was done.'],
  not_yourself: [403, 'That belongs to somebody else.'],
  email_unverified: [403, 'Please confirm your e-mail address first.'],
  creators_only: [403, 'Only creators can do that.'],
  superadmins_only: [403, 'Only the operator can do that.'],
  not_owner: [403, 'you do not have access to this page'],
  link_expired: [403, 'This link has expired.'],
  publishing_closed: [403, 'Publishing opens when identity checks and review are set up.'],
  not_found: [404, 'There is nothing here.'],
  user_not_found: [404, 'This person could not be found.'],
  media_not_found: [404, 'This media could not be found.'],
  item_not_found: [404, 'This item is not for sale.'],
  upload_not_found: [404, 'This upload could not be found. Please start it again.'],
  signup_taken: [409, 'Something went wrong. The email or username may already exist.'],
  already_owned: [409, 'You already have this.'],
  already_subscribed: [409, 'Already Subscribed!'],
  purchase_in_progress: [409, 'A payment for this is still being checked. You will not be charged twice.'],
  price_changed: [409, 'The price has changed. Please look at it again before you buy.'],
  own_item: [409, 'This is your own; there is no need to buy it.'],
  request_in_flight: [409, 'This is already being done. Please wait a moment.'],
  upload_already_used: [409, 'This upload already arrived.'],
  too_many_uploads: [409, 'You have too many unfinished uploads. Finish or cancel some first.'],
  upload_too_large: [413, 'This file is too large.'],
  body_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'The request has a content type that is not supported here.'],
  idempotency_key_reused: [422, 'This request was already sent with other content.'],
  rate_limited: [429, 'Too many attempts. Please wait a little and try again.'],
  region_restricted: [451, 'This content is not available in your region until your age has been verified.'],
  internal: [500, 'Something went wrong on our side. Nothing was lost; please try again.'],
  not_ready: [503, 'The service is starting. Please try again in a moment.'],

  must_include_title: [400, 'Must include title'],
  must_include_price: [400, 'Must include price'],
  profile_taken: [409, 'Something went wrong. Username and email must be unique across the entire site.'],
  block_yourself: [409, 'You can’t block yourself.'],
  last_superadmin: [409, 'You are the last operator. Make somebody else one before you delete your account.'],
  follow_yourself: [409, 'You can’t follow yourself.'],
  age_result_invalid: [
    400,
    'This result of an age check can’t be read. It may be old; start the check again.',
  ],
  age_check_unavailable: [
    409,
    'No age check is set up at the moment. Write to us, and we look at it by hand.',
  ],
  region_not_found: [404, 'This region is not restricted.'],
  confirmation_invalid: [
    400,
    'There was an error sorry. The link may be old; ask for a new one, or contact the team.',
  ],

  reset_invalid: [
    400,
    'There was an error resetting the password. Please try again or contact the official account on the forum service, or report the issue by email.',
  ],
  password_too_common: [400, 'Too many people use this password. Choose one that is harder to guess.'],
  password_like_account: [400, 'Choose a password that is not your name, your email or ours.'],
  password_wrong: [403, 'This is not your password.'],
  second_factor_wrong: [403, 'This code is not right. Try the newest one.'],
  passkey_refused: [403, 'This passkey was not accepted. Try again, or use another way.'],
  challenge_expired: [403, 'This took too long. Please start again.'],
  proof_required: [403, 'Please confirm that it’s you first.'],
  second_factor_required: [403, 'Set up a second factor first: it is required of operators.'],
  second_factor_missing: [409, 'Set up an authenticator app or a passkey first.'],
  totp_exists: [409, 'An authenticator app is set up already. Remove it first.'],
  passkey_exists: [409, 'This passkey is set up already.'],
  too_many_passkeys: [409, 'You have the most passkeys there can be. Remove one first.'],
  email_taken: [409, 'Something went wrong. Username and email must be unique across the entire site.'],

  media_empty: [400, 'This file is empty.'],
  media_type_unsupported: [
    400,
    'This is not a picture or video we can take. Use PNG, JPG, WebP, MP4 or MOV.',
  ],
  media_unreadable: [400, 'This file is damaged and can’t be opened.'],
  media_too_many_pixels: [400, 'This picture is larger than 50 megapixels.'],
  media_too_large: [413, 'This file is too large.'],
  media_too_long_to_process: [400, 'This file took too long to prepare. Try a shorter or smaller version.'],
  media_no_picture: [400, 'This file has no picture in it.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorCode = keyof typeof errors

/** The body of every error answer (decisions §2); `details` maps a field to its own sentence. */
export type ErrorBody = { error: string; code: ErrorCode; details?: Record<string, string> }
